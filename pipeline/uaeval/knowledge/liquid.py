"""Take template tags (`{% … %}`, `{{ … }}`) out of Markdown, leaving what they would show."""

import re
from collections.abc import Callable

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
"""A tag; one that another opens within is none, so that each sign is looked at only once."""
_DESTINATION = re.compile(
    rf"(?<=\]\()\s{{0,9}}[^()\s{{]{{0,500}}{_TAG}[^)\n]{{0,500}}+(?=\))", re.DOTALL
)
_DEFINITION = re.compile(rf"^([ ]{{0,3}}\[[^\]\n]+\]:)\s*[^\s{{]*{_TAG}\S*[ \t]*$", re.MULTILINE)
_ATTRIBUTE = re.compile(rf"=\s*(['\"])[^'\"<>{{]{{0,500}}{_TAG}.{{0,500}}?\1(?=[\s>/])", re.DOTALL)
_ALONE = re.compile(r"\{%-?\s*(?P<name>\w+)(?P<rest>(?:(?!\{%|%\}).)*?)-?%\}", re.DOTALL)
_LITERAL = re.compile(r"\{\{-?\s*(?:\"([^\"\n]*)\"|'([^'\n]*)')\s*-?\}\}")
_SHOWN = re.compile(_OUTPUT, re.DOTALL)
_QUOTED = re.compile(r"\s*(?:\"([^\"]*)\"|'([^']*)')\s*,?\s*")
_WORDS = re.compile(r"[^/\\{}<>=]*[^\W_][^/\\{}<>=]*")
_NOT_TEXT = re.compile(
    r"include|render|image|img|figure|video|audio|icon|link|url|page|post|download|asset|file"
    r"|layout|block|extends|import|load|static|highlight|set|assign|if|case|when|for|alert|toc",
)
_HELD = "\ue000{}\ue001"
_MARKS = re.compile("[\ue000\ue001]")
_HOLD = re.compile("\ue000(\\d+)\ue001")


def untemplated(markdown: str) -> str:
    """Remove the tags; a tag that only names a thing (`{% channel "help" %}`) leaves its name.

    What stands in code, or between `raw` and `endraw`, is there to be read and is kept.
    """
    if "{%" not in markdown and "{{" not in markdown:
        return markdown
    held: list[str] = []
    markdown = _MARKS.sub("", markdown)

    def hold(text: str) -> str:
        held.append(text)
        return _HELD.format(len(held) - 1)

    text = _closed(_RAW, lambda match: hold(match[1]), "endraw", markdown)
    text = _LITERAL.sub(lambda match: hold(match[1] or match[2] or ""), text)
    text = _closed(_COMMENT, lambda match: "", "endcomment", text)
    text = _CODE.sub(lambda match: hold(match[0]), text)
    text = _DESTINATION.sub("#", text)
    text = _DEFINITION.sub(r"\1 #", text)
    text = _ATTRIBUTE.sub('="#"', text)
    blocks = set(re.findall(r"\{%-?\s*end(\w+)", text))
    text = _ALONE.sub(lambda match: _shown(match["name"], match["rest"], blocks), text)
    text = _SHOWN.sub("", text)
    while _HOLD.search(text):
        text = _HOLD.sub(lambda match: held[int(match[1])], text)
    return text


def _closed(
    pattern: re.Pattern[str], replace: Callable[[re.Match[str]], str], end: str, text: str
) -> str:
    """Replace what `pattern` finds up to the last `end`: beyond, each start is searched in vain."""
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
