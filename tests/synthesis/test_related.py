"""Passages that an author compares with the one it writes from."""

from tests.synthesis.conftest import WordRetriever, chunk_of

from uaeval.synthesis.related import related_to

SLACK = chunk_of("slack.md#0", "People ask for a Slack account in the help desk portal.")
FIGMA = chunk_of("figma.md#0", "People ask for a Figma account by mail.")
NOTICE = " ".join(f"People who ask may copy part {number} of this." for number in range(9))
LINKS = chunk_of("links.md#0", "People, account, portal: see also the pages of the help desk.")


def test_copies_and_boilerplate_are_not_related() -> None:
    copies = [chunk_of(f"page{number}.md#9", f"{NOTICE} {number}") for number in range(3)]
    retriever = WordRetriever([SLACK, FIGMA, LINKS, *copies])
    usable = {SLACK.id, FIGMA.id, *(copy.id for copy in copies)}
    found = related_to(retriever, SLACK, 8, usable)
    assert FIGMA in found
    assert LINKS not in found
    assert SLACK not in found
    assert len(set(found) & set(copies)) == 1
