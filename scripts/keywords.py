"""Render `config/keywords.pyi`, the types of the settings as keyword arguments, from the models."""

from collections.abc import Mapping
from typing import Any, Final

from pydantic import BaseModel

from uaeval.config import EvaluationConfig, SynthesisConfig
from uaeval.resources import PACKAGE

KEYWORDS: Final = PACKAGE / "config" / "keywords.pyi"
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
    synthesis = _types(SynthesisConfig, {"knowledge_base", "output"})
    evaluation = _types(EvaluationConfig, {"dataset", "system"})
    shared = {name: kind for name, kind in synthesis.items() if evaluation.get(name) == kind}
    base = "SharedKeywords(TypedDict, total=False)"
    parts = [_HEAD, _typed_dict(base, "Settings of both, in the same form", shared)]
    for model, types in ((SynthesisConfig, synthesis), (EvaluationConfig, evaluation)):
        own = {name: kind for name, kind in types.items() if name not in shared}
        name = model.__name__.replace("Config", "Keywords")
        head = f"{name}(SharedKeywords, total=False)"
        parts.append(_typed_dict(head, f"Settings of `{model.__name__}`", own))
    return "\n".join(parts)


def _types(model: type[BaseModel], left_out: set[str]) -> dict[str, str]:
    described = model.model_json_schema()["properties"]
    return {
        name: " | ".join(dict.fromkeys([*_kinds(described[name]), "None"]))
        for name in sorted(described.keys() - left_out)
    }


def _typed_dict(head: str, what: str, types: Mapping[str, str]) -> str:
    fields = (f"    {name}: {kind}" for name, kind in types.items())
    text = f'    """{what}; `None` leaves one at its default."""'
    return "\n".join([f"class {head}:", text, "", *fields]) + "\n"


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
