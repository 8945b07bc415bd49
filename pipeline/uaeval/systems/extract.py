"""Find the answer and the retrieved passages in a system's reply."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import jsonpath

from uaeval.config import EvaluationConfig
from uaeval.errors import ConfigError
from uaeval.llm.stop_reasons import CUT_OFF, FILTERED, stop_reasons
from uaeval.records import Context
from uaeval.systems.attempts import Fault, MisfitFault
from uaeval.systems.system import Answer

_TEXT_KEYS: Final = ("text", "page_content", "content")
_ID_KEYS: Final = ("id", "node_id")
_TOOL_CALLS: Final = (
    "$..[?@.function.arguments || @.type == 'tool_use' || @.type == 'tool_call' "
    "|| @.type == 'input_json_delta']"
)
_ANSWER_KEYS: Final = ("answer", "response", "reply", "output", "result", "text", "content")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """JSON paths of answer and contexts (RFC 9535, `$.` optional); `ConfigError` if not valid."""

    answer: str
    contexts: str | None = None
    contexts_required: bool = True
    """Whether a reply without a value at `contexts` is a fault."""

    @classmethod
    def of(cls, config: EvaluationConfig) -> Self | None:
        """Return the paths in the settings; `None` if there are none."""
        if config.answer_path is None and config.contexts_path is None:
            return None
        return cls(answer=config.answer_path or "answer", contexts=config.contexts_path)

    def __post_init__(self) -> None:
        for name, path in (("answer_path", self.answer), ("contexts_path", self.contexts)):
            try:
                jsonpath.compile("$" if path is None else path)
            except jsonpath.JSONPathError as error:
                problem = str(error).splitlines()[0]
                raise ConfigError(f"{name}: {path!r} is not a JSON path ({problem})") from error

    def read(self, value: object) -> Answer:
        """Return the first answer that is not null; raise `MisfitFault` if nothing matches."""
        if not (matches := find(self.answer, value)):
            raise _missed("answer_path", self.answer, value)
        answer = next((match for match in matches if match is not None), None)
        return Answer(text=answer_text(answer), contexts=self._contexts(value))

    def _contexts(self, value: object) -> tuple[Context, ...]:
        if self.contexts is None:
            return ()
        matches = find(self.contexts, value)
        before, every, _ = self.contexts.partition("[*]")
        is_empty_list = bool(every) and find(before, value) == [[]]
        if not matches and self.contexts_required and not is_empty_list:
            raise _missed("contexts_path", self.contexts, value)
        if len(matches) == 1 and not isinstance(matches[0], str | Mapping):
            return contexts(matches[0])
        return contexts(matches)


def sole_answer(value: object) -> Paths:
    """Return the path `answer`; raise `MisfitFault` if several fields may be the answer."""
    if isinstance(value, Mapping):
        candidates = [key for key in _ANSWER_KEYS if isinstance(value.get(key), str)]
        if len(candidates) > 1:
            raise MisfitFault(
                f"the reply has several fields that may be the answer ({', '.join(candidates)}); "
                "give --answer-path"
            )
    return Paths(answer="answer")


def answer_text(value: object) -> str:
    """Return the text of a string or chat message, empty for null; else raise `MisfitFault`."""
    if value is None:
        return ""
    text = value if isinstance(value, str) else getattr(value, "text", None)
    if not isinstance(text, str):
        raise MisfitFault(f"the answer should be a text, got {_kind(value)}")
    return str(text)


def contexts(value: object) -> tuple[Context, ...]:
    """Return passages from texts, or objects with a text; raise `MisfitFault` for other values."""
    if value is None:
        return ()
    is_single = isinstance(value, str | Mapping) or hasattr(value, "page_content")
    passages = [value] if is_single else value
    if not isinstance(passages, Sequence):
        raise MisfitFault(f"the contexts should be a list of texts, got {_kind(value)}")
    return tuple(map(_context, passages))


def _context(value: object) -> Context:
    if isinstance(value, str):
        return Context(id=None, text=value)
    text, identity = _first_part(value, _TEXT_KEYS), _first_part(value, _ID_KEYS)
    if not isinstance(text, str):
        keys = ", ".join(_TEXT_KEYS)
        raise MisfitFault(
            f"each context should be a text, or have one under {keys}; got {_kind(value)}"
        )
    name = None if identity is None else str(identity)
    return Context(id=name, text=text, heading=str(part_of(value, "heading") or ""))


def part_of(value: object, name: str, default: object = None) -> object:
    """Return a mapping's value or an object's attribute; `default` if there is none."""
    if isinstance(value, Mapping):
        return value.get(name, default)
    return getattr(value, name, default)


def _first_part(value: object, names: Sequence[str]) -> object:
    return next((part for name in names if (part := part_of(value, name)) is not None), None)


def tool_calls(value: object) -> tuple[str, ...]:
    """Return the tool calls in a reply or its events, each as `name(arguments)`.

    The formats of OpenAI, Anthropic and LangChain are known; pieces of a streamed call are joined.
    """
    calls: list[tuple[str, str]] = []
    for part in find(_TOOL_CALLS, value):
        details = part_of(part, "function", part)
        arguments = _first_part(details, ("arguments", "args", "input", "partial_json"))
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False) if arguments else ""
        if name := part_of(details, "name"):
            calls.append((str(name), arguments))
        elif calls:
            calls[-1] = (calls[-1][0], calls[-1][1] + arguments)
    return tuple(f"{name}({arguments})" for name, arguments in calls)


def find(path: str, value: object) -> list[object]:
    """Return the values at `path`; none if `value` is not a mapping or sequence."""
    if isinstance(value, str) or not isinstance(value, Mapping | Sequence):
        return []
    try:
        return list(jsonpath.compile(path).findall(value))
    except (jsonpath.JSONPathError, RecursionError) as error:
        raise MisfitFault(f"JSON path {path!r} cannot be applied to the reply") from error


def is_blocked(value: object) -> bool:
    """Return whether a filter stopped the model; raise `Fault` if its limit of tokens did."""
    reasons = stop_reasons(value)
    if reasons & CUT_OFF:
        raise Fault("the reply is cut off at the model's limit of tokens; raise the limit")
    return bool(reasons & FILTERED)


def _missed(name: str, path: str, value: object) -> MisfitFault:
    return MisfitFault(f"{name} {path!r} leads nowhere in the reply ({_kind(value)})")


def _kind(value: object) -> str:
    if isinstance(value, Mapping):
        return f"an object with {', '.join(map(str, list(value)[:10])) or 'nothing in it'}"
    names = {list: "a list", str: "a text", type(None): "null"}
    return names.get(type(value), type(value).__name__)
