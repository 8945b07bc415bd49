import pytest
from hypothesis import given
from hypothesis import strategies as st

from uaeval.errors import ConfigError
from uaeval.knowledge.chunking import ChunkingResult, chunk
from uaeval.records import Chunk, Document

RULE = (
    "Employees of the U.S. office may borrow up to 240 hours of sick leave in a calendar year, "
    "e.g. for a surgery. Dr. Weber approves every request within three working days."
)


def document(text: str, title: str = "Leave") -> Document:
    return Document(id="leave.md", title=title, text=text, source="leave.md")


def pieces(text: str, size: int = 900) -> tuple[Chunk, ...]:
    return chunk([document(text)], size=size).chunks


def every(chunked: ChunkingResult) -> list[Chunk]:
    return [*chunked.chunks, *(aside.chunk for aside in chunked.set_aside)]


def test_a_section_is_a_chunk_with_the_headings_above_it() -> None:
    text = f"# Leave\n\n## Sick leave\n\n{RULE}\n\n### Borrowing\n\n{RULE}\n\n## Annual\n\n{RULE}"

    assert [(c.id, c.heading, c.text) for c in pieces(text)] == [
        ("leave.md#0", "Sick leave", RULE),
        ("leave.md#1", "Sick leave › Borrowing", RULE),
        ("leave.md#2", "Annual", RULE),
    ]


def test_a_long_section_is_cut_between_sentences_only() -> None:
    found = pieces(" ".join([RULE] * 12), size=400)

    assert len(found) > 4
    assert all(c.text.endswith(("surgery.", "days.")) for c in found)
    assert all(c.text.startswith(("Employees", "Dr. Weber")) for c in found)
    assert all(len(c.text) <= 400 for c in found)


def test_a_line_that_leads_to_a_list_stays_with_it() -> None:
    items = "\n".join(f"- the signed form number {n}, sent by the supervisor" for n in range(1, 12))
    found = pieces(f"{RULE}\n\nTo borrow leave you need:\n\n{items}", size=400)

    assert not any(c.text.endswith("need:") for c in found)
    assert any(c.text.startswith("To borrow leave you need:\n\n- the signed") for c in found)


@pytest.mark.parametrize(("length", "moves"), [(500, True), (501, False)])
def test_a_line_moves_to_its_list_if_both_fit_into_five_quarters(length: int, moves: bool) -> None:
    lead_in = f"To borrow leave you need {'x' * 94}:"
    listed = f"{'word ' * 20}{'y' * (length - len(lead_in) - 2 - 101)}."
    first, second = pieces(f"{RULE}\n\n{lead_in}\n\n{listed}", size=400)
    assert (len(second.text), first.text.endswith(":")) == (
        (length, False) if moves else (len(listed), True)
    )


@pytest.mark.parametrize("before", ["", "# Quays\n\n", "A list of the quays in town.\n\n"])
@pytest.mark.parametrize("cell", ["4 euros", "Open on most days of the year. " * 5])
def test_a_passage_that_continues_a_table_begins_with_its_first_row(before: str, cell: str) -> None:
    rows = [f"Quay number {number} | Monday | {cell}".rstrip() for number in range(60)]
    text = "\n".join([f"{before}Quay | Day | Fee", *rows]) + f"\n\n{RULE}\n\n{RULE}"

    passages = sorted(every(chunk([document(text)], size=300)), key=lambda each: each.start)

    top = text.index("Quay | Day")
    tables = [each for each in passages if each.start > top and "Monday" in each.text]
    assert len(tables) > 5
    for each in passages:
        row = "Quay | Day | Fee\n" if each in tables else ""
        assert each.text == row + text[each.start : each.end]
        assert len(each.text) <= 375


@pytest.mark.parametrize(
    "first", ["- `cat a | sort`", "    cat a | sort", f"{'long ' * 20}| b", "No table"]
)
def test_a_line_that_heads_no_table_is_not_repeated(first: str) -> None:
    text = "\n".join([first, *[f"{first[:6]}line {number} | b" for number in range(60)]])

    for each in every(chunk([document(text)], size=300)):
        assert each.text == text[each.start : each.end]


def test_tiny_sections_share_a_chunk_and_large_ones_never_do() -> None:
    tiny = "\n\n".join(
        f"## Place {n}\n\nThe desk is on floor {n} beside the lift." for n in range(4)
    )

    together = chunk([document(tiny)])
    apart = chunk([document(f"## A\n\n{RULE}\n\n## B\n\n{RULE}")])

    assert len(every(together)) == 1
    assert "floor 0" in together.chunks[0].text
    assert "floor 3" in together.chunks[0].text
    assert len(apart.chunks) == 2


