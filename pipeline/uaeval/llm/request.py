"""A question to a model, and the key under which its reply is kept."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from uaeval.llm.parameters import Parameters
from uaeval.llm.replies import Reply
from uaeval.prompts import Field, Prompt, as_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One question to one model. Equal questions have equal keys."""

    key: str
    model: str
    prompt: str
    reply_type: type[Reply]


def make_request(
    model: str,
    parameters: Parameters,
    prompt: Prompt,
    reply_type: type[Reply],
    fields: Mapping[str, Field],
) -> Request:
    """Name the question by everything that its answer depends on."""
    prompt.check(fields)
    identity = {
        "model": model,
        "parameters": parameters.as_record(),
        "prompt": prompt.name,
        "prompt_sha256": prompt.sha256,
        "reply_type": reply_type.__name__,
        "fields": {name: as_text(value) for name, value in fields.items()},
    }
    canonical = json.dumps(identity, sort_keys=True, separators=(",", ":"))
    return Request(
        key=hashlib.sha256(canonical.encode()).hexdigest(),
        model=model,
        prompt=prompt.name,
        reply_type=reply_type,
    )
