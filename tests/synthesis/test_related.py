"""Passages that an author compares with the one it writes from."""

from tests.synthesis.conftest import WordRetriever, chunk_of

from uaeval.synthesis.generate import author_context
from uaeval.synthesis.plan import plan
from uaeval.synthesis.related import (
    by_shared_subjects,
    parallel_passages,
    passages_sharing,
    related_to,
)

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


TOWERS = {
    "arl": "The bridge at Arl was opened to carts by the mayor in 1874. It has a wooden roof.",
    "toven": "Crowds came when the Toven bridge was opened to carts in May 1902 by the mayor.",
    "lind": "The island of Lind was bought from a farmer.",
    "mord": "Nets dry along the shore, and boats lie there in winter.",
}
PAGES = [chunk_of(f"{name}.md#0", text) for name, text in TOWERS.items()]


def test_passages_with_the_same_fact_of_another_subject_are_parallel() -> None:
    parallels = parallel_passages(PAGES)
    arl, toven, lind, mord = PAGES
    assert parallels.of(arl) == [toven]
    assert parallels.of(toven) == [arl]
    assert parallels.of(lind) == parallels.of(mord) == []


def test_a_passage_that_repeats_a_fact_is_not_parallel() -> None:
    again = chunk_of("news.md#0", "In 1874 the bridge at Arl was opened to carts by the mayor.")
    assert again not in parallel_passages([*PAGES, again]).of(PAGES[0])


def test_parallel_passages_are_shown_first_and_planned_first() -> None:
    chunks = [*PAGES, SLACK, FIGMA]
    parallels = parallel_passages(chunks)
    assert related_to(WordRetriever(chunks), PAGES[0], 3, parallels=parallels)[0] == PAGES[1]
    planned = [each.chunk for each in plan(chunks, "underspecified", 0, arrange=parallels.arrange)]
    pairs = [{PAGES[0].id, PAGES[1].id}, {SLACK.id, FIGMA.id}]
    first, then, last = ({chunk.id for chunk in planned[at : at + 2]} for at in (0, 2, 4))
    assert [len(first & pair) for pair in pairs] == [1, 1]
    assert [len(then & pair) for pair in pairs] == [1, 1]
    assert last == {PAGES[2].id, PAGES[3].id}


def test_links_are_no_fact_in_common() -> None:
    texts = [
        "For more information about this, see [Getting started with the Disk service](x.org/d).",
        "Boats leave early. For information, see [Getting started with Mail service](x.org/m).",
    ]
    chunks = [chunk_of(f"page{number}.md#0", text) for number, text in enumerate(texts)]
    assert [parallel_passages(chunks).of(chunk) for chunk in chunks] == [[], []]


def test_the_offline_author_is_shown_nothing_beside_a_passage_without_a_parallel() -> None:
    parallels = passages_sharing({SLACK: ["ask"], FIGMA: ["ask", "pay"], LINKS: ["see"]})
    assert parallels.of(FIGMA) == [SLACK]
    context = author_context(WordRetriever([SLACK, FIGMA, LINKS]), None, parallels, offline=True)
    assert context.related_to(SLACK)[0] == FIGMA
    assert context.related_to(LINKS) == ()


def test_articles_on_a_subject_of_the_passages_come_first() -> None:
    passages = [chunk_of("quay.md#0", "The quay is long. Boats leave the quay at noon.")]
    other = chunk_of("barn.md#0", "The barn is red. Hay lies in the barn.")
    same = chunk_of("fees.md#0", "The quay takes a fee. The fee of the quay is due.")
    assert by_shared_subjects(passages)([other, same]) == [same, other]
