"""Recognize what RAG frameworks return: LangGraph's state, LlamaIndex and Haystack answers."""

from collections.abc import Mapping, Sequence
from typing import Final

from uaeval.systems.attempts import MisfitFault

_ASSISTANTS: Final = frozenset({"ai", "assistant", "AIMessageChunk"})
_PASSAGES: Final = ("context", "contexts", "documents")


def framework_answer(value: object) -> tuple[object, object] | None:
    """Return answer and contexts in the value of a framework; `None` for any other value.

    Raises:
        MisfitFault: the framework's value holds no answer, or several.
    """
    if hasattr(value, "source_nodes") and hasattr(value, "response"):  # LlamaIndex
        return _text(value.response), value.source_nodes
    if not isinstance(value, Mapping) or "answer" in value:
        return None
    if isinstance(value.get("messages"), Sequence) and value["messages"]:  # LangGraph
        passages = (value[name] for name in _PASSAGES if name in value)
        return _last_message(value["messages"][-1]), next(passages, None)
    return _haystack(value)


def _last_message(message: object) -> object:
    role = _part(message, "role") or _part(message, "type")
    if role not in _ASSISTANTS:
        raise MisfitFault(f"the last of `messages` has the role {role!r}, not `ai`")
    return _text(message)


def _haystack(value: Mapping[str, object]) -> tuple[object, object] | None:
    """Return the answer of a pipeline's outputs by component, or of one component."""
    components = [part for part in value.values() if isinstance(part, Mapping)] + [value]
    for name in ("answers", "replies"):
        lists = [part[name] for part in components if isinstance(part.get(name), list)]
        if not lists:
            continue
        if len(lists) > 1 or len(lists[0]) != 1:
            raise MisfitFault(f"there is more than one answer under `{name}`; give --answer-path")
        [answer] = lists[0]
        retrieved = [part["documents"] for part in components if "documents" in part]
        passages = getattr(answer, "documents", None) or (retrieved[-1] if retrieved else None)
        return getattr(answer, "data", None) or _text(answer), passages
    return None


def _text(message: object) -> object:
    """Return the text of a message, or of its content's blocks; any other value as it is."""
    text = _part(message, "text")
    if isinstance(text, str):
        return str(text)
    content = _part(message, "content", message)
    if not isinstance(content, list):
        return content
    blocks = (block if isinstance(block, str) else _part(block, "text") for block in content)
    return "".join(block for block in blocks if isinstance(block, str))


def _part(value: object, name: str, default: object = None) -> object:
    if isinstance(value, Mapping):
        return value.get(name, default)
    return getattr(value, name, default)