@pytest.mark.parametrize(("words", "chunks"), [(9, 1), (10, 2)])
def test_a_section_of_ten_words_shares_no_chunk(words: int, chunks: int) -> None:
    section = " ".join(["desk"] * words)
    assert len(pieces(f"## A\n\n{section}\n\n## B\n\n{section}")) == chunks


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("See the guide.", "fewer than 10 words"),
        ("- Home\n- About us\n- Contact\n- News\n- Jobs", "navigation"),
        ("Intro .......... 1\nLeave .......... 4\nPay ............ 9", "table of contents"),
        ("This site uses cookies to work. All rights reserved.", "site notice"),
        ("Skip to main content. On this page you will find more.", "navigation"),
    ],
)
def test_what_nothing_can_be_asked_about_is_set_aside(text: str, reason: str) -> None:
    chunked = chunk([document(f"# Leave\n\n{text}")])

    assert chunked.chunks == ()
    assert [(a.chunk.id, a.chunk.text, a.reason) for a in chunked.set_aside] == [
        ("leave.md#0", text, reason)
    ]


def test_scripts_without_spaces_are_cut_at_their_own_full_stops() -> None:
    sentence = "社員は一年間に最大二百四十時間の病気休暇を借りることができます。"

    found = pieces(sentence * 20, size=200)

    assert len(found) > 2
    assert all(c.text.endswith("。") for c in found)


def test_text_that_runs_from_right_to_left_is_cut_at_its_full_stops() -> None:
    sentence = "يمكن للموظفين اقتراض ما يصل إلى مئتين وأربعين ساعة من الإجازة المرضية كل سنة. "

    assert all(c.text.endswith(".") for c in pieces(sentence * 20, size=300))


def test_a_heading_in_code_is_not_a_heading() -> None:
    assert pieces(f"## Run\n\n{RULE}\n\n    # a comment\n    run")[0].heading == "Run"


def test_a_text_without_any_space_is_still_cut() -> None:
    assert all(len(c.text) <= 300 for c in every(chunk([document("a" * 2_000)], size=300)))


def test_a_size_that_is_too_small_is_refused() -> None:
    with pytest.raises(ConfigError, match="chunk size 50"):
        chunk([document(RULE)], size=50)


@given(text=st.text(alphabet=st.sampled_from("ab. \n#:-。中A1"), max_size=900))
def test_offsets_are_exact_and_no_letter_is_lost(text: str) -> None:
    found = sorted(every(chunk([document(text)], size=100)), key=lambda c: (c.start, c.end))

    kept = set[int]()
    for piece in found:
        assert piece.text == text[piece.start : piece.end]
        assert piece.text.strip("\n").rstrip() == piece.text != ""
        indented = piece.text.startswith(" ")
        assert not indented or text[piece.start - 1 : piece.start] in ("\n", "")
        kept.update(range(piece.start, piece.end))
    lines = 0
    for line in text.split("\n"):
        body = range(lines, lines + len(line))
        lines += len(line) + 1
        if line.strip() and not line.lstrip().startswith("#"):
            assert {i for i in body if not text[i].isspace()} <= kept


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("## See also\n\n- How to book a room\n- Lockers, which cost 2 euros", "navigation"),
        ("- A https://a.b/1\n- B https://a.b/2\n- C www.c.example\n- D ftp://d/4", "navigation"),
        ("This document has been placed in the public domain by all authors.", "site notice"),
        ("Copyright 2020 by the authors of this book and those who helped.", "site notice"),
        ("- Opening hours\n- Lockers and keys\n- Who may enter\n- Loans 2", "table of contents"),
    ],
)
def test_what_leads_elsewhere_is_set_aside(text: str, reason: str) -> None:
    others = [
        Document(id=title, title=title, text=RULE, source=title)
        for title in ("Opening hours", "Lockers and keys", "Who may enter", "Loans 2")
    ]

    chunked = chunk([document(f"# Leave\n\n{text}"), *others])

    assert [aside.reason for aside in chunked.set_aside] == [reason]


@pytest.mark.parametrize("title", ["Table of Contents", "Concept index", "Site map", "INDEX"])
def test_lists_of_pages_with_such_a_title_are_set_aside_but_not_their_sentences(title: str) -> None:
    listed = "\n".join(f"retry_{name}, option: 31.{len(name)} 32.4" for name in ("a", "bb", "ccc"))
    page = Document(id="p", title=title, text=f"# A\n\n{listed}\n\n# B\n\n{RULE}", source="p")

    chunked = chunk([page])

    assert [(aside.chunk.heading, aside.reason) for aside in chunked.set_aside] == [
        ("A", "table of contents")
    ]
    assert [passage.heading for passage in chunked.chunks] == ["B"]


@pytest.mark.parametrize("title", ["Consumer price index", "Package contents", "Indexes"])
def test_tables_with_other_titles_are_fit(title: str) -> None:
    table = "\n".join(
        f"{month} | {level} | {level + 1}" for month, level in zip("abcdef", range(6), strict=True)
    )
    page = Document(id="p", title=title, text=f"# A\n\n{table}", source="p")

    assert [passage.title for passage in chunk([page]).chunks] == [title]


def test_a_sentence_that_only_speaks_of_its_section_is_fit() -> None:
    text = "In this section, we gather all of the syntax that is valid in patterns of the language."

    assert [piece.text for piece in pieces(text)] == [text]
