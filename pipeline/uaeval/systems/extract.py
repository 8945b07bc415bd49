"""Finding the answer and the retrieved passages in what a system gave back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import jsonpath

from uaeval.errors import ConfigError
from uaeval.systems.attempts import MisfitFault
from uaeval.types import Context

_TEXT_KEYS: Final = ("text", "page_content", "content")
_EVERY: Final = "[*]"
_ANSWER_KEYS: Final = ("answer", "response", "reply", "output", "result", "text", "content")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """Where answer and contexts stand, as JSON paths (RFC 9535; the leading `$.` may be left out).

    Raises:
        ConfigError: a path is none.
    """

    answer: str
    contexts: str | None = None
    contexts_required: bool = True
    """Whether it is a fault if `contexts` leads nowhere."""

    def __post_init__(self) -> None:
        for name, path in (("answer_path", self.answer), ("contexts_path", self.contexts)):
            if path is not None:
                _compiled(name, path)

    def read(self, value: object) -> tuple[str, tuple[Context, ...]]:
        """Return the answer's text and the contexts; a null answer is an empty one.

        Raises:
            MisfitFault: a path leads nowhere, or to what is no text.
        """
        return answer_text(self._answer(value)), self._contexts(value)

    def _answer(self, value: object) -> object:
        found = find(self.answer, value)
        if not found:
            raise MisfitFault(_missed("answer_path", self.answer, value))
        return found[0]

    def _contexts(self, value: object) -> tuple[Context, ...]:
        if self.contexts is None:
            return ()
        found = find(self.contexts, value)
        if not found and self.contexts_required and not _is_empty_list(self.contexts, value):
            raise MisfitFault(_missed("contexts_path", self.contexts, value))
        if len(found) == 1 and not isinstance(found[0], str | Mapping):
            return contexts(found[0])
        return contexts(found)


def sole_answer(value: object) -> Paths:
    """Return the path of `answer`, if nothing else in a JSON reply may be the answer as well.

    Raises:
        MisfitFault: several of its fields may be.
    """
    if isinstance(value, Mapping):
        candidates = [key for key in _ANSWER_KEYS if isinstance(value.get(key), str)]
        if len(candidates) > 1:
            raise MisfitFault(
                f"the reply has several fields that may be the answer ({', '.join(candidates)}); "
                "give --answer-path"
            )
    return Paths(answer="answer")


def answer_text(value: object) -> str:
    """Return the text of an answer: of a string, or of a chat message; null is no text.

    Raises:
        MisfitFault: it is something else.
    """
    if value is None:
        return ""
    text = value if isinstance(value, str) else getattr(value, "text", None)
    if not isinstance(text, str):
        raise MisfitFault(f"the answer should be a text, got {_kind(value)}")
    return str(text)


def contexts(value: object) -> tuple[Context, ...]:
    """Return passages: of one text or several; each a string, or has a text, perhaps more.

    What else is taken is `id` and `heading`.

    Raises:
        MisfitFault: something else stands among them.
    """
    if value is None:
        return ()
    single = isinstance(value, str | Mapping) or hasattr(value, "page_content")
    several = [value] if single else value
    if not isinstance(several, Sequence):
        raise MisfitFault(f"the contexts should be a list of texts, got {_kind(value)}")
    return tuple(_context(each) for each in several)


def _context(value: object) -> Context:
    if isinstance(value, str):
        return Context(id=None, text=value)
    heading: object = ""
    if isinstance(value, Mapping):
        text = next((value[key] for key in _TEXT_KEYS if key in value), None)
        identity, heading = value.get("id"), value.get("heading") or ""
    else:
        text, identity = getattr(value, "page_content", None), getattr(value, "id", None)
    if not isinstance(text, str):
        keys = ", ".join(_TEXT_KEYS)
        raise MisfitFault(
            f"each context should be a text, or have one under {keys}; got {_kind(value)}"
        )
    name = None if identity is None else str(identity)
    return Context(id=name, text=text, heading=str(heading))


def _compiled(name: str, path: str) -> jsonpath.JSONPath | jsonpath.CompoundJSONPath:
    try:
        return jsonpath.compile(path)
    except jsonpath.JSONPathError as error:
        problem = str(error).splitlines()[0]
        raise ConfigError(f"{name}: {path!r} is no JSON path ({problem})") from error


def find(path: str, value: object) -> list[object]:
    """Return what `path` leads to; nothing in what has no parts."""
    if isinstance(value, str) or not isinstance(value, Mapping | Sequence):
        return []
    try:
        return list(jsonpath.compile(path).findall(value))
    except (jsonpath.JSONPathError, RecursionError) as error:
        raise MisfitFault(f"JSON path {path!r} cannot be followed in what came back") from error


def _is_empty_list(path: str, value: object) -> bool:
    """Say whether `path` goes through every element of a list that is there and has none."""
    before, every, _ = path.partition(_EVERY)
    return bool(every) and find(before, value) == [[]]


def _missed(name: str, path: str, value: object) -> str:
    return f"{name} {path!r} leads nowhere in what came back ({_kind(value)})"


def _kind(value: object) -> str:
    if isinstance(value, Mapping):
        return f"an object with {', '.join(map(str, list(value)[:10])) or 'nothing in it'}"
    return {list: "a list", str: "a text", type(None): "null"}.get(
        type(value), type(value).__name__
    )
