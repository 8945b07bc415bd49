"""What a built-in RAG says and asks for on the way: answers, rewordings, orders of passages."""

from typing import ClassVar

from uaeval.llm.replies import Reply


class RagAnswer(Reply):
    """What the built-in RAG says to the user; models that decline often drop the JSON."""

    plain_field: ClassVar[str | None] = "answer"

    answer: str


class CheckedRagAnswer(Reply):
    """An answer after a rationale about the passages; only the answer goes to the user."""

    plain_field: ClassVar[str | None] = "answer"

    rationale: str
    answer: str


class OpenAnswer(RagAnswer):
    """An answer under the output contract, which the code checks."""


class ImaginedPassage(Reply):
    """A passage that would answer the question, or null where none should be written."""

    passage: str | None


class Rewordings(Reply):
    """Other wordings of a question to search by; there may be none."""

    queries: list[str]


class PassageOrder(Reply):
    """Numbers of the passages that are relevant to a question, the most useful first."""

    order: list[int]
