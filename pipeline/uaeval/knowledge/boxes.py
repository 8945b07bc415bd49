"""Turn boxes, tabs and components of site generators into usual Markdown."""

import re
from collections.abc import Iterator
from typing import Final

from uaeval.resources import shipped_table

_INDENTED, _OTHER = map(re.compile, shipped_table("knowledge/boxes.yaml").values())
_FENCE: Final = re.compile(r"(?:[> ]|[-*+] |\d{1,9}[.)] )*(`{3,}(?=[^`]*$)|~{3,})")
_COMPONENT: Final = re.compile(r"^(\s*)</?([A-Z]\w*)\b[^<>]*>|</([A-Z]\w*)>\s*$")
_ALERT: Final = re.compile(r"^(\s*(?:>\s?)+)\[!\w+\][+-]?")


def unboxed(markdown: str) -> Iterator[str]:
    """Yield the lines of Markdown; the text of boxes, tabs and components is no code."""
    components = {*re.findall(r"</([A-Z]\w*)>", markdown)}
    boxes, fence = list[int](), ""
    for whole in markdown.split("\n"):
        indent = len(whole) - len(whole.lstrip())
        while boxes and whole.strip() and not fence and indent <= boxes[-1]:
            boxes.pop()
        line = whole[min(indent, 4 * len(boxes)) :]
        if fence:
            fence = fence if line.strip("> ").strip(fence[0]) or fence not in line else ""
        elif opened := _FENCE.match(line):
            fence = opened[1]
        elif box := _INDENTED.fullmatch(line.strip()) or _OTHER.fullmatch(line.strip()):
            boxes += [indent] if box.re is _INDENTED else []
            yield ""
            line = "".join(filter(None, box.groups())) + "\n"
        elif not line.startswith("    "):
            line = _COMPONENT.sub(
                lambda tag: (tag[1] or "") if (tag[2] or tag[3]) in components else tag[0], line
            )
            line = _ALERT.sub(r"\1", line)
        yield line
