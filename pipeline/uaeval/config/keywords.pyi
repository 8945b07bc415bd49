"""Settings as keyword arguments, for editors and type checkers.

Written by `python -m scripts.reference` from the models in `uaeval.config`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypedDict

from pydantic import JsonValue

class SharedKeywords(TypedDict, total=False):
    """Settings of both, in the same form; `None` leaves one at its default."""

    base_url: str | None
    concurrency: int | None
    embedding: str | None
    engine: str | None
    max_calls: int | None
    max_cost: float | None
    max_retries: int | None
    mode: Literal["live", "batch"] | None
    model: str | None
    prices: str | Path | None
    prompts: str | Path | None
    requests_per_minute: int | None
    samples: int | None
    timeout: float | None
    tokens_per_minute: int | None

class SynthesisKeywords(SharedKeywords, total=False):
    """Settings of `SynthesisConfig`; `None` leaves one at its default."""

    add_topics: Sequence[str] | str | None
    allow_hosts: Sequence[str] | str | None
    ask_rag: bool | None
    askers: Sequence[str] | str | None
    categories: Sequence[str] | str | None
    chunk_size: int | None
    closed_book_check: bool | None
    contact: str | None
    drop_easy: bool | None
    fetch_concurrency: int | None
    follow_links: bool | None
    forbid_topics: Sequence[str] | str | None
    holdout_share: float | None
    host_delay: float | None
    id_field: str | None
    language: str | None
    modalities: str | None
    news: Sequence[str] | str | None
    page_timeout: float | None
    passages_shown: int | None
    per_document: int | None
    per_source: int | None
    pin_topics: Sequence[str] | str | None
    queries: str | Path | None
    seed: int | None
    since: str | None
    site_pages: int | None
    size: int | None
    strict: bool | None
    styles: Sequence[Literal["terse", "chatty", "formal", "keywords", "typos"]] | str | None
    text_field: str | None
    title_field: str | None
    topics: int | None
    verifier: str | None
    verifier_base_url: str | None
    web_proxy: str | None

class EvaluationKeywords(SharedKeywords, total=False):
    """Settings of `EvaluationConfig`; `None` leaves one at its default."""

    answer_path: str | None
    answer_prompt: Literal["default", "by_case", "evidence_first"] | None
    body: JsonValue | None
    candidates: int | None
    contexts_path: str | None
    controls: str | Path | None
    headers: Mapping[str, str] | None
    index: str | Path | None
    judge: str | None
    judge_base_url: str | None
    k: int | None
    majority: bool | None
    method: Literal["GET", "POST", "PUT"] | None
    metrics: Sequence[str] | str | None
    name: str | None
    other_judges: Sequence[str] | str | None
    policy: Literal["lenient", "strict"] | None
    poll_path: str | None
    reranker: str | None
    retriever: Literal["vector", "bm25", "fused"] | None
    rewriting: Literal["none", "hyde", "multi_query"] | None
    session_path: str | None
    session_url: str | None
    system_concurrency: int | None
    url: str | None
    weights: Sequence[float] | str | None
