"""`junit.xml`: what a gate found, in the form that CI servers show."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from uaeval.evaluation.gate import Check
from uaeval.report.text import environment
from uaeval.storage import write_text

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, escaped or not."""


def write_junit(path: Path, evaluation: str, checks: Sequence[Check]) -> None:
    """Write one test case for each limit of the gate.

    Raises:
        StorageError: the file cannot be written.
    """
    template = environment("uaeval.report", html=True).get_template("junit.xml.jinja")
    write_text(path, _NO_XML.sub("�", template.render(evaluation=evaluation, checks=checks)) + "\n")
