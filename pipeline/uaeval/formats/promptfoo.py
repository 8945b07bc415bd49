"""promptfoo: a config and its tests, with `llm-rubric` for unanswerable queries."""

import re
from pathlib import Path

import yaml

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import facts, rubric
from uaeval.formats.format import Format
from uaeval.formats.output import text_file, write_lines
from uaeval.types import Query

CONFIG = "promptfooconfig.yaml"
TESTS = "tests.jsonl"
_TAG = re.compile(r"\{(?=[{%#])|#(?=\})")
"""The beginning of a tag, or the end of a comment."""
_NAMES_A_FILE = re.compile(r"(?:file|package):")


def write(dataset: Dataset, place: Path) -> None:
    """Write the folder; the user sets `providers` in the config to the system under test."""
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
    """Return one test, without `is-refusal`, which takes empty output for a refusal."""
    if query.reference_answer is None:
        assertion = {"type": "llm-rubric", "value": escaped(rubric(query))}
    else:
        assertion = {"type": "factuality", "value": escaped(query.reference_answer)}
    return {
        "vars": {"question": escaped(query.question)},
        "assert": [assertion],
        "metadata": facts(query),
    }


def escaped(text: str) -> str:
    """Return a template that promptfoo renders to `text`, whatever `text` holds.

    The beginning of a tag and the end of a comment are written as expressions; so are a final line
    end, which would be dropped, and a beginning that would make promptfoo load a file.
    """
    template = _TAG.sub(lambda match: f"{{{{ '{match[0]}' }}}}", text)
    if template.endswith("\n"):
        template = template[:-1] + "{{ '\\n' }}"
    if _NAMES_A_FILE.match(template):
        template = f"{{{{ '{template[0]}' }}}}{template[1:]}"
    return template


FORMAT = Format(
    name="promptfoo",
    purpose="promptfoo: `promptfooconfig.yaml` and tests; `llm-rubric`, `factuality` for twins",
    loses=(
        "evidence, checks and passages; set `providers` to the system under test. Its OpenAI "
        "provider takes a question that begins with `{` or `[` for JSON"
    ),
    write=write,
    folder=True,
)
