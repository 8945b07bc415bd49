"""promptfoo: a config and its tests, with an `llm-rubric` for each query."""

import re

from uaeval.formats.dataset import Dataset
from uaeval.formats.facts import facts, rubric
from uaeval.formats.format import Format
from uaeval.formats.output import lines_of
from uaeval.formats.tool_folder import tool_folder
from uaeval.records import Query

_TAG = re.compile(r"\{(?=[{%#])|#(?=\})")
"""The beginning of a tag, or the end of a comment."""
_NAMES_A_FILE = re.compile(r"(?:file|package):")


def _test(query: Query, dataset: Dataset) -> dict[str, object]:
    """Return one test, without `is-refusal`, which takes empty output for a refusal."""
    metric = "answerable" if query.answerable else "unanswerable"
    return {
        "vars": {"question": escaped(query.question)},
        "assert": [{"type": "llm-rubric", "metric": metric, "value": escaped(rubric(query))}],
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
    purpose="promptfoo: `promptfoo eval`, an `llm-rubric` for each query; needs Node 22.22",
    loses=(
        "evidence, checks and passages; set `providers` to the system under test. Its OpenAI "
        "provider takes a question that begins with `{` or `[` for JSON"
    ),
    write=tool_folder("promptfoo", "tests.jsonl", lines_of(_test)),
    folder=True,
)
