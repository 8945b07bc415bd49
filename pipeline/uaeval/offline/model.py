"""The offline engine behind the model seam: one table from prompt name to function."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Final, TypeVar

from uaeval.errors import PromptError, ReplyError
from uaeval.llm.replies import Reply, Written
from uaeval.offline.language import other_language, require_english
from uaeval.prompts import Field
from uaeval.types import Category, Passage

R = TypeVar("R", bound=Reply)

_RAG: Final = (
    *("answer", "answer_evidence_first", "multi_query", "rerank", "open_answer"),
    *("open_answer_again", "open_answer_context", "open_answer_context_again"),
)
_QUALITY: Final = (
    *("answer_correctness", "answer_relevancy", "attribution", "context_relevancy"),
    *("contextual_precision", "contextual_recall", "contextual_relevancy", "faithfulness"),
)
_PLACES: Final = {
    "given/complete": "completion.complete",
    **{f"{category}/generate": f"author.{category}.write" for category in Category},
    **{f"{category}/verify": f"verifier.{category}" for category in Category},
    "underspecified/verify_readings": "verifier.readings",
    "rag/answer_by_case": "rag.answer",
    **{f"rag/{name}": f"rag.{name}" for name in _RAG},
    "judge/verdict": "judge.verdict.verdict",
    "judge/correct": "judge.correct.correct",
    **{f"judge/{name}": f"quality.{name}" for name in _QUALITY},
    **{f"{category}/acceptable": "judge.acceptable.accepts" for category in Category},
    "underspecified/acceptable_strict": "judge.acceptable.accepts",
}
"""Module and function of this package by prompt; `accepts` returns the function."""

LEFT_TO_MODELS: Final = {
    **dict.fromkeys(("judge/quest_questions", "judge/quest_answers"), "judge"),
    "rag/hyde": "model",
}
"""Prompts that need a language model, and the option that names one."""

FOREIGN: Final = "the offline engine writes English only; this passage is not English"


class _Table(Mapping[str, Callable[..., Reply]]):
    """Functions by prompt name, each imported when it is first looked up."""

    def __getitem__(self, prompt: str) -> Callable[..., Reply]:
        module, _, name = _PLACES[prompt].rpartition(".")
        function: Callable[..., Reply] = getattr(import_module(f"uaeval.offline.{module}"), name)
        category, _, purpose = prompt.partition("/")
        if purpose.startswith("acceptable"):
            accepts: Callable[..., Callable[..., Reply]] = function  # type: ignore[assignment]
            return accepts(Category(category), strict=purpose.endswith("strict"))
        return function

    def __iter__(self) -> Iterator[str]:
        return iter(_PLACES)

    def __len__(self) -> int:
        return len(_PLACES)


TABLE: Final[Mapping[str, Callable[..., Reply]]] = _Table()


class OfflineModel:
    """Author, verify, judge and answer in English: no network, no key, the same every time."""

    name = "offline-2"

    async def ask(
        self,
        prompt_name: str,
        reply_type: type[R],
        check: Callable[[R], object] | None = None,
        /,
        **fields: Field,
    ) -> R:
        """Answer one of the shipped prompts from its fields alone.

        Raises:
            LanguageError: another language than English is wanted.
            PromptError: the prompt is unknown or needs a model, or the fields do not fit.
            ReplyError: nothing can be told of these fields, the reply is of another type than the
                one asked for, or it does not pass `check`.
        """
        if prompt_name in LEFT_TO_MODELS:
            option = LEFT_TO_MODELS[prompt_name]
            raise PromptError(f"{prompt_name} needs a language model; name one as {option}")
        if prompt_name not in TABLE:
            known = ", ".join(sorted(TABLE))
            raise PromptError(f"the offline engine cannot answer {prompt_name}; it has {known}")
        function = TABLE[prompt_name]
        _check_fields(prompt_name, function, fields)
        require_english(str(fields.get("language", "auto")))
        if issubclass(reply_type, Written) and _is_foreign(fields):
            return reply_type.model_validate({"declined": FOREIGN, "draft": None})
        reply = function(**fields)
        if not isinstance(reply, reply_type):
            given = type(reply).__name__
            raise ReplyError(f"{prompt_name}: expected {reply_type.__name__}, got {given}")
        if check:
            check(reply)
        return reply


def _check_fields(prompt: str, function: Callable[..., Reply], fields: Mapping[str, Field]) -> None:
    expected = inspect.signature(function).parameters.keys()
    if expected != fields.keys():
        raise PromptError(f"{prompt}: expected fields {sorted(expected)}, got {sorted(fields)}")


def _is_foreign(fields: Mapping[str, Field]) -> bool:
    """Return whether the passage or article to write from, or every passage, is not English."""
    sources = [fields.get("passage"), fields.get("article")]
    if any(isinstance(source, Passage) and other_language(source.text) for source in sources):
        return True
    passages = fields.get("passages", ())
    if isinstance(passages, str | Passage) or not passages:
        return False
    return all(isinstance(each, Passage) and other_language(each.text) for each in passages)
