"""Read reStructuredText with docutils; of Sphinx's directives and roles, only the text."""

import re
from typing import Any, Final

from docutils import nodes, utils
from docutils.core import publish_doctree, publish_from_doctree
from docutils.parsers.rst import Directive, directives, roles
from docutils.parsers.rst.languages import en
from docutils.statemachine import StringList

from uaeval.knowledge.decoding import text_of
from uaeval.knowledge.markup import text_of_html
from uaeval.knowledge.reading import Content
from uaeval.resources import shipped_table

_HEADER: Final = re.compile(r"\A\s*(?:[A-Z][\w-]*:.*\n(?:[ \t]+\S.*\n)*){2,}\n")
"""Header lines as in an e-mail, which begin a PEP."""
_TABLE: Final = shipped_table("knowledge/readers/rst.yaml")
_DIRECTIVE: Final = re.compile(r"\.\. +(?:\|[^|\n]+\| +)?([\w:.+-]+) ?::.*")
_ROLE: Final = re.compile(r":([A-Za-z][\w:.+-]*):(?=`)|(?<=`):([A-Za-z][\w:.+-]*):")
_OPTIONS: Final = re.compile(r"^[ \t]*:[\w-]+:(?: .*)?(?:\n|\Z)", re.MULTILINE)
_NAMED: Final = re.compile(r"([^<]+?)\s*<[^<>]*>", re.DOTALL)


def read_rst(data: bytes) -> Content:
    """Return the text of a page, without included files."""
    text = text_of(data)
    header = _HEADER.match(text)
    named = re.search(r"^Title:\s*(.+)$", header[0], re.MULTILINE) if header else None
    text = text[header.end() :] if header and named else text
    for name in {*map(str.lower, _DIRECTIVE.findall(text)), *_TABLE["code"].split()}:
        if name not in en.directives or name in _TABLE["code"].split():
            directives.register_directive(name, _Shown)
    for name in {(first or last).lower() for first, last in _ROLE.findall(text)} - {*en.roles}:
        roles.register_local_role(name, _role)
    document = publish_doctree(text, settings_overrides=_TABLE["settings"])
    removed = _TABLE["removed"].split()
    for node in list(document.findall(lambda node: node.tagname in removed)):
        if node.parent is not None:
            node.parent.replace(node, _refused(node))
    title = named[1].strip() if named else document.get("title")
    html = publish_from_doctree(document, writer="html5", settings_overrides=_TABLE["settings"])
    return Content(title or None, text_of_html(html))


def _refused(node: Any) -> list[Any]:
    """Return the text of a directive or of lines that docutils cannot read."""
    source = next(node.findall(nodes.literal_block), None)
    if node.tagname != "system_message" or source is None or source.astext().startswith(".. raw"):
        return []
    text = _OPTIONS.sub("", _DIRECTIVE.sub("", source.astext(), count=1)).strip("\n")
    return [nodes.literal_block(text, text)] if text.strip() else []


class _Shown(Directive):  # type: ignore[misc]
    """A directive that docutils does not have, or has with fewer options."""

    optional_arguments, final_argument_whitespace, has_content = 1, True, True

    def run(self) -> list[Any]:
        name, argument = self.name.lower(), _OPTIONS.sub("", "".join(self.arguments))
        if name in _TABLE["no_text"].split():
            return []
        if name in _TABLE["code"].split():
            code = "\n".join([argument.partition("\n")[2], *self.content]).strip("\n")
            return [nodes.literal_block(code, code)] if code else []
        if version := _TABLE["versions"].get(name):
            argument = version + argument.replace("\n", "\n   ")
        elif name in _TABLE["no_argument"].split():
            argument = argument.partition("\n")[2]
        box = nodes.container()
        for lines in (StringList(argument.split("\n"), ""), self.content):
            self.state.nested_parse(lines, self.content_offset, box, match_titles=True)
        return [box]


def _role(name: str, source: str, text: str, *_: object, **__: object) -> tuple[Any, list[Any]]:
    """Return the visible text of a role: the title of `title <target>`, `b` of `~a.b`."""
    named = _NAMED.fullmatch(text := utils.unescape(text))
    shown = named[1] if named else text.lstrip("!")
    return [nodes.literal(source, shown.rpartition(".")[2] if shown.startswith("~") else shown)], []
