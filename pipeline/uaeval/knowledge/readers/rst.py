"""reStructuredText, by docutils; directives and roles of Sphinx leave their text."""

import re
from typing import TYPE_CHECKING, Any, Final

from uaeval.knowledge.code_lines import is_code
from uaeval.knowledge.decoding import text_of
from uaeval.knowledge.markdown import plain
from uaeval.knowledge.readers.converted import markdown_of
from uaeval.knowledge.reading import Content, FileReader

if TYPE_CHECKING:
    from docutils.nodes import Node

_HEADER: Final = re.compile(r"\A\s*(?:[A-Z][\w-]*:.*\n(?:[ \t]+\S.*\n)*){2,}\n")
"""Lines such as those of an e-mail, with which a PEP begins."""
_DIRECTIVE: Final = re.compile(r"^\s*\.\. ([\w:.+-]+)::", re.MULTILINE)
_ROLE: Final = re.compile(r":([A-Za-z][\w:.+-]*):`")
_NAMED: Final = re.compile(r"(.+?)\s*<[^<>]*>", re.DOTALL)
_SETTINGS: Final = {
    "report_level": 5, "halt_level": 5, "warning_stream": False, "file_insertion_enabled": False,
    "raw_enabled": False, "syntax_highlight": "none", "math_output": "LaTeX", "xml_declaration": 0,
    "embed_stylesheet": False, "stylesheet_path": "", "_disable_config": True,
    "line_length_limit": 100_000, "section_self_link": False,
}  # fmt: skip
_NO_TEXT: Final = frozenset({
    "comment", "substitution_definition", "image", "system_message", "raw", "docinfo", "decoration",
    "footnote_reference", "label", "citation_reference", "topic",
})  # fmt: skip
"""`docinfo` is the front matter, `topic` the table of contents."""
_VERSIONS: Final = {
    "versionadded": "New in version",
    "versionchanged": "Changed in version",
    "deprecated": "Deprecated since version",
}


def read_rst(data: bytes) -> Content:
    """Return the text of a page; included files are left out."""
    from docutils.core import publish_doctree, publish_from_doctree

    text = text_of(data)
    header = _HEADER.match(text)
    named = re.search(r"^Title:\s*(.+)$", header[0], re.MULTILINE) if header else None
    _register_unknown(text)
    document = publish_doctree(
        text[header.end() :] if header and named else text, settings_overrides=_SETTINGS
    )
    for node in list(document.findall(lambda node: node.tagname in _NO_TEXT)):
        if node.parent is not None:
            node.parent.remove(node)
    title = named[1].strip() if named else document.get("title")
    html = publish_from_doctree(document, writer="html5", settings_overrides=_SETTINGS)
    return Content(title or None, plain(markdown_of(html)))


def _register_unknown(text: str) -> None:
    """Let docutils read the directives and roles of a text that it does not know."""
    from docutils.parsers.rst import directives, roles
    from docutils.parsers.rst.languages import en

    unknown = _unknown_directive()
    for name in {name.lower() for name in _DIRECTIVE.findall(text)} - en.directives.keys():
        directives.register_directive(name, unknown)
    for name in {name.lower() for name in _ROLE.findall(text)} - en.roles.keys():
        roles.register_local_role(name, _role)


def _unknown_directive() -> type:
    from docutils import nodes
    from docutils.parsers.rst import Directive

    class Unknown(Directive):  # type: ignore[misc]
        optional_arguments = 1
        final_argument_whitespace = True
        has_content = True
        option_spec = _AnyOption(name=str)

        def run(self) -> list["Node"]:
            argument = " ".join(self.arguments)
            if self.name in _VERSIONS:
                argument = f"{_VERSIONS[self.name]} {argument}"
            elif self.name == "toctree" or not self.content:
                return []
            if not argument and is_code(self.content):
                return [nodes.literal_block("", "\n".join(self.content))]
            parsed, _ = self.state.inline_text(argument, self.lineno)
            body = nodes.container()
            self.state.nested_parse(self.content, self.content_offset, body)
            return [nodes.paragraph("", "", *parsed), body]

    return Unknown


class _AnyOption(dict[str, Any]):
    def __missing__(self, name: str) -> Any:
        return str


def _role(name: str, rawtext: str, text: str, *_: object, **__: object) -> tuple[list[Any], Any]:
    """Return what a role shows: the title of `title <target>`, the last name of `~a.b`."""
    from docutils import nodes, utils

    shown = utils.unescape(text)
    named = _NAMED.fullmatch(shown)
    shown = named[1] if named else shown.lstrip("!")
    return [nodes.inline("", shown.rpartition(".")[2] if shown[0] == "~" else shown)], []


READER = FileReader(suffixes=(".rst", ".rest"), convert=read_rst)
