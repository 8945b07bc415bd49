"""The shape of a reply, as an endpoint is held to it: JSON schema, and short."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final

from uaeval.llm.replies import Reply


def reply_schema(reply_type: type[Reply]) -> dict[str, object]:
    """Return the JSON schema of a reply, as providers' strict mode wants it.

    Every reply forbids unknown keys and has no defaults, so that `additionalProperties` is false
    and all properties are required without further ado. Titles and descriptions are left out:
    the prompts say what is meant, and a provider counts the schema's tokens on every call. For the
    same reason each definition stands where it is used; no reply holds another of its own kind.
    """
    schema = reply_type.model_json_schema()
    return _bare(_inlined(schema, schema.get("$defs", {})))


def _inlined(schema: Any, definitions: Mapping[str, Any]) -> Any:
    """Put the definitions of a schema where they are referred to."""
    if isinstance(schema, list):
        return [_inlined(part, definitions) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _inlined(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    return {key: _inlined(part, definitions) for key, part in schema.items() if key != "$defs"}


def _bare(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the titles and descriptions of a schema and of the schemas in it."""
    return {
        key: _BARE[key](value) if key in _BARE else value
        for key, value in schema.items()
        if key not in {"title", "description"}
    }


_BARE: Final[Mapping[str, Callable[[Any], object]]] = {
    "properties": lambda schemas: {name: _bare(schema) for name, schema in schemas.items()},
    "items": _bare,
    "anyOf": lambda schemas: [_bare(schema) for schema in schemas],
}


@cache
def reply_format(reply_type: type[Reply]) -> dict[str, object]:
    """Return OpenAI's `response_format` that makes an endpoint reply in this shape."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", reply_type.__name__).strip("_")[:64]
    schema = {"name": name, "strict": True, "schema": reply_schema(reply_type)}
    return {"type": "json_schema", "json_schema": schema}
