"""Prompts of one's own, which replace shipped ones: a mistake is named when they are opened."""

from collections.abc import Callable
from pathlib import Path

import pytest

from uaeval.errors import PromptError
from uaeval.prompts import PromptLibrary, open_prompts
from uaeval.resources import shipped

OWN = "judge/verdict"


def _own(folder: Path, change: Callable[[str], str], name: str = OWN) -> PromptLibrary:
    """Open a folder with a changed copy of one prompt."""
    path = folder / f"{name}.md"
    path.parent.mkdir(parents=True)
    shipped_text = (shipped("prompts") / f"{OWN}.md").read_text(encoding="utf-8")
    path.write_text(change(shipped_text), encoding="utf-8")
    return open_prompts(folder)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda text: text.replace("reply: ", "reply: Other"), "reply should stay 'Verdict"),
        (lambda text: text + "\n$nothing\n", "remove $nothing, which has no value"),
        (lambda text: text.replace("$response", ""), "add $response"),
        (lambda text: text.replace("version:", "version: 1\nversion:"), "'version', 'version']"),
        (lambda text: text.replace("version:", "vers:"), "got ['reply', 'vers']"),
        (lambda text: text.replace("# User", "# Usr"), "expected front matter, then `# System`"),
        (lambda text: text + "costs $5", "write a literal dollar sign as $$"),
    ],
)
def test_a_prompt_of_ones_own_with_a_mistake_is_named_when_it_is_opened(
    tmp_path: Path, change: Callable[[str], str], told: str
) -> None:
    with pytest.raises(PromptError) as refused:
        _own(tmp_path, change)
    assert str(refused.value).startswith(str(tmp_path / f"{OWN}.md"))
    assert told in str(refused.value)


def test_a_prompt_of_ones_own_that_replaces_none_is_named(tmp_path: Path) -> None:
    with pytest.raises(PromptError, match=r"judge/verdikt\.md replaces no prompt"):
        _own(tmp_path, str, "judge/verdikt")


def test_a_prompt_of_ones_own_may_have_other_words_and_a_byte_order_mark(tmp_path: Path) -> None:
    library = _own(tmp_path, lambda text: "\ufeff" + text.replace("# System", "# System\nBe kind."))
    assert library.get(OWN).system.startswith("Be kind.")
