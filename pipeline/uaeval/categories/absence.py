"""Select the passages on which a verifier judges that an answer is absent."""

from collections.abc import Sequence

from uaeval.categories.literal import found_for
from uaeval.categories.numbered_passages import NumberedPassages, in_turns
from uaeval.categories.statements import share, weigh
from uaeval.knowledge.retriever import Retriever
from uaeval.text.sentences import sentences
from uaeval.text.words import stems
from uaeval.types import Candidate, Chunk


def shown_for(candidate: Candidate, retriever: Retriever, limit: int) -> NumberedPassages:
    """Return the passages that could give an outside answer, and some for the twin.

    Three rankings take turns: by the statement of a passage that holds most of question and answer,
    rare words counting more; by the searches; and for the twin. Of 40 answers hidden in a staff
    handbook the first alone has 39 among its best 4, the searches in turn 33 among 12.
    """
    texts = (
        f"{candidate.question} {candidate.outside_answer}",
        candidate.question,
        *candidate.phrasings,
    )
    twin = candidate.twin
    *searches, for_twin = retriever.search_many([*texts, twin.question], limit)
    searched = [hit.chunk for turn in zip(*searches, strict=False) for hit in turn]
    rankings = (
        by_statement(candidate, found_for(candidate, retriever)),
        searched,
        [hit.chunk for hit in for_twin],
    )
    return in_turns(rankings, retriever.get(twin.chunk_id), limit)


def by_statement(candidate: Candidate, pool: Sequence[Chunk]) -> list[Chunk]:
    """Sort passages by the statement that holds most of question and answer; best first."""
    wanted = weigh(stems(f"{candidate.question} {candidate.outside_answer}"), pool)

    def best(chunk: Chunk) -> float:
        shares = (share(wanted, statement, chunk) for statement in sentences(chunk.text))
        return max(shares, default=0.0)

    return sorted(pool, key=lambda chunk: (-best(chunk), chunk.id))
