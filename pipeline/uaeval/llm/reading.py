"""Reading a model's text strictly: one JSON object of the shape that was asked for, or an error.

Tolerated is only what can mean one thing: a think block before the object, a fence or prose
round it, a label in another case, `"3"` for a number, `1`, `"1"`, `"yes"` or `"true"` where a truth
is asked for. Plain text is read only for replies that name a `plain_field`, and only if nothing in
it looks like JSON.
"""

import json
import re
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

_KEPT: Final = 200
"""How many characters of an unreadable reply an error keeps."""

_THINKING = re.compile(r"\A\s*(?:<think(?:ing)?>.*?</think(?:ing)?>\s*)+", re.DOTALL)
_OPEN_THINKING = re.compile(r"\A\s*<think(?:ing)?>")
_THOUGHT_BEFORE = re.compile(r"\A[^{}]*?</think(?:ing)?>", re.DOTALL)
_BRACKET = re.compile(r"[{\[]")
_LOOKS_LIKE_JSON = re.compile(r'\{\s*["}]|\{\s*\Z|\[\s*\{')
_NOT_PLAIN = re.compile(
    r"""\{\s*(?:["'}]|\w+\s*:|\Z)|\[\s*\{|\A(?:null|true|false|\[.*\])\Z""", re.DOTALL
)
_INTEGER = re.compile(r"[+-]?\d{1,18}")
_BOOLEANS = {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}


def read_reply(text: str, reply_type: type[R], *, cut_off: bool = False) -> R:
    """Read the one JSON object in `text` as a `reply_type`.

    Raises:
        ReplyError: there is no such object, there are several, it does not fit, or the text was
            `cut_off`. The message names what is wrong and keeps the first characters of the text.
    """
    if cut_off:
        problem = "the reply was cut off at the token limit; raise that of the endpoint"
        raise ReplyError(f"{problem} ({redact(text)[:_KEPT]!r})", raw=text)
    try:
        said = text.strip("\ufeff \t\r\n")
        content = _as_plain(said, reply_type) or _find_object(said)
        return _validated(content, reply_type)
    except ValidationError as error:
        problem = "; ".join(_explain(error))
    except (ValueError, RecursionError) as error:
        problem = str(error) or type(error).__name__
    raise ReplyError(f"{problem} (the reply: {_beginning(text)})", raw=text)


def repair_order(problem: str) -> str:
    """Return the message that asks a model, once, to repair a reply."""
    return (
        f"Your reply could not be used: {problem}\n"
        "Answer the same request again. Give the complete reply as one JSON object of the shape "
        "that was asked for, and nothing before or after it."
    )


def reply_type_named(name: str) -> type[Reply]:
    """Return the reply type of this `__name__`, for example `Written[NonsensicalDraft]`."""
    for group in GROUPS:
        plugins(group)  # their types are subclasses of `Reply` once they are loaded
    of_categories = (kind for spec in categories() for kind in spec.reply_types)
    own = (Written[CompletionDraft], *vars(replies).values())
    for kind in (*of_categories, *own, *Reply.__subclasses__()):
        if isinstance(kind, type) and issubclass(kind, Reply) and kind.__name__ == name:
            return kind
    raise StorageError(
        f"unknown reply type {name}; use the version of uaeval that made the request"
    )


# --- finding the object -------------------------------------------------------------------------


def _as_plain(text: str, reply_type: type[Reply]) -> dict[str, object] | None:
    """Return a plain text as the object that holds it in its field; `None` if it is not plain."""
    if reply_type.plain_field is None:
        return None
    said = _without_thinking(text).strip()
    if not said or _NOT_PLAIN.search(said):
        return None
    empty: dict[str, object] = dict.fromkeys(reply_type.model_fields, "")
    return empty | {reply_type.plain_field: said}


def _find_object(text: str) -> dict[str, object]:
    """Return the only JSON object in `text`; `ValueError` says why there is none."""
    if not text:
        raise ValueError("the reply is empty")
    candidates = list(_objects(_without_thinking(text)))
    distinct = [each for n, each in enumerate(candidates) if each not in candidates[:n]]
    if not distinct:
        raise ValueError("there is no JSON object in the reply")
    if len(distinct) > 1:
        raise ValueError(f"there are {len(distinct)} different JSON objects, give exactly one")
    return distinct[0]


def _without_thinking(text: str) -> str:
    stripped = _THINKING.sub("", text, count=1)
    if _OPEN_THINKING.match(stripped):
        raise ValueError("the reply ends inside its think block")
    return _THOUGHT_BEFORE.sub("", stripped, count=1)


def _objects(text: str) -> Iterable[dict[str, object]]:
    """Yield every outermost JSON object; one that breaks off is an error, not a smaller one."""
    position = 0
    while bracket := _BRACKET.search(text, position):
        position = bracket.start()
        if not _LOOKS_LIKE_JSON.match(text, position) and text[position] == "{":
            position += 1
            continue
        value, end = _decode(text, position)
        if isinstance(value, dict):
            yield value
        position = end


def _decode(text: str, start: int) -> tuple[object, int]:
    """Decode the JSON value at `start`; a bracket of prose is stepped over."""
    try:
        return _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        if _LOOKS_LIKE_JSON.match(text, start):
            raise ValueError(f"the JSON is broken: {error.msg} at character {error.pos}") from error
        return None, start + 1


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f"the key {key!r} stands twice in one object")
    return dict(pairs)


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)


# --- what can mean one thing only ---------------------------------------------------------------


def _validated(content: dict[str, Any], reply_type: type[R]) -> R:
    """Return `content` as a reply; values that can mean one thing only are corrected first."""
    try:
        return reply_type.model_validate_json(json.dumps(content), strict=True)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            if correct := _CORRECTIONS.get(detail["type"]):
                *path, last = detail["loc"]
                place: Any = content
                with suppress(LookupError, TypeError):  # a union adds what is no key
                    for key in path:
                        place = place[key]
                    place[last] = correct(detail)
    return reply_type.model_validate_json(json.dumps(content), strict=True)


def _label(error: ErrorDetails) -> object:
    value, offered = error["input"], re.findall(r"'([^']*)'", error["ctx"]["expected"])
    truth = _boolean(error) if {"yes", "no"} <= set(offered) else None
    if isinstance(truth, bool):
        return "yes" if truth else "no"
    if not isinstance(value, str):
        return value
    fitting = [label for label in offered if _plain(label) == _plain(value)]
    return fitting[0] if len(fitting) == 1 else value


def _plain(label: str) -> str:
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


# --- saying what is wrong -----------------------------------------------------------------------


def _explain(error: ValidationError) -> Iterable[str]:
    for detail in error.errors(include_url=False):
        place = ".".join(str(part) for part in detail["loc"]) or "the reply"
        given = detail["input"]
        shown = f", got {_beginning(given, 60)}" if isinstance(given, str | int | float) else ""
        yield f"{place}: {detail['msg'][:300]}{shown}"


def _beginning(text: object, length: int = _KEPT) -> str:
    text = redact(text) if isinstance(text, str) else text
    shown = repr(text[:length] if isinstance(text, str) else text)
    return f"{shown}…" if isinstance(text, str) and len(text) > length else shown
