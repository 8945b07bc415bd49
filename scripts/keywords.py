"""Render `uaeval/keywords.py`, the types of the settings as keyword arguments, from the models."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel

from uaeval.config import EvaluationConfig, SynthesisConfig
from uaeval.resources import PACKAGE

KEYWORDS: Final = PACKAGE / "keywords.py"
_HEAD: Final = '''"""Settings as keyword arguments, for editors and type checkers.

Written by `python -m scripts.reference` from the models in `uaeval.config`.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, TypedDict

from pydantic import JsonValue
'''
_KINDS: Final = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "path": "str | Path",
    "object": "Mapping[str, str]",
}


def keywords() -> str:
    """Return the text of the module."""
    parts = [_HEAD]
    for name, model, own in (
        ("SynthesisKeywords", SynthesisConfig, {"knowledge_base", "output"}),
        ("EvaluationKeywords", EvaluationConfig, {"dataset", "system"}),
    ):
        parts.append(_typed_dict(name, model, own))
    return "\n\n".join(parts)


def _typed_dict(name: str, model: type[BaseModel], left_out: set[str]) -> str:
    described = model.model_json_schema()["properties"]
    lines = [
        f"class {name}(TypedDict, total=False):",
        f'    """Settings of `{model.__name__}`; `None` leaves one at its default."""',
        "",
    ]
    for field in sorted(described.keys() - left_out):
        kind = " | ".join(dict.fromkeys([*_kinds(described[field]), "None"]))
        lines.append(f"    {field}: {kind}")
    return "\n".join(lines) + "\n"


def _kinds(described: Mapping[str, Any]) -> list[str]:
    if "anyOf" in described:
        return [kind for each in described["anyOf"] for kind in _kinds(each)]
    if "enum" in described:
        return [f"Literal[{', '.join(map(repr, described['enum']))}]".replace("'", '"')]
    kind = described.get("format", described.get("type"))
    if kind == "null":
        return []
    if kind == "array":
        items = described.get("items") or described["prefixItems"][0]
        return [f"Sequence[{' | '.join(_kinds(items))}]", "str"]
    return [_KINDS.get(kind, "str" if "type" in described else "JsonValue")]
