"""The stop reasons of OpenAI, Anthropic, Gemini, Mistral, Cohere, Bedrock and Ollama."""

import re
from collections.abc import Mapping
from typing import Final

from uaeval.resources import shipped_table

_NAMES: Final = frozenset({"finish_reason", "finishReason", "stop_reason", "done_reason"})
_METADATA: Final = ("response_metadata", "meta")
"""Attributes with metadata of the messages of LangChain and Haystack."""
_TABLE: Final = shipped_table("llm/stop_reasons.yaml")
CUT_OFF: Final[frozenset[str]] = frozenset(_TABLE["cut_off"].split())
"""Reasons that say that a token limit cut the model's text off."""
FILTERED: Final[frozenset[str]] = frozenset(_TABLE["filtered"].split())
"""Reasons that say that a content filter stopped the model."""


def stop_reasons(value: object) -> frozenset[str]:
    """Return all stop reasons, in lower case, anywhere in a reply, its metadata or a message."""
    reasons: set[str] = set()
    seen: set[int] = set()
    to_visit = [value]
    while to_visit:
        part = to_visit.pop()
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, Mapping):
            found = [part[name] for name in _NAMES & part.keys()]
            # OpenAI's Responses API
            if isinstance(details := part.get("incomplete_details"), Mapping):
                found.append(details.get("reason"))
            reasons |= {str(reason).rpartition(".")[2].lower() for reason in found if reason}
            to_visit.extend(part.values())
        elif isinstance(part, list | tuple):
            to_visit.extend(part)
        elif not isinstance(part, str | bytes):
            metadata = (getattr(part, name, None) for name in _METADATA)
            to_visit.extend(value for value in metadata if isinstance(value, Mapping))
    return frozenset(reasons)


def names_content_filter(text: str) -> bool:
    """Return whether an error's text names a provider's content filter."""
    return re.search(_TABLE["content_filter"], text, re.IGNORECASE) is not None
