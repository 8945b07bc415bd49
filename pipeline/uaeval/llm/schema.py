"""The shape of a reply, as an endpoint is held to it: JSON schema, and short."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from uaeval.llm.replies import Reply


@cache
def reply_schema(reply_type: type[Reply]) -> dict[str, object]:
    """Return the JSON schema of a reply, as providers' strict mode wants it.

    Every reply forbids unknown keys and has no defaults, so that `additionalProperties` is false
    and all properties are required without further ado. Titles and descriptions are left out:
    the prompts say what is meant, and a provider counts the schema's tokens on every call. For the
    same reason each definition stands where it is used; no reply holds another of its own kind.
    """
    schema = reply_type.model_json_schema()
    short = _shortened(schema, schema.get("$defs", {}))
    assert isinstance(short, dict)
    return short


def _shortened(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Put definitions where they are referred to, and leave titles and descriptions out."""
    if isinstance(schema, list):
        return [_shortened(part, definitions) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _shortened(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    return {
        key: {name: _shortened(field, definitions) for name, field in part.items()}
        if key == "properties"
        else _shortened(part, definitions)
        for key, part in schema.items()
        if key not in {"title", "description", "$defs"}
    }


@cache
def reply_format(reply_type: type[Reply]) -> dict[str, object]:
    """Return OpenAI's `response_format` that makes an endpoint reply in this shape."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", reply_type.__name__).strip("_")[:64]
    schema = {"name": name, "strict": True, "schema": reply_schema(reply_type)}
    return {"type": "json_schema", "json_schema": schema}
