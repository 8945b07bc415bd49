"""Read settings and other mappings from YAML files and from `pyproject.toml`."""

import tomllib
from collections.abc import Callable, Hashable
from pathlib import Path
from typing import Any

import yaml

from uaeval.errors import ConfigError


def read_settings(path: Path) -> dict[str, object]:
    """Read a YAML file of settings, or `[tool.uaeval]` of a TOML file.

    Raises:
        ConfigError: the file is missing, does not hold a mapping, or has a duplicate key.
    """
    if path.suffix == ".toml":
        tables = _read(path, "settings", tomllib.loads)[1]
        value = tables.get("tool", {}).get("uaeval", {})
    else:
        value = read_yaml(path, "settings")[1]
    if not isinstance(value, dict):
        raise ConfigError(f"{path} should hold `setting: value` lines")
    return with_underscores(value)


def with_underscores(mapping: dict[object, object]) -> dict[str, object]:
    """Return a mapping with `_` in place of `-` in its keys."""
    return {str(name).replace("-", "_"): setting for name, setting in mapping.items()}


class _UniqueKeyLoader(yaml.SafeLoader):
    """Loads plain YAML; a duplicate key in a mapping is an error."""

    def construct_mapping(
        self, node: yaml.MappingNode, deep: bool = False
    ) -> dict[Hashable, object]:
        seen = set[str]()
        for key, _ in node.value:
            if not isinstance(key, yaml.ScalarNode):
                problem = "a key should be a plain word"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            if key.value in seen:
                problem = f"duplicate key {key.value!r}; keep one of the two"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_yaml(path: Path, what: str) -> tuple[str, object]:
    """Return the text and the value of a YAML file; `what` describes the file in error messages.

    Raises:
        ConfigError: the file is missing or not YAML, or holds an invalid date or number.
    """
    return _read(path, what, lambda text: yaml.load(text, _UniqueKeyLoader))


def _read(path: Path, what: str, parse: Callable[[str], Any]) -> tuple[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        return text, parse(text)
    except FileNotFoundError as error:
        raise ConfigError(f"no such {what} file: {path}") from error
    except RecursionError as error:
        raise ConfigError(f"cannot read the {what} file {path}: it is nested too deeply") from error
    except (OSError, ValueError, yaml.YAMLError) as error:
        problem = " ".join(str(error).split())[:300]
        raise ConfigError(f"cannot read the {what} file {path}: {problem}") from error
