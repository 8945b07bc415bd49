"""`junit.xml`: what a gate found, in the form that CI servers show."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from uaeval.evaluation.gate import Check
from uaeval.storage import write_text

_NO_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Signs that XML 1.0 cannot hold, escaped or not."""


def write_junit(path: Path, evaluation: str, checks: Sequence[Check]) -> None:
    """Write one test case for each limit of the gate.

    Raises:
        StorageError: the file cannot be written.
    """
    failed = sum(not check.passed for check in checks)
    counts = {"tests": str(len(checks)), "failures": str(failed), "errors": "0"}
    root = Element("testsuites", counts)
    suite = SubElement(root, "testsuite", {"name": _clean(f"uaeval {evaluation}"), **counts})
    for check in checks:
        about = {"classname": _clean(f"uaeval.{evaluation}"), "name": _clean(check.limit.written)}
        case = SubElement(suite, "testcase", about)
        if check.passed:
            SubElement(case, "system-out").text = _clean(check.message)
        else:
            failure = SubElement(
                case, "failure", {"message": _clean(check.message), "type": "limit"}
            )
            failure.text = _clean(check.message)
    indent(root)
    write_text(path, '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, "unicode") + "\n")


def _clean(text: str) -> str:
    return _NO_XML.sub("�", text)
