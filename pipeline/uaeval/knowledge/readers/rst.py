"""Read reStructuredText with docutils; of Sphinx's directives and roles, only the text."""

import re
from typing import Final

from uaeval.knowledge.decoding import text_of
from uaeval.knowledge.markdown import plain
from uaeval.knowledge.readers.pages import markdown_of
from uaeval.knowledge.reading import Content
from uaeval.resources import shipped_table

_HEADER: Final = re.compile(r"\A\s*(?:[A-Z][\w-]*:.*\n(?:[ \t]+\S.*\n)*){2,}\n")
"""Header lines as in an e-mail, which begin a PEP."""
_TABLE: Final = shipped_table("knowledge/readers/rst.yaml")
_DIRECTIVE: Final = re.compile(
    r"^([ \t]*)\.\. ([\w:.+-]+)::[ \t]*(.*)((?:\n[ \t]+:[\w-]+:.*)*)", re.MULTILINE
)
_NAVIGATION: Final = re.compile(
    r"^( *)\.\. (?:toctree|index|currentmodule|highlight)::.*\n(?:(?:\1[ \t]+\S.*)?\n)*",
    re.MULTILINE,
)
_ROLE: Final = re.compile(r":([A-Za-z][\w:.+-]*):`([^`]+)`")
_NAMED: Final = re.compile(r"([^<]+?)\s*<[^<>]*>", re.DOTALL)


def read_rst(data: bytes) -> Content:
    """Return the text of a page, without included files."""
    from docutils.core import publish_doctree, publish_from_doctree
    from docutils.parsers.rst.languages import en

    text = text_of(data)
    header = _HEADER.match(text)
    named = re.search(r"^Title:\s*(.+)$", header[0], re.MULTILINE) if header else None
    text = text[header.end() :] if header and named else text
    text = _DIRECTIVE.sub(
        lambda match: match[0] if match[2].lower() in en.directives else _shown(match),
        _NAVIGATION.sub("\n", text),
    )
    text = _ROLE.sub(lambda match: match[0] if match[1] in en.roles else _named(match[2]), text)
    document = publish_doctree(text, settings_overrides=_TABLE["settings"])
    no_text = _TABLE["no_text"].split()
    for node in list(document.findall(lambda node: node.tagname in no_text)):
        if node.parent is not None:
            node.parent.remove(node)
    title = named[1].strip() if named else document.get("title")
    html = publish_from_doctree(document, writer="html5", settings_overrides=_TABLE["settings"])
    return Content(title or None, plain(markdown_of(html)))


def _shown(directive: re.Match[str]) -> str:
    indent, name, argument, _ = directive.groups()
    if name in _TABLE["code"].split():
        return f"{indent}.. code::\n"
    return f"{indent}{_TABLE['versions'].get(name, '')}{argument}"


def _named(text: str) -> str:
    """Return the visible text of a role: the title of `title <target>`, `b` of `~a.b`."""
    named = _NAMED.fullmatch(text)
    shown = named[1] if named else text.lstrip("!")
    return f"``{shown.rpartition('.')[2] if shown.startswith('~') else shown}``"
