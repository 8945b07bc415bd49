"""Parse a model's text strictly: it holds one JSON object of the reply's schema, or is an error.

Only unambiguous deviations are accepted: a think block before the object, a fence or prose around
it, a label in another case, `"3"` for a number, and `1`, `"1"`, `"yes"` or `"true"` for a boolean.
Plain text is accepted only for replies with a `plain_field`, if nothing in it looks like JSON.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, Final, NoReturn

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from uaeval.categories.registry import categories
from uaeval.errors import ReplyError, StorageError
from uaeval.llm import replies
from uaeval.llm.model import R
from uaeval.llm.replies import CompletionDraft, Reply, Written
from uaeval.plugins import GROUPS, plugins
from uaeval.redaction import redact

_QUOTED: Final = 200
"""Characters of an unreadable reply that an error message quotes."""

_THINKING = re.compile(r"\A\s*(?:<think(?:ing)?>.*?</think(?:ing)?>\s*)+", re.DOTALL)
_OPEN_THINKING = re.compile(r"\A\s*<think(?:ing)?>")
_THOUGHT_BEFORE = re.compile(r"\A[^{}]*?</think(?:ing)?>", re.DOTALL)
_CLOSED = re.compile(r"\A.*?</think(?:ing)?>\s*", re.DOTALL)
_BRACKET = re.compile(r"[{\[]")
_LOOKS_LIKE_JSON = re.compile(r'\{\s*["}]|\{\s*\Z|\[\s*\{')
_NOT_PLAIN = re.compile(
    r"""\{\s*(?:["'}]|\w+\s*:|\Z)|\[\s*\{|\A(?:null|true|false|\[.*\])\Z""", re.DOTALL
)
_INTEGER = re.compile(r"[+-]?\d{1,18}")
_BOOLEANS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def read_reply(text: str, reply_type: type[R], *, cut_off: bool = False) -> R:
    """Return the only JSON object in `text` as a `reply_type`.

    Raise `ReplyError` if there is none, there are several, it does not fit, or the text was
    `cut_off`. The message names the problem and quotes the beginning of the text.
    """
    if cut_off:
        problem = "the reply was cut off at the token limit; raise that of the endpoint"
        raise ReplyError(f"{problem} ({redact(text)[:_QUOTED]!r})", raw=text)
    try:
        stripped = text.strip("\ufeff \t\r\n")
        return _validated(_as_plain(stripped, reply_type) or _find_object(stripped), reply_type)
    except ValidationError as error:
        problem = "; ".join(_explain(error))
    except (ValueError, RecursionError) as error:
        problem = str(error) or type(error).__name__
    raise ReplyError(f"{problem} (the reply: {_beginning(text)})", raw=text)


def repair_messages(text: str, problem: str) -> list[tuple[str, str]]:
    """Return role and content of the messages that ask a model to repair its reply `text`."""
    order = (
        f"Your reply could not be used: {problem}\n"
        "Answer the same request again. Give the complete reply as one JSON object of the shape "
        "that was asked for, and nothing before or after it."
    )
    return [("assistant", text or "(nothing)"), ("user", order)]


def reply_type_named(name: str) -> type[Reply]:
    """Return the reply type with this `__name__`, for example `Written[NonsensicalDraft]`."""
    for group in GROUPS:
        plugins(group)  # loading a plugin defines its subclasses of `Reply`
    of_categories = (kind for spec in categories() for kind in spec.reply_types)
    built_in = (Written[CompletionDraft], *vars(replies).values())
    for kind in (*of_categories, *built_in, *Reply.__subclasses__()):
        if isinstance(kind, type) and issubclass(kind, Reply) and kind.__name__ == name:
            return kind
    raise StorageError(
        f"unknown reply type {name}; use the version of uaeval that made the request"
    )


def _as_plain(text: str, reply_type: type[Reply]) -> dict[str, object] | None:
    """Return plain text as an object with the text in its `plain_field`, else `None`."""
    if reply_type.plain_field is None:
        return None
    plain = _without_thinking(text).strip()
    if not plain or _NOT_PLAIN.search(plain):
        return None
    empty: dict[str, object] = dict.fromkeys(reply_type.model_fields, "")
    return empty | {reply_type.plain_field: plain}


def _find_object(text: str) -> dict[str, object]:
    """Return the only JSON object in `text`; raise `ValueError` if there is none or several."""
    if not text:
        raise ValueError("the reply is empty")
    candidates = list(_objects(_without_thinking(text)))
    distinct = [value for n, value in enumerate(candidates) if value not in candidates[:n]]
    if not distinct:
        raise ValueError("there is no JSON object in the reply")
    if len(distinct) > 1:
        raise ValueError(f"there are {len(distinct)} different JSON objects, give exactly one")
    return distinct[0]


def _without_thinking(text: str) -> str:
    return _THOUGHT_BEFORE.sub("", _without_block(text))


def without_reasoning(text: str) -> str:
    """Return a response without the think block before it, which the prompt may have opened.

    Raises:
        ValueError: the response ends inside its think block.
    """
    stripped = _without_block(text)
    return stripped if "<think" in text else _CLOSED.sub("", stripped)


def _without_block(text: str) -> str:
    stripped = _THINKING.sub("", text)
    if _OPEN_THINKING.match(stripped):
        raise ValueError("the reply ends inside its think block")
    return stripped


def _objects(text: str) -> Iterable[dict[str, object]]:
    """Yield every outermost JSON object; raise `ValueError` for an incomplete one."""
    position = 0
    while bracket := _BRACKET.search(text, position):
        start = bracket.start()
        position, is_json = start + 1, _LOOKS_LIKE_JSON.match(text, start)
        if not is_json and text[start] == "{":
            continue  # a bracket of prose
        try:
            value, position = _DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            if is_json:
                problem = f"the JSON is broken: {error.msg} at character {error.pos}"
                raise ValueError(problem) from error
            continue
        if isinstance(value, dict):
            yield value


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    for key, count in Counter(key for key, _ in pairs).items():
        if count > 1:
            raise ValueError(f"the key {key!r} stands twice in one object")
    return dict(pairs)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


_DECODER = json.JSONDecoder(object_pairs_hook=_without_duplicates, parse_constant=_no_constant)


def _validated(content: dict[str, Any], reply_type: type[R]) -> R:
    """Return `content` as a reply; correct unambiguous values if it does not fit at once."""
    try:
        return reply_type.model_validate_json(json.dumps(content), strict=True)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            if correct := _CORRECTIONS.get(detail["type"]):
                *path, last = detail["loc"]
                place: Any = content
                with suppress(LookupError, TypeError):  # the path of a union has other parts, too
                    for key in path:
                        place = place[key]
                    place[last] = correct(detail)
    return reply_type.model_validate_json(json.dumps(content), strict=True)


def _label(error: ErrorDetails) -> object:
    value, allowed = error["input"], re.findall(r"'([^']*)'", error["ctx"]["expected"])
    if {"yes", "no"} <= set(allowed) and isinstance(boolean := _boolean(error), bool):
        return "yes" if boolean else "no"
    if not isinstance(value, str):
        return value
    equal_labels = [label for label in allowed if _normalized(label) == _normalized(value)]
    return equal_labels[0] if len(equal_labels) == 1 else value


def _normalized(label: str) -> str:
    return re.sub(r"[\s_-]+", "_", label.strip()).casefold()


def _boolean(error: ErrorDetails) -> object:
    return _BOOLEANS.get(str(error["input"]).strip().casefold(), error["input"])


def _whole_number(error: ErrorDetails) -> object:
    value = error["input"]
    if isinstance(value, str) and _INTEGER.fullmatch(value.strip()):
        return int(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


_CORRECTIONS: Final[dict[str, Callable[[ErrorDetails], object]]] = {
    "bool_type": _boolean,
    "int_type": _whole_number,
    "literal_error": _label,
}


def _explain(error: ValidationError) -> Iterable[str]:
    for detail in error.errors(include_url=False):
        place = ".".join(str(part) for part in detail["loc"]) or "the reply"
        given = detail["input"]
        shown = f", got {_beginning(given, 60)}" if isinstance(given, str | int | float) else ""
        yield f"{place}: {detail['msg'][:300]}{shown}"


def _beginning(text: object, length: int = _QUOTED) -> str:
    text = redact(text) if isinstance(text, str) else text
    shown = repr(text[:length] if isinstance(text, str) else text)
    return f"{shown}…" if isinstance(text, str) and len(text) > length else shown
