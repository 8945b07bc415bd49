"""Find answer and contexts in a value of LlamaIndex, LangGraph or Haystack."""

from collections.abc import Mapping, Sequence
from typing import Final

from uaeval.systems.attempts import Fault, MisfitFault
from uaeval.systems.extract import part_of

_NOTHING_FOUND: Final = "Empty Response"
"""What LlamaIndex puts in the place of a response if there is no passage to show to the model."""


def framework_answer(value: object) -> tuple[object, object] | None:
    """Return answer and contexts in a framework's value; `None` for any other value."""
    if hasattr(value, "source_nodes") and hasattr(value, "response"):  # LlamaIndex
        if value.response == _NOTHING_FOUND and not value.source_nodes:
            message = (
                "LlamaIndex found no passage and asked no model; return what your users see then"
            )
            raise Fault(message, raw=_NOTHING_FOUND)
        return _text(value.response), value.source_nodes
    if not isinstance(value, Mapping) or "answer" in value:
        return None
    if isinstance(value.get("messages"), Sequence) and value["messages"]:  # LangGraph
        passages = (value[key] for key in ("context", "contexts", "documents") if key in value)
        message = value["messages"][-1]
        role = part_of(message, "role") or part_of(message, "type")
        if role not in ("ai", "assistant", "AIMessageChunk"):
            raise MisfitFault(f"the last of `messages` has the role {role!r}, not `ai`")
        return _text(message), next(passages, None)
    return _haystack(value)


def _haystack(value: Mapping[str, object]) -> tuple[object, object] | None:
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
    """Return the text of a message or of its content blocks; other values are not changed."""
    if isinstance(text := part_of(message, "text"), str):
        return str(text)
    if not isinstance(content := part_of(message, "content", message), list):
        return content
    blocks = (block if isinstance(block, str) else part_of(block, "text") for block in content)
    return "".join(block for block in blocks if isinstance(block, str))
