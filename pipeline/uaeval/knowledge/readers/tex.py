"""Read LaTeX as Markdown: headings, lists, tables and code; of other commands, only the text."""

import re
from typing import Final
from unicodedata import normalize

from uaeval.knowledge.decoding import text_of
from uaeval.knowledge.markdown import plain
from uaeval.knowledge.reading import Content
from uaeval.resources import shipped_table

_CODE: Final = re.compile(
    r"\\begin\{(verbatim\*?|Verbatim|lstlisting|minted|alltt)\}(?:\[[^\]\n]*\])?(?:\{\w+\})?\n?"
    r"((?:(?!\\begin\{\1\}).)*?)\\end\{\1\}|\\(?:verb\*?|lstinline)([^\w\s*{])(.{0,500}?)\3",
    re.DOTALL,
)
_REMOVED: Final = re.compile(
    r"(?<!\\)%.*\n?|\\begin\{(thebib\w+|tikz\w+)\}[\s\S]*?(?:\\end\{\1\}|\Z)"
)
_TITLE: Final = re.compile(r"\\title\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_ARGUMENTS: Final = re.compile(r"(\\begin\{[\w*]+\})(?:\[[^\]\n]{0,500}\])?(?:\{[^{}\n]*\})*")
_MATH: Final = re.compile(
    r"(?<!\\)\$[^$]+\$|\\\[(?:(?!\\\[).){0,2000}?\\\]|\\\((?:(?!\\\().){0,2000}?\\\)", re.DOTALL
)
_COMMAND: Final = re.compile(
    r"\\(?!begin\b|end\b)([a-zA-Z]+)\*?[ \t]*(?:\[[^\[\]]*\])?\{([^{}]*)\}(?:\{([^{}]*)\})?"
    r"|([\^_])\{([^{}]*)\}|(?<![\\\]}*^_\w])\{([^{}]*)\}"
)
_COMMANDS: Final = shipped_table("knowledge/readers/tex.yaml")
_SYMBOL: Final = re.compile(
    rf"\\({'|'.join(_COMMANDS['symbols'])})(?:\{{\}}|(?![a-zA-Z])[ \t]*)"
    r"|(?<!\\)\\(?:([`'^~=.\"])|([uvHck])(?=[ {])) ?(?:\{\\?([a-zA-Z])\}|\\?([a-zA-Z]))"
)
"""A command for a character, or an accent and its letter."""
_TABLE: Final = re.compile(
    r"\\begin\{(tabular[xy*]?|longtable)\}((?:(?!\\begin\{\1\}).)*?)\\end\{\1\}", re.DOTALL
)
_LIST: Final = re.compile(r"\\(begin|end)\{(itemize|enumerate|description)\}|\n?[ \t]*\\item\b ?")


def read_tex(data: bytes) -> Content:
    """Return the text of a document, without included files, citations and pictures."""
    kept: list[str] = []

    def hold(match: re.Match[str]) -> str:
        kept.append(f"`{match[4]}`" if match[3] else f"\n\n~~~~~~\n{match[2]}\n~~~~~~\n\n")
        return f"\x01{len(kept) - 1}\x01"

    text = _REMOVED.sub("", _CODE.sub(hold, text_of(data).replace("\x01", "")))
    title = _TITLE.search(text)
    body = (text.partition("\\begin{document}")[2] or text).partition("\\end{document}")[0]
    body = re.sub("\x01(\\d+)\x01", lambda match: kept[int(match[1])], _markdown(body))
    return Content(plain(_markdown(title[1])) if title else None, plain(body))


def _character(match: re.Match[str]) -> str:
    symbol, sign, name, grouped, letter = match.groups()
    accented = (grouped or letter or "") + _COMMANDS["accents"].get(sign or name, "")
    return _COMMANDS["symbols"][symbol] if symbol else normalize("NFC", accented)


def _markdown(text: str) -> str:
    text = _SYMBOL.sub(_character, text)
    text = _MATH.sub(lambda math: re.sub(r"\\([a-zA-Z]+)(?![a-zA-Z{\[])", r" \1 ", math[0]), text)
    text = re.sub(r"\\item\s*\[([^\]]{0,500})\]", r"\\item \1: ", _ARGUMENTS.sub(r"\1", text))
    for _ in range(12):  # the innermost commands first; deeper nesting does not occur
        text = _COMMAND.sub(_shown, text)
    lists: list[str] = []

    def item(match: re.Match[str]) -> str:
        if match[1] == "begin":
            lists.append("1." if match[2] == "enumerate" else "-")
        elif match[1]:
            del lists[-1:]
        return "\n\n" if match[1] else "\n" + "   " * (len(lists) - 1) + f"{(lists or ['-'])[-1]} "

    text = _LIST.sub(item, _TABLE.sub(_table, text))
    for pattern, shown in _COMMANDS["marks"]:
        text = re.sub(pattern, shown, text, flags=re.MULTILINE)
    return text


def _shown(match: re.Match[str]) -> str:
    name, first, second, power, raised, group = match.groups()
    if power:
        return f"<sup>{raised}</sup>" if power == "^" else f"<sub>{raised}</sub>"
    if name is None or name in _COMMANDS["no_text"].split():
        return group or ""
    if level := _COMMANDS["levels"].get(name):
        return f"\n\n{'#' * level} {' '.join(first.split())}\n\n{second or ''}"
    if name in ("frac", "href", "textcolor"):
        return f"({first})/({second})" if name == "frac" else second or first
    return f" ({first})" if name == "footnote" else first + (second or "")


def _table(match: re.Match[str]) -> str:
    lines = (re.sub(r"\\[a-z]+", "", " ".join(row.split())) for row in match[2].split("\\\\"))
    first, *rest = [re.sub(r"(?<!\\)&", " | ", line) for line in lines if line.strip()] or [""]
    rule = "|".join([":-"] * (first.count(" | ") + 1))
    return "\n\n" + "\n".join(f"|{row}|" for row in (first, rule, *rest)) + "\n\n"
