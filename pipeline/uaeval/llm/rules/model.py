"""The embedded engine behind the model seam: one table from prompt name to rule."""

import inspect
from collections.abc import Callable, Mapping
from typing import TypeVar

from uaeval.errors import PromptError, ReplyError
from uaeval.llm.replies import Reply, Written
from uaeval.llm.rules import (
    contexts,
    false_presupposition,
    given,
    judge,
    modality_limited,
    nonsensical,
    open_answers,
    out_of_database,
    rag,
    safety_concerned,
    twin,
    underspecified,
)
from uaeval.llm.rules.english.language import other_language, require_english
from uaeval.prompts import Field
from uaeval.types import Category, Passage

from uaeval.offline import verifier
from uaeval.offline.author import false_presupposition as fp, out_of_database as ood, underspecified as us, nonsensical as ns, modality_limited as ml, safety_concerned as sc

R = TypeVar("R", bound=Reply)

RULES: Mapping[str, Callable[..., Reply]] = {
    "given/complete": given.complete,
    "underspecified/generate": us.write,
    "underspecified/verify": verifier.underspecified,
    "underspecified/verify_readings": verifier.readings,
    "false_presupposition/generate": fp.write,
    "false_presupposition/verify": verifier.false_presupposition,
    "nonsensical/generate": ns.write,
    "nonsensical/verify": verifier.nonsensical,
    "modality_limited/generate": ml.write,
    "modality_limited/verify": verifier.modality_limited,
    "safety_concerned/generate": sc.write,
    "safety_concerned/verify": verifier.safety_concerned,
    "out_of_database/generate": ood.write,
    "out_of_database/verify": verifier.out_of_database,
    "rag/answer": rag.answer,
    "rag/answer_by_case": rag.answer,
    "rag/answer_evidence_first": rag.answer_checked,
    "rag/multi_query": rag.reword,
    "rag/rerank": rag.rerank,
    "rag/open_answer": open_answers.answer,
    "rag/open_answer_again": open_answers.answer_again,
    "rag/open_answer_context": open_answers.answer_with_context,
    "rag/open_answer_context_again": open_answers.answer_with_context_again,
    "judge/verdict": judge.verdict,
    "judge/correct": judge.correct,
    "judge/answer_correctness": contexts.answer_correctness,
    "judge/context_relevancy": contexts.context_relevancy,
    "judge/answer_relevancy": open_answers.answer_relevancy,
    "judge/faithfulness": open_answers.faithfulness,
    "judge/contextual_precision": open_answers.contextual_precision,
    "judge/contextual_recall": open_answers.contextual_recall,
    "judge/contextual_relevancy": open_answers.contextual_relevancy,
    "judge/attribution": contexts.attribution,
    **{f"{category}/acceptable": judge.accepts(category) for category in Category},
    "underspecified/acceptable_strict": judge.accepts(Category.UNDERSPECIFIED, strict=True),
}


LEFT_TO_MODELS: Mapping[str, str] = {
    "judge/quest_questions": "judge",
    "judge/quest_answers": "judge",
    "rag/hyde": "model",
}
"""Prompts that want a model, and the part that it is named for: rules write no questions about any
phrase, read no answers, and imagine no passages."""

FOREIGN = "the rules engine writes English only; this passage is not English"


class RuleModel:
    """Authors, verifies and judges English by rules: no network, no key, the same every time."""

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
            PromptError: there are no rules for this prompt, they decline it, or its fields do not
                fit.
            ReplyError: the rules answer with another type than the one asked for, or the reply
                does not pass `check`.
        """
        rule = RULES.get(prompt_name)
        if prompt_name in LEFT_TO_MODELS:
            part = LEFT_TO_MODELS[prompt_name]
            raise PromptError(
                f"the rules engine leaves {prompt_name} to models; name one as {part}"
            )
        if rule is None:
            known = ", ".join(sorted(RULES))
            raise PromptError(f"the rules engine has no rules for {prompt_name}; it has {known}")
        _check_fields(prompt_name, rule, fields)
        require_english(str(fields.get("language", "auto")))
        if issubclass(reply_type, Written) and _is_foreign(fields):
            return reply_type.model_validate({"declined": FOREIGN, "draft": None})
        reply = rule(**fields)
        if not isinstance(reply, reply_type):
            given = type(reply).__name__
            raise ReplyError(f"{prompt_name}: wanted {reply_type.__name__}, the rules give {given}")
        if check:
            check(reply)
        return reply


def _check_fields(name: str, rule: Callable[..., Reply], fields: Mapping[str, Field]) -> None:
    wanted = inspect.signature(rule).parameters.keys()
    if wanted != fields.keys():
        raise PromptError(f"{name}: the rules want {sorted(wanted)}, got {sorted(fields)}")


def _is_foreign(fields: Mapping[str, Field]) -> bool:
    """Look at what is written from; a stray foreign passage among several is no matter."""
    sources = (fields.get("passage"), fields.get("article"))
    if any(isinstance(part, Passage) and other_language(part.text) for part in sources):
        return True
    several = fields.get("passages", ())
    if isinstance(several, str | Passage) or not several:
        return False
    return all(isinstance(part, Passage) and other_language(part.text) for part in several)
