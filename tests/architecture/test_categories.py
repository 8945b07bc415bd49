"""Only `categories/` and `offline/` know a single category; the rest loops over the registry."""

import ast
import re
from collections.abc import Iterator

import pytest

from uaeval.categories.names import BUILT_IN
from uaeval.resources import PACKAGE

FREE = {"categories", "offline"}
NAMED = re.compile(rf"\b(?:{'|'.join(BUILT_IN)})\b|\b(?:{'|'.join(BUILT_IN)})(?=[/_])")
IMPORTED = {f"uaeval.categories.{name}" for name in BUILT_IN}
MODULES = [
    path for path in sorted(PACKAGE.rglob("*.py")) if path.relative_to(PACKAGE).parts[0] not in FREE
]


def mentions(tree: ast.AST) -> Iterator[str]:
    """Yield each line that names a category in code: docstrings may."""
    prose = {node.value for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if node not in prose and NAMED.search(text):
                yield f"line {node.lineno}: {text!r}"
            case ast.Attribute(value=ast.Name(id="Category"), attr=name):
                yield f"line {node.lineno}: Category.{name}"
            case ast.ImportFrom(module=str(module)) if module in IMPORTED:
                yield f"line {node.lineno}: {module}"


def test_no_code_names_a_category() -> None:
    named = {
        f"{path.relative_to(PACKAGE)}, {mention}"
        for path in MODULES
        for mention in mentions(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert not named


@pytest.mark.parametrize(
    "code",
    [
        "if category == 'nonsensical': pass",
        "prompt = 'underspecified/generate'",
        "x = Category.NONSENSICAL",
        "from uaeval.categories.underspecified import CATEGORY",
        "f'leave out_of_database out {x}'",
    ],
)
def test_a_mention_is_found(code: str) -> None:
    assert list(mentions(ast.parse(code)))


def test_a_docstring_may_name_a_category() -> None:
    assert not list(mentions(ast.parse('x = 1\n"""Only for `nonsensical` queries."""')))
