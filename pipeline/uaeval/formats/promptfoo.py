"""promptfoo: a config and its tests, `llm-rubric` for what should not be answered."""

import re
from pathlib import Path

import yaml

from uaeval.formats.card_facts import facts, rubric
from uaeval.formats.dataset import Dataset
from uaeval.formats.output import text_file, write_lines
from uaeval.types import Query

CONFIG = "promptfooconfig.yaml"
TESTS = "tests.jsonl"
_TAG = re.compile(r"\{(?=[{%#])|#(?=\})")
"""What opens a tag, or ends a comment."""
_NAMES_A_FILE = re.compile(r"(?:file|package):")


def write(dataset: Dataset, place: Path) -> None:
    """Write the folder; `providers` in the config is to be set to the system under test."""
    place.mkdir(parents=True)
    config = {
        "description": "Queries that should not be answered, and their answerable twins",
        "prompts": ["{{question}}"],
        "providers": ["openai:chat:gpt-4.1-mini"],
        "tests": f"file://{TESTS}",
    }
    with text_file(place / CONFIG) as file:
        file.write("# `providers`: put the system under test here.\n")
        yaml.safe_dump(config, file, sort_keys=False, allow_unicode=True)
    write_lines(place / TESTS, (_test(query) for query in dataset))


def _test(query: Query) -> dict[str, object]:
    """Return one test; `is-refusal` is not used, as it takes empty output for a refusal."""
    if query.reference_answer is None:
        wanted = {"type": "llm-rubric", "value": escaped(rubric(query))}
    else:
        wanted = {"type": "factuality", "value": escaped(query.reference_answer)}
    return {
        "vars": {"question": escaped(query.question)},
        "assert": [wanted],
        "metadata": facts(query),
    }


def escaped(text: str) -> str:
    """Return a template that promptfoo renders to `text`, whatever `text` holds.

    What opens a tag or ends a comment is written as an expression; so are a last line end, which
    would be dropped, and a beginning that would make promptfoo load a file.
    """
    template = _TAG.sub(lambda found: f"{{{{ '{found[0]}' }}}}", text)
    if template.endswith("\n"):
        template = template[:-1] + "{{ '\\n' }}"
    if _NAMES_A_FILE.match(template):
        template = f"{{{{ '{template[0]}' }}}}{template[1:]}"
    return template
