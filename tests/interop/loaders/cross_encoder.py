"""Runs where torch is: `make FOLDER SCORES` writes a tiny cross-encoder.

`score FOLDER PAIRS` uses it, `spoil FOLDER` turns its weights into what is no number.
"""

import json
import sys
from pathlib import Path

import torch
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    BertConfig,
    BertForSequenceClassification,
    BertTokenizerFast,
)

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
LONGEST = 128


def make(folder: Path, scores: int) -> None:
    """Write a cross-encoder with weights by chance, that reads text letter by letter."""
    folder.mkdir()
    pieces = [mark + letter for letter in LETTERS for mark in ("", "##")]
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *pieces]
    (folder / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=LONGEST,
        num_labels=scores,
        initializer_range=0.5,  # so wide that passages get scores well apart
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    words_of = BertTokenizerFast(str(folder / "vocab.txt"), model_max_length=LONGEST)
    words_of.save_pretrained(folder)


def score(folder: Path, pairs: Path) -> list[float]:
    """Score each pair alone, without sentence-transformers."""
    words_of = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    found = []
    with torch.inference_mode():
        for question, passage in json.loads(pairs.read_text(encoding="utf-8")):
            read = words_of(question, passage, truncation=True, return_tensors="pt")
            found.append(model(**read).logits.item())
    return found


def spoil(folder: Path) -> None:
    """Give the model weights that are not numbers, as failed training does."""
    model = AutoModelForSequenceClassification.from_pretrained(folder)
    with torch.no_grad():
        for weights in model.parameters():
            weights.fill_(float("nan"))
    model.save_pretrained(folder)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["make", folder, scores]:
            make(Path(folder), int(scores))
        case ["spoil", folder]:
            spoil(Path(folder))
        case ["score", folder, pairs]:
            print(json.dumps(score(Path(folder), Path(pairs))))
        case other:
            sys.exit(f"what is {other}?")
