"""A small English pipeline, trained here on a dozen sentences and written as an installed package.

It knows little beyond them, and finds parts of speech, noun phrases and entities as any does.
Run as a module with a folder for packages: training warns, and would warn in a test's process.
"""

import random
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import spacy
from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example
from thinc.api import fix_random_seed

NAME, VERSION = "en_core_web_sm", "0.0.1"
ROUNDS = 30


class Annotated(NamedTuple):
    """A sentence in words, with what a treebank says of each: part of speech, head, relation."""

    text: str
    tags: str
    heads: tuple[int, ...]
    relations: str
    entities: Mapping[str, str]


SENTENCES = (
    Annotated("The salt museum opens on Monday .", "DET NOUN NOUN VERB ADP PROPN PUNCT",
              (2, 2, 3, 3, 3, 4, 3), "det compound nsubj ROOT prep pobj punct",
              {"Monday": "DATE"}),
    Annotated("Mara Lund leads the small archive .", "PROPN PROPN VERB DET ADJ NOUN PUNCT",
              (1, 2, 2, 5, 5, 2, 2), "compound nsubj ROOT det amod dobj punct",
              {"Mara Lund": "PERSON"}),
    Annotated("The small archive closes in March .", "DET ADJ NOUN VERB ADP PROPN PUNCT",
              (2, 2, 3, 3, 3, 4, 3), "det amod nsubj ROOT prep pobj punct",
              {"March": "DATE"}),
    Annotated("Visitors buy cheap tickets at the desk .", "NOUN VERB ADJ NOUN ADP DET NOUN PUNCT",
              (1, 1, 3, 1, 1, 6, 4, 1), "nsubj ROOT amod dobj prep det pobj punct", {}),
    Annotated("Jonas Petrel repairs old boats in Thornsea .",
              "PROPN PROPN VERB ADJ NOUN ADP PROPN PUNCT",
              (1, 2, 2, 4, 2, 2, 5, 2), "compound nsubj ROOT amod dobj prep pobj punct",
              {"Jonas Petrel": "PERSON", "Thornsea": "GPE"}),
    Annotated("The harbour office sells annual tickets .", "DET NOUN NOUN VERB ADJ NOUN PUNCT",
              (2, 2, 3, 3, 5, 3, 3), "det compound nsubj ROOT amod dobj punct", {}),
    Annotated("Mara Lund met Jonas Petrel in Thornsea .",
              "PROPN PROPN VERB PROPN PROPN ADP PROPN PUNCT",
              (1, 2, 2, 4, 2, 2, 5, 2), "compound nsubj ROOT compound dobj prep pobj punct",
              {"Mara Lund": "PERSON", "Jonas Petrel": "PERSON", "Thornsea": "GPE"}),
    Annotated("Old boats fill the harbour .", "ADJ NOUN VERB DET NOUN PUNCT",
              (1, 2, 2, 4, 2, 2), "amod nsubj ROOT det dobj punct", {}),
    Annotated("The guided tour begins at the harbour office .",
              "DET VERB NOUN VERB ADP DET NOUN NOUN PUNCT",
              (2, 2, 3, 3, 3, 7, 7, 4, 3), "det amod nsubj ROOT prep det compound pobj punct", {}),
    Annotated("Members borrow rare books from the archive .",
              "NOUN VERB ADJ NOUN ADP DET NOUN PUNCT",
              (1, 1, 3, 1, 1, 6, 4, 1), "nsubj ROOT amod dobj prep det pobj punct", {}),
    Annotated("In March the museum lends rare books .", "ADP PROPN DET NOUN VERB ADJ NOUN PUNCT",
              (4, 0, 3, 4, 4, 6, 4, 4), "prep pobj det nsubj ROOT amod dobj punct",
              {"March": "DATE"}),
    Annotated("Thornsea welcomes many visitors .", "PROPN VERB ADJ NOUN PUNCT",
              (1, 1, 3, 1, 1), "nsubj ROOT amod dobj punct", {"Thornsea": "GPE"}),
)  # fmt: skip


def install(site: Path) -> None:
    """Train the pipeline and put it into `site`, as an installer would."""
    trained, package = site / "trained", import_module("spacy.cli.package")
    _train().to_disk(trained)
    package.package(trained, site, create_sdist=False)
    built = site / f"{NAME}-{VERSION}"
    (built / "meta.json").rename(built / NAME / "meta.json")
    (built / NAME).rename(site / NAME)
    info = site / f"{NAME}-{VERSION}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {NAME}\nVersion: {VERSION}\n")


def _train() -> Language:
    fix_random_seed(7)
    nlp = spacy.blank("en", meta={"name": NAME.removeprefix("en_"), "version": VERSION})
    nlp.add_pipe("morphologizer")
    nlp.add_pipe("parser", config={"min_action_freq": 1})
    nlp.add_pipe("ner")
    examples = [_example(nlp, sentence) for sentence in SENTENCES]
    optimizer = nlp.initialize(lambda: examples)
    for number in range(ROUNDS):
        random.Random(number).shuffle(examples)
        nlp.update(examples, sgd=optimizer, drop=0.0)
    return nlp


def _example(nlp: Language, sentence: Annotated) -> Example:
    text, words = sentence.text, sentence.text.split()
    reference = Doc(
        nlp.vocab,
        words=words,
        pos=sentence.tags.split(),
        heads=list(sentence.heads),
        deps=sentence.relations.split(),
    )
    places = {phrase: text.index(phrase) for phrase in sentence.entities}
    spans = (
        reference.char_span(start, start + len(phrase), label=sentence.entities[phrase])
        for phrase, start in places.items()
    )
    reference.ents = tuple(span for span in spans if span is not None)
    return Example(Doc(nlp.vocab, words=words), reference)


if __name__ == "__main__":
    install(Path(sys.argv[1]))
