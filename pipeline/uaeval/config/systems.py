"""Settings of the system under test: the user's own system, or the built-in RAG."""

from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from pydantic import AfterValidator, Field, JsonValue, model_validator

from uaeval.config.settings import Option, Settings, http_url, refuse_secrets, texts_in

Ranking: TypeAlias = Literal["vector", "bm25", "fused"]
"""How hits are sorted: by the cosine similarity of the embeddings, by the BM25 score of the words
that a passage shares with the search text, or by both rankings, fused by reciprocal rank."""
QUESTION: Final = "{question}"
"""Placeholder for the query's text in a body or URL."""
HISTORY: Final = "{history}"
"""Placeholder for the earlier turns in a body, as messages with `role` and `content`."""
SESSION: Final = "{session}"
"""Placeholder for the session id in a body, URL or header; each query has its own session."""


def _with_question(body: JsonValue) -> JsonValue:
    if body is not None and all(QUESTION not in text for _, text in texts_in(body, "body")):
        raise ValueError(f"the template has no {QUESTION}, so the system would not see the query")
    return body


class SystemSettings(Settings):
    """How your own system is asked; each kind of system takes some of these."""

    heading: ClassVar[str] = "Your own system"
    url: Annotated[str | None, AfterValidator(http_url), AfterValidator(refuse_secrets)] = None
    """`http`: the address, which may contain {question}; `openai`: the base address. $NAME in its
    query is read from the environment."""
    method: Literal["GET", "POST", "PUT"] | None = None
    """`http`: the method of the request. [POST]"""
    body: Annotated[JsonValue, AfterValidator(_with_question), AfterValidator(refuse_secrets)] = (
        None
    )
    """JSON to send (`langchain`: the input), with {question} and, for earlier turns, "{history}"
    in it. $NAME is read from the environment. [{"question": "{question}"}]"""
    answer_path: str | None = None
    """JSON path to the answer, such as `choices[0].message.content`; for a stream, the path to the
    part of the answer in each event. [answer]"""
    contexts_path: str | None = None
    """JSON path to the retrieved passages, such as `documents[*].text`."""
    poll_path: str | None = None
    """`http`: JSON path, in a reply with HTTP 202, to the address that is requested until the
    answer is ready. [the header Location]"""
    session_url: Annotated[str | None, AfterValidator(http_url), AfterValidator(refuse_secrets)] = (
        None
    )
    """`http`: address that gets an empty POST before each query, to open a session. Its cookies are
    sent with the query. [no session is opened]"""
    session_path: str | None = None
    """`http`: JSON path, in the reply of `session_url`, to the session's id. {session} in url, body
    and headers stands for it. [a random id for each query]"""
    headers: Annotated[
        dict[str, str], AfterValidator(refuse_secrets), Option("--header", repeated=True)
    ] = Field(default={})
    """A header for `http` or `openai`, such as 'Authorization: Bearer $RAG_TOKEN'; $NAME is read
    from the environment. May be given several times."""
    system_concurrency: int | None = Field(default=None, ge=1)
    """Maximum number of queries in flight to the system under test. [as --concurrency]"""

    @model_validator(mode="after")
    def _check_get(self) -> "SystemSettings":
        if self.method == "GET" and QUESTION not in (self.url or "") and self.body is None:
            raise ValueError(f"url: a GET needs {QUESTION} in the address")
        if self.session_path and not self.session_url:
            raise ValueError("session_path: give session_url too, whose reply has this path")
        return self


class RetrievalSettings(Settings):
    """How passages are retrieved for a model."""

    heading: ClassVar[str] = "Retrieval"
    embedding: str | None = None
    """The embedding to search by, as for `synthesize`. [the dataset's]"""
    retriever: Ranking = "fused"
    """How to search: `vector`, `bm25` (words) or `fused` (both)."""
    k: int = Field(default=5, ge=1)
    """Number of passages shown to the model."""


class RagSettings(RetrievalSettings):
    """The parts of the built-in RAG."""

    heading: ClassVar[str] = "Built-in RAG"
    rewriting: Literal["none", "hyde", "multi_query"] = "none"
    """What else the RAG searches by: `none`, `hyde` (an imagined passage) or `multi_query` (other
    wordings)."""
    reranker: str = Field(default="none", pattern=r"^(none|model|cross-encoder:.+)$")
    """What orders the passages: `none`, `model` (the RAG's) or `cross-encoder:<model>`."""
    candidates: int = Field(default=20, ge=1, le=200)
    """Number of passages that a reranker orders."""
    answer_prompt: Literal["default", "by_case", "evidence_first"] = "default"
    """The RAG's prompt; `by_case` and `evidence_first` say more about declining than `default`."""
