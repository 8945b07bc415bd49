"""Read YAML files of the user."""

from collections.abc import Hashable
from pathlib import Path

import yaml

from uaeval.errors import ConfigError


class _UniqueKeyLoader(yaml.SafeLoader):
    """Reads plain YAML; a duplicate key of a mapping is an error."""

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
    """Return the text of a YAML file and its value; `what` names the file in messages.

    Raises:
        ConfigError: the file is missing or not YAML, or holds an impossible date or number.
    """
    try:
        text = path.read_text(encoding="utf-8")
        return text, yaml.load(text, _UniqueKeyLoader)
    except FileNotFoundError as error:
        raise ConfigError(f"no such {what} file: {path}") from error
    except RecursionError as error:
        raise ConfigError(f"cannot read the {what} file {path}: it is nested too deeply") from error
    except (OSError, ValueError, yaml.YAMLError) as error:
        problem = " ".join(str(error).split())[:300]
        raise ConfigError(f"cannot read the {what} file {path}: {problem}") from error
