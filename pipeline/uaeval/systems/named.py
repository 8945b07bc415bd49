"""The system under test that a name such as `python:app:answer` stands for."""

import hashlib
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from uaeval.config import EvaluationConfig, RagSettings, SystemSettings
from uaeval.errors import ConfigError
from uaeval.systems.attempts import Limits
from uaeval.systems.extract import Paths
from uaeval.systems.system import System
from uaeval.types import Query

if TYPE_CHECKING:
    from uaeval.systems.http import HttpSystem

RAG: Final = "rag"
RECORDED: Final = "responses"
_PATHS: Final = frozenset({"answer_path", "contexts_path"})
_TAKEN: Final = {
    RAG: frozenset(RagSettings.model_fields),
    "http": frozenset({"url", "method", "body", "headers", *_PATHS}),
    "openai": frozenset({"url", "body", "headers", *_PATHS}),
    "python": _PATHS,
    "langchain": frozenset({"body", *_PATHS}),
    RECORDED: frozenset[str](),
}
"""The settings that each kind of system takes, beside those that all do."""
_FORMS: Final = (
    RAG,
    "http",
    "openai:<model>",
    "python:<module>:<function>",
    "langchain:<module>:<object>",
    "responses:<file.jsonl>",
)


def kind_of(config: EvaluationConfig) -> str:
    """Return the kind of system that the settings name.

    Raises:
        ConfigError: there is no such kind, the name is not whole, or a setting does not go with it.
    """
    kind, colon, rest = config.system.partition(":")
    bare = {RAG, "http"}
    if kind not in _TAKEN or (kind in bare) == bool(colon) or (kind not in bare and not rest):
        raise ConfigError(f"unknown system {config.system!r}; write {', '.join(_FORMS)}")
    strange = sorted(_given(config) - _TAKEN[kind])
    if strange:
        raise ConfigError(f"{', '.join(strange)}: the system {kind} takes no such setting")
    if kind == "http" and config.url is None:
        raise ConfigError("url: the system http needs the address to ask")
    return kind


def recorded_hash(config: EvaluationConfig) -> str | None:
    """Return the SHA-256 of the file of recorded responses, if that is what is evaluated."""
    kind, _, path = config.system.partition(":")
    return hashlib.sha256(Path(path).read_bytes()).hexdigest() if kind == RECORDED else None


def own_system(
    config: EvaluationConfig, queries: Sequence[Query]
) -> AbstractAsyncContextManager[System] | None:
    """Return the user's own system, to be opened by `async with`; `None` for the built-in RAG.

    Raises:
        ConfigError: a setting cannot be used, or code of the user's own cannot be imported.
        StorageError: recorded responses cannot be read, or are for other queries.
    """
    kind, _, rest = config.system.partition(":")
    match kind_of(config):
        case "http":
            return _http(config)
        case "openai":
            return _chat(config, rest)
        case "responses":
            from uaeval.systems.recorded import RecordedResponses

            return nullcontext(RecordedResponses(Path(rest), queries))
        case "python" | "langchain":
            from uaeval.systems.user_code import imported

            return nullcontext(from_object(config, imported(rest, kind)))
        case _:
            return None


def name_of(system: object) -> str:
    """Name a function or runnable of the user's own, as if it were imported."""
    from langchain_core.runnables import Runnable

    kind = "langchain" if isinstance(system, Runnable) else "python"
    named = system if hasattr(system, "__qualname__") else type(system)
    return f"{kind}:{named.__module__}:{getattr(named, '__qualname__', 'system')}"


def from_object(config: EvaluationConfig, found: object) -> System:
    """Return the system that a function or runnable makes, with these settings.

    Raises:
        ConfigError: it is neither.
    """
    from uaeval.systems.python import LangChainSystem, PythonSystem

    if kind_of(config) == "python":
        return PythonSystem(config.system, found, limits(config), paths=_paths(config))
    return LangChainSystem(
        config.system, found, limits(config), template=config.body, paths=_paths(config)
    )


def limits(config: EvaluationConfig) -> Limits:
    """Return how the system may be asked."""
    return Limits(
        concurrency=config.system_concurrency or config.concurrency,
        timeout=config.timeout,
        max_retries=config.max_retries,
    )


def _given(config: EvaluationConfig) -> set[str]:
    settings = {*SystemSettings.model_fields, *RagSettings.model_fields} - {"system_concurrency"}
    return settings & config.model_dump(exclude_defaults=True).keys()


def _paths(config: EvaluationConfig, answer: str = "answer") -> Paths | None:
    """Return the paths that are given; `None` leaves it to the system."""
    if config.answer_path is None and config.contexts_path is None:
        return None
    return Paths(answer=config.answer_path or answer, contexts=config.contexts_path)


def _http(config: EvaluationConfig) -> "HttpSystem":
    from uaeval.systems.http import HttpSystem, Request

    assert config.url is not None
    method = config.method or "POST"
    body = config.body
    if body is None and method != "GET":
        body = {"question": "{question}"}
    request = Request(url=config.url, method=method, body=body, headers=config.headers)
    return HttpSystem(request, limits(config), paths=_paths(config))


def _chat(config: EvaluationConfig, model: str) -> "HttpSystem":
    from uaeval.systems.openai_chat import CHAT_ANSWER, OpenAIChatSystem

    return OpenAIChatSystem(
        model,
        limits(config),
        url=config.url,
        body=config.body,
        headers=config.headers,
        paths=_paths(config, CHAT_ANSWER),
    )
