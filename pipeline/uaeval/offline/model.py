"""The offline engine as a `Model`: a table of functions by prompt name."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from uaeval.categories.names import BUILT_IN, category_names
from uaeval.categories.registry import category
from uaeval.categories.voices import ANY
from uaeval.errors import LanguageError, PromptError, ReplyError
from uaeval.llm.model import Field, R, T
from uaeval.llm.replies import Reply, Written
from uaeval.offline import completion, quality, rag, verifier
from uaeval.offline.author import false_presupposition, out_of_database, templated, underspecified
from uaeval.offline.judge.acceptable import accepts, undecided
from uaeval.offline.judge.correct import correct
from uaeval.offline.judge.verdict import verdict
from uaeval.records import Passage
from uaeval.text.language import surely_foreign

_TEMPLATED: Final = ("nonsensical", "modality_limited", "safety_concerned")
TABLE: Final[Mapping[str, Callable[..., Reply]]] = {
    "given/complete": completion.complete,
    "underspecified/generate": underspecified.write,
    "false_presupposition/generate": false_presupposition.write,
    "out_of_database/generate": out_of_database.write,
    **{f"{name}/generate": getattr(templated, name) for name in _TEMPLATED},
    **{f"{name}/verify": getattr(verifier, name) for name in BUILT_IN},
    "underspecified/verify_readings": verifier.readings,
    **dict.fromkeys(("rag/answer", "rag/answer_by_case"), rag.answer),
    "rag/answer_evidence_first": rag.answer_evidence_first,
    "rag/multi_query": rag.multi_query,
    "rag/rerank": rag.rerank,
    **dict.fromkeys(("rag/open_answer", "rag/open_answer_again"), rag.open_answer),
    "rag/open_answer_context": rag.open_answer_context,
    "rag/open_answer_context_again": rag.open_answer_context_again,
    "judge/verdict": verdict,
    "judge/correct": correct,
    **{f"judge/{name}": getattr(quality, name) for name in quality.PROMPTS},
    **{f"{name}/acceptable": accepts(name) for name in BUILT_IN},
    "underspecified/acceptable_strict": accepts("underspecified", strict=True),
}
RANK: Final[Mapping[str, Callable[[Passage], int]]] = {
    "false_presupposition": false_presupposition.rank,
    **dict.fromkeys(_TEMPLATED, templated.rank),
}
"""How well a passage suits an author, by category; passages of the lowest rank are tried first."""
LEFT_TO_MODELS: Final = {
    **dict.fromkeys(("judge/quest_questions", "judge/quest_answers"), "judge"),
    **dict.fromkeys(("rag/closed_book", "rag/hyde"), "model"),
}
"""Prompts that need a language model, and the option that names one."""

IGNORED: Final = frozenset({*ANY, "modalities", "others", "first_answer", "wrong"})
"""Fields of prompts that the engine does not use."""
_ENGLISH: Final = frozenset({"auto", "en", "eng", "english", "en-us", "en-gb"})
FOREIGN: Final = "the offline engine writes English only; this passage is not English"


class OfflineModel:
    """Author, verify, judge and answer in English, deterministically, without network and key."""

    name = "offline-2"

    async def ask(
        self, prompt: str, reply_type: type[R], parse: Callable[[R], T], /, **fields: Field
    ) -> T:
        """Answer one of the shipped prompts from its fields alone.

        Raises:
            LanguageError: the language is not English.
            PromptError: the prompt is unknown or needs a model, or the fields do not fit.
            ReplyError: the function cannot reply to these fields, the reply has another type than
                `reply_type`, or `parse` does not accept it.
        """
        function = _function(prompt)
        fields = {name: value for name, value in fields.items() if name not in IGNORED}
        expected = inspect.signature(function).parameters.keys()
        if expected != fields.keys():
            raise PromptError(f"{prompt}: expected fields {sorted(expected)}, got {sorted(fields)}")
        require_english(str(fields.get("language", "auto")))
        if issubclass(reply_type, Written) and _is_foreign(fields):
            return parse(reply_type.model_validate({"declined": FOREIGN, "draft": None}))
        reply = function(**fields)
        if not isinstance(reply, reply_type):
            given = type(reply).__name__
            raise ReplyError(f"{prompt}: expected {reply_type.__name__}, got {given}")
        return parse(reply)


def _function(prompt: str) -> Callable[..., Reply]:
    """Return the function for a prompt, from the table or from an installed category."""
    if option := LEFT_TO_MODELS.get(prompt):
        raise PromptError(f"{prompt} needs a language model; name one as {option}")
    if prompt in TABLE:
        return TABLE[prompt]
    name, _, role = prompt.rpartition("/")
    if name in category_names():
        if declared := category(name).offline.get(role):
            return declared
        if role in {"acceptable", "acceptable_strict"}:
            return undecided
    known = ", ".join(sorted(TABLE))
    raise PromptError(f"the offline engine cannot answer {prompt}; it has {known}")


def require_english(language: str) -> None:
    """Raise `LanguageError` if a language is not English."""
    if language.strip().lower() not in _ENGLISH:
        other = f"the offline engine writes English only, not {language.strip()}"
        raise LanguageError(f"{other}; choose another model for it")


def _is_foreign(fields: Mapping[str, Field]) -> bool:
    """Return whether the passage or article to write from, or every passage, is not English."""
    shown = fields.get("passages")
    passages = shown if isinstance(shown, Sequence) else ()
    groups = ([fields.get("passage")], [fields.get("article")], passages)
    return any(
        group and all(isinstance(each, Passage) and surely_foreign(each.text) for each in group)
        for group in groups
    )
