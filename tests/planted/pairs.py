"""Questions from held-out pages, and answers to half of them hidden in what remains."""

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from uaeval.records import Candidate, Chunk, Document, Twin
from uaeval.text.words import stands_in

HERE = Path(__file__).parent
HELD_OUT = HERE / "held_out.txt"
"""The pages of the handbook that are left out; the pairs were written from some of them."""

Surface = Literal["kept", "changed"]
Half = Literal["fitting", "final"]


@dataclass(frozen=True, kw_only=True)
class Pair:
    """A question, its answer, and the sentence that hides the answer, if it is to be planted."""

    id: str
    page: str
    question: str
    answer: str
    phrasings: tuple[str, ...]
    twin: Twin
    surface: Surface | None
    """Whether the sentence keeps the answer's string; `None` if nothing is planted."""
    sentence: str | None
    """Written from question and answer alone."""

    @property
    def candidate(self) -> Candidate:
        """Return the pair as an author's candidate."""
        return Candidate(
            id=self.id,
            category="out_of_database",
            subtype=None,
            question=self.question,
            reason="It stands in a page that was held out.",
            twin=self.twin,
            source_chunk_id=f"{self.page}#0",
            outside_answer=self.answer,
            phrasings=self.phrasings,
        )

    def in_the_midst_of(self, chunks: Sequence[Chunk]) -> "Pair":
        """Return the pair with the id of the chunk that its twin is from."""
        held = [chunk.id for chunk in chunks if stands_in(self.twin.quote, chunk.text)]
        if not held:
            raise AssertionError(f"no passage holds: {self.twin.quote}")
        return replace(self, twin=replace(self.twin, chunk_id=held[0]))


def read_pairs(name: str) -> list[Pair]:
    """Read `<name>.jsonl` of this folder."""
    lines = (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [_pair(json.loads(line)) for line in lines]


def _pair(row: dict[str, Any]) -> Pair:
    twin = row["twin"]
    return Pair(
        id=row["id"],
        page=row["page"],
        question=row["question"],
        answer=row["answer"],
        phrasings=tuple(row["phrasings"]),
        twin=Twin(
            question=twin["question"],
            reference_answer=twin["answer"],
            chunk_id="",
            quote=twin["quote"],
        ),
        surface=row["surface"],
        sentence=row["sentence"],
    )


def sentences(pairs: Sequence[Pair]) -> dict[str, str]:
    """Return what is to be hidden, by the id of its pair."""
    return {pair.id: pair.sentence for pair in pairs if pair.sentence}


def planted(documents: Sequence[Document], sentences: Mapping[str, str]) -> tuple[Document, ...]:
    """Hide each sentence at the end of a paragraph of a document, both selected by its key."""
    texts = {document.id: document.text for document in documents}
    hosts = sorted(identity for identity, text in texts.items() if _paragraphs(text))
    for key, sentence in sentences.items():
        chance = random.Random(key)
        host = chance.choice(hosts)
        place = chance.choice(_paragraphs(texts[host]))
        texts[host] = f"{texts[host][:place]} {sentence}{texts[host][place:]}"
    return tuple(replace(document, text=texts[document.id]) for document in documents)


def _paragraphs(text: str) -> list[int]:
    """Return where the paragraphs of prose end."""
    return [match.end() for match in re.finditer(r"(?m)^[A-Z][^\n|]{60,}[.](?=\n\n|\Z)", text)]


def instructed(
    documents: Sequence[Document], pairs: Sequence[Pair]
) -> tuple[tuple[Document, ...], list[Pair]]:
    """Add text that instructs the model after twins' quotes, in passages that are always shown.

    Returns the documents, and the pairs whose twins were selected.
    """
    lines = (HERE / "hostile.jsonl").read_text(encoding="utf-8").splitlines()
    texts = {document.id: document.text for document in documents}
    told: dict[str, Pair] = {}
    left = [json.loads(line) for line in lines]
    for pair in pairs:
        words = r"\s+".join(map(re.escape, pair.twin.quote.split()))
        host = next((key for key, text in texts.items() if re.search(words, text)), None)
        if left and host and pair.twin.quote not in told:
            texts[host] = re.sub(
                words, lambda found: f"{found[0]} {left.pop(0)}", texts[host], count=1
            )
            told[pair.twin.quote] = pair
    changed = tuple(replace(document, text=texts[document.id]) for document in documents)
    return changed, list(told.values())


def half(pairs: Sequence[Pair], which: Half) -> list[Pair]:
    """Return half of each kind of pair: every second one in a seeded order."""
    selected = []
    for surface in ("kept", "changed", None):
        kind = sorted((pair for pair in pairs if pair.surface == surface), key=lambda pair: pair.id)
        random.Random(f"halves/{surface}").shuffle(kind)
        selected += kind[which == "final" :: 2]
    return sorted(selected, key=lambda pair: pair.id)


def sample(pairs: Sequence[Pair], size: int) -> list[Pair]:
    """Return `size` of the pairs, a quarter of them of each surface and half unplanted."""
    selected = []
    for surface, share in (("kept", 4), ("changed", 4), (None, 2)):
        kind = sorted((pair for pair in pairs if pair.surface == surface), key=lambda pair: pair.id)
        selected += random.Random(f"sample/{surface}").sample(kind, size // share)
    return sorted(selected, key=lambda pair: pair.id)
