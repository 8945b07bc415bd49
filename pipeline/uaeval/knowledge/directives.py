"""Turn the directives of site generators into usual Markdown: includes, tags, boxes, components."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from uaeval.knowledge.decoding import decode
from uaeval.knowledge.reading import UnusableFile
from uaeval.resources import shipped_table

_INCLUDE: Final = re.compile(
    r"(?<!\\)\{\{\s*#(?:include|rustdoc_include|playground|playpen)\s+([^\s{}]+)[^{}]*\}\}"
)
_ANCHOR: Final = re.compile(r"ANCHOR(_END)?:\s*([\w-]+)")
_LARGEST: Final = 1_000_000
_RAW = re.compile(r"\{%-?\s*raw\s*-?%\}(.*?)\{%-?\s*endraw\s*-?%\}", re.DOTALL)
_COMMENT = re.compile(
    r"\{%-?\s*comment\b(?:(?!\{%|%\}).)*+%\}.*?\{%-?\s*endcomment\s*-?%\}", re.DOTALL
)
_CODE = re.compile(
    r"^([ \t]*)(`{3,}|~{3,}).*?(?:^[ \t]*\2[`~]*[ \t]*$|\Z)|(`+)(?!`).+?(?<!`)\3(?!`)",
    re.DOTALL | re.MULTILINE,
)
_BLOCK = r"\{%(?:(?!\{%|%\}).)*+%\}"
_OUTPUT = r"\{\{(?:(?!\{\{|\}\}).)*+\}\}"
_TAG = rf"(?:{_BLOCK}|{_OUTPUT})"
"""A tag without another tag inside, so that matching takes linear time."""
_DESTINATION = re.compile(
    rf"(?<=\]\()\s{{0,9}}[^()\s{{]{{0,500}}{_TAG}[^)\n]{{0,500}}+(?=\))", re.DOTALL
)
_DEFINITION = re.compile(rf"^([ ]{{0,3}}\[[^\]\n]+\]:)\s*[^\s{{]*{_TAG}\S*[ \t]*$", re.MULTILINE)
_ATTRIBUTE = re.compile(rf"=\s*(['\"])[^'\"<>{{]{{0,500}}{_TAG}.{{0,500}}?\1(?=[\s>/])", re.DOTALL)
_ALONE = re.compile(r"\{%-?\s*(?P<name>\w+)(?P<rest>(?:(?!\{%|%\}).)*?)-?%\}", re.DOTALL)
_LITERAL = re.compile(r"\{\{-?\s*(?:\"([^\"\n]*)\"|'([^'\n]*)')\s*-?\}\}")
_QUOTED = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)')\s*,?\s*")
_WORDS = re.compile(r"[^/\\{}<>=]*[^\W_][^/\\{}<>=]*")
_NOT_TEXT = re.compile(
    r"include|render|image|img|figure|video|audio|icon|link|url|page|post|download|asset|file"
    r"|layout|block|extends|import|load|static|highlight|set|assign|if|case|when|for|alert|toc",
)
_PLACEHOLDER = re.compile("\ue000(\\d+)\ue001")
_INDENTED, _OTHER = map(re.compile, shipped_table("knowledge/directives.yaml").values())
_FENCE: Final = re.compile(r"(?:[> ]|[-*+] |\d{1,9}[.)] )*(`{3,}(?=[^`]*$)|~{3,})")
_COMPONENT: Final = re.compile(r"^(\s*)</?([A-Z]\w*)\b[^<>]*>|</([A-Z]\w*)>\s*$")
_ALERT: Final = re.compile(r"^(\s*(?:>\s?)+)\[!\w+\][+-]?")


def resolve_includes(data: bytes, folder: Path, root: Path) -> bytes:
    """Return a file of `folder` in which the lines of included files replace the directives.

    A directive is removed if its file is not below `root` or cannot be read. Directives in included
    files are removed too. Raises `UnusableFile` if the file is not text.
    """
    if b"{{" not in data:
        return data
    text = _INCLUDE.sub(lambda match: _included(match[1], folder, root.resolve()), decode(data))
    return text.encode("utf-8", "replace")


def _included(address: str, folder: Path, root: Path) -> str:
    name, *part = address.split(":")
    path = (folder / name).resolve()
    try:
        if not (path.is_relative_to(root) and path.is_file() and path.stat().st_size <= _LARGEST):
            return ""
        lines = decode(path.read_bytes()).splitlines()
    except (OSError, UnusableFile):
        return ""
    text = "\n".join(line for line in _selected(lines, part) if not _ANCHOR.search(line))
    return _INCLUDE.sub("", text)


def _selected(lines: list[str], part: list[str]) -> list[str]:
    """Return all lines, those in a range of numbers, or those between the anchors of a name."""
    if not part:
        return lines
    if all(re.fullmatch(r"\d{0,9}", number) for number in part):
        first, last = part[0], part[1] if len(part) > 1 else part[0]
        return lines[int(first or 1) - 1 : int(last or len(lines))]
    anchors = (_ANCHOR.search(line) for line in lines)
    numbers = [number for number, anchor in enumerate(anchors) if anchor and anchor[2] == part[0]]
    return lines[numbers[0] : numbers[-1]] if numbers else []


def untemplated(markdown: str) -> str:
    """Return Markdown without tags; `{% channel "help" %}` and similar tags leave their name.

    Tags in code, or between `raw` and `endraw`, are part of the text and are kept.
    """
    if "{%" not in markdown and "{{" not in markdown:
        return markdown
    kept: list[str] = []
    markdown = re.sub("[\ue000\ue001]", "", markdown)
    markdown = markdown.replace("{{%", "{{<").replace("%}}", ">}}")

    def hold(text: str) -> str:
        kept.append(text)
        return f"\ue000{len(kept) - 1}\ue001"

    text = _closed(_RAW, lambda match: hold(match[1]), "endraw", markdown)
    text = _LITERAL.sub(lambda match: hold(match[1] or match[2] or ""), text)
    text = _closed(_COMMENT, lambda match: "", "endcomment", text)
    text = _CODE.sub(lambda match: hold(match[0]), text)
    text = _DESTINATION.sub("#", text)
    text = _DEFINITION.sub(r"\1 #", text)
    text = _ATTRIBUTE.sub('="#"', text)
    blocks = set(re.findall(r"\{%-?\s*end(\w+)", text))
    text = _ALONE.sub(lambda match: _shown(match["name"], match["rest"], blocks), text)
    text = re.sub(_OUTPUT, "", text, flags=re.DOTALL)
    while _PLACEHOLDER.search(text):
        text = _PLACEHOLDER.sub(lambda match: kept[int(match[1])], text)
    return text


def _closed(
    pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str], end: str, text: str
) -> str:
    """Replace matches of `pattern` up to the last `end`; searching beyond it would waste time."""
    last = text.rfind("%}", 0, text.find("%}", text.rfind(end)) + 2) + 2 if end in text else 0
    return pattern.sub(replace, text[:last]) + text[last:]


def _shown(name: str, rest: str, blocks: set[str]) -> str:
    arguments: list[str] = [double or single for double, single in _QUOTED.findall(rest)]
    only_quoted = not _QUOTED.sub("", rest).strip()
    if not arguments or not only_quoted or name in blocks or not _WORDS.fullmatch(arguments[0]):
        return ""
    if "channel" in name:
        return "#" + arguments[0].lstrip("#")
    return "" if _NOT_TEXT.match(name) else arguments[0]


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
