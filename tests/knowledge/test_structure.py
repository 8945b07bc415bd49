"""Paragraphs, lists, tables and code keep their structure in every file format."""

import io
import zipfile
from pathlib import Path

import pytest
from tests.hostile.corpus import docx_file
from tests.knowledge.test_documents import pdf_file, write

from uaeval.knowledge.blocks import sections_of
from uaeval.knowledge.chunking import chunk
from uaeval.knowledge.documents import load
from uaeval.knowledge.markdown import plain
from uaeval.knowledge.plain_text import structured
from uaeval.records import Document

CLASS = """class Shelf:
    # a comment
    def __init__(self, books):
        self._books = books

    def __len__(self):
        return len(self._books)"""
CODE = "\n".join(f"    {line}" if line else "" for line in CLASS.split("\n"))
PROSE = """The reading room has a shelf for every language, and each of the shelves
has a label that names the language and the years of its books."""
JOINED = " ".join(PROSE.split("\n"))


def headings(text: str) -> list[str]:
    return [section.path[-1] for section in sections_of(text) if section.path]


@pytest.mark.parametrize("code", [CLASS, CODE, f"```python\n{CLASS}\n```"])
def test_code_in_plain_text_keeps_its_lines(code: str) -> None:
    text = structured(f"{PROSE}\n\n{code}\n\n{PROSE}")

    assert text == f"{JOINED}\n\n{CODE}\n\n{JOINED}"


def test_a_text_indented_as_a_whole_is_not_code() -> None:
    indented = "\n".join(f"    {line}" for line in PROSE.split("\n"))
    shell = "    # dmesg | grep Timecounter\n    Timecounters tick every 10.000 msec"

    text = structured(f"Abstract\n\n{indented}\n\nExample:\n\n    {shell}\n\n{indented}")

    assert text.startswith(f"Abstract\n\n{JOINED}\n\nExample:\n\n    # dmesg")
    assert headings(text) == []


def test_a_comment_between_code_is_no_heading_and_a_title_is_one() -> None:
    shell = "# start\nrun --port=80 --name=x\n\n# stop\n\nkill $(cat run.pid)"

    assert headings(structured(f"# Use\n\n{PROSE}\n\n{shell}\n\n# Rules\n\n{PROSE}")) == [
        "Use",
        "Rules",
    ]


def test_underlined_titles_are_headings_in_the_order_of_their_signs() -> None:
    text = structured("====\nRoom\n====\n\nHours\n-----\nAt nine.\n\nWho\n---\nAll.")

    assert text == "# Room\n\n## Hours\n\nAt nine.\n\n## Who\n\nAll."


def test_columns_of_plain_text_keep_their_lines() -> None:
    table = "Name of the place         Hours\nThe reading room in Bonn     8"

    assert structured(f"{PROSE}\n\n{table}") == f"{JOINED}\n\n{table}"


def test_prose_with_signs_is_not_code() -> None:
    lines = [
        "The room is open (see the calendar at https://example.org/a_b?c=d&e=f), except on (",
        "public) holidays, and members may ask for a key(s) card at the desk near the door",
        "of the hall.",
    ]

    assert structured("\n".join(lines)) == " ".join(lines)


def test_lines_of_code_in_prose_are_not_joined_with_it() -> None:
    block = f"{PROSE}\nroom.close(key)\nand nothing else is needed to close the reading room then."

    assert "\nroom.close(key)\nand nothing" in structured(block)


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("Up to 2<sup>7</sup> of H<sub>2</sub>O", "Up to 2^7 of H_2O"),
        ("2<sup>n − 1</sup> and the 1<sup>st</sup>", "2^(n − 1) and the 1st"),
        ("<p>2<sup>7</sup></p>", "2^7"),
        ("Write `2<sup>7</sup>`", "Write 2<sup>7</sup>"),
        ('<Listing number="1" caption="A `Vec<T>`">\n\nText\n\n</Listing>', "Text"),
        ("A `Vec<T>` or Vec<T>", "A Vec<T> or Vec<T>"),
        ("| A | B | C |\n|---|---|---|\n| 1 | | 3 |", "A | B | C\n1 |  | 3"),
        ("x_1 = read(file)\ny_1 = x_1 + 2", "    x_1 = read(file)\n    y_1 = x_1 + 2"),
        ("Ask [the desk](x) -\nor _write_ (it is free).", "Ask the desk - or write (it is free)."),
        ("<pre>\na = 1\n  b\n</pre>", "    a = 1\n      b"),
        ("<ul><li>x<ol><li>y<li>z</ol>later</ul>", "- x\n  1. y\n  2. z\n  later"),
        ("<table><tr><td>A<br>B<td><p>C</p><p>D</p></table>", "A B | C D"),
        ("<dl><dt>key<dd><p>Opens.</p><p>It is free.</p></dl>", "- key: Opens.\n  It is free."),
        (
            "Its <title> says so, and so does <style>.\n\nLast.",
            "Its says so, and so does .\n\nLast.",
        ),
        ("<room>$room</room>", "<room>$room</room>"),
    ],
)
def test_markdown_keeps_what_its_marks_mean(markdown: str, text: str) -> None:
    assert plain(markdown) == text


def test_a_page_keeps_its_lists_tables_and_code(tmp_path: Path) -> None:
    page = f"<html><body><article><h1>Shelves</h1><p>{JOINED} Up to 2<sup>7</sup>.</p>"
    page += f"<pre><code>{CLASS}</code></pre><ul><li>one<ul><li>two</li></ul></li></ul>"
    page += "<table><tr><th>Place</th><th>Hours</th></tr><tr><td>Bonn</td><td>8</td></tr></table>"
    write(tmp_path / "a.html", page + f"<p>{JOINED}</p></article></body></html>")

    (document,) = load(tmp_path).documents

    assert "Up to 2^7." in document.text
    assert [line for line in CODE.split("\n") if line] == [
        line for line in document.text.split("\n") if line.startswith("    ")
    ]
    assert "- one\n  - two" in document.text
    assert "Place | Hours\nBonn | 8" in document.text
    assert headings(document.text) == ["Shelves"]


def test_a_word_file_keeps_code_and_raised_letters(tmp_path: Path) -> None:
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    styles = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles"
    lines = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="C"/></w:pPr><w:r><w:t xml:space="preserve">{line}'
        "</w:t></w:r></w:p>"
        for line in CLASS.split("\n")
    )
    raised = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:t>7</w:t></w:r>'
    body = f"<w:p><w:r><w:t>Up to 2</w:t></w:r>{raised}</w:p>{lines}"
    data = io.BytesIO(
        docx_file(f'<w:document xmlns:w="{word}"><w:body>{body}</w:body></w:document>')
    )
    with zipfile.ZipFile(data, "a") as archive:
        archive.writestr(
            "word/styles.xml",
            f'<w:styles xmlns:w="{word}"><w:style w:type="paragraph" w:styleId="C">'
            '<w:name w:val="Source Code"/></w:style></w:styles>',
        )
        archive.writestr(
            "word/_rels/document.xml.rels",
            f'<Relationships xmlns="{package}"><Relationship Id="r" Type="{styles}" '
            'Target="styles.xml"/></Relationships>',
        )
    write(tmp_path / "a.docx", data.getvalue())

    assert load(tmp_path).documents[0].text == "Up to 2^7\n\n" + CODE.replace("\n\n", "\n")


def test_the_lines_of_code_of_a_pdf_are_not_joined(tmp_path: Path) -> None:
    lines = [line for line in CLASS.replace("(", r"\(").replace(")", r"\)").split("\n") if line]
    write(tmp_path / "a.pdf", pdf_file(lines))

    assert load(tmp_path).documents[0].text == CODE.replace("\n\n", "\n")


@pytest.mark.parametrize(
    ("directive", "shown"),
    [
        ("#include below/a.rs", "fn a() {}\nfn b() {}\nfn c() {}"),
        ("#rustdoc_include below/a.rs:b", "fn b() {}"),
        ("#include below/a.rs:2:4", "fn b() {}"),
        ("#include below/missing.rs", ""),
        ("#include ../outside.rs", ""),
        ("#include link.rs", ""),
    ],
)
def test_included_files_are_read_within_the_knowledge_base(
    tmp_path: Path, directive: str, shown: str
) -> None:
    folder = tmp_path / "kb"
    write(
        folder / "below" / "a.rs", "fn a() {}\n// ANCHOR: b\nfn b() {}\n// ANCHOR_END: b\nfn c() {}"
    )
    write(tmp_path / "outside.rs", "fn secret() {}")
    (folder / "link.rs").symlink_to(tmp_path / "outside.rs")
    write(folder / "page.md", f"Before.\n\n```rust\n{{{{{directive}}}}}\n```\n\nAfter.")

    (document,) = load(folder).documents

    code = "".join(f"    {line}\n" for line in shown.split("\n") if line)
    assert document.text == f"Before.\n\n{code}\nAfter." if code else "Before.\n\nAfter."


def test_code_starts_a_passage_with_its_indentation() -> None:
    filler = " ".join(["The reading room opens at nine."] * 12)
    text = f"{filler}\n\n{CODE}\n\n{filler}"

    found = chunk([Document(id="a", title="T", text=text, source="a")], size=390).chunks

    assert CODE in [piece.text for piece in found]


def test_a_line_in_fences_or_within_a_paragraph_is_not_a_heading() -> None:
    text = "# Top\n## Below\n```\n\n# a comment\n```\n\nrun it\n# and wait\n\n# Next"

    assert headings(text) == ["Top", "Below", "Next"]


def test_an_indented_line_below_code_belongs_to_it_and_prose_does_not() -> None:
    text = (
        "Install it as follows and then read the manual with care.\n\n"
        "        def main():\n            return run(1)\n\n"
        "            and call it once more with the names\n\n"
        "Then it is done, and the reader can go on to the next part of the text."
    )
    before, code, more, after = structured(text).split("\n\n")
    assert code == "    def main():\n        return run(1)"
    assert more == "        and call it once more with the names"
    assert not before.startswith(" ")
    assert not after.startswith(" ")


def test_text_from_a_terminal_is_read_without_its_formatting(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "\x1b[1mNAME\x1b[0m\n\nThe N\bNA\bAM\bME\bE of a _\bs_\bh_\bell.\n")

    assert load(tmp_path).documents[0].text == "NAME\n\nThe NAME of a shell."


def test_the_meaning_below_a_term_is_no_code(tmp_path: Path) -> None:
    page = (
        "Options of the reading room, which a reader may choose on entering it:\n\n"
        "--quiet\n        Say nothing to the readers who come in, nor to the ones who\n"
        "        leave the room.\n"
    )
    write(tmp_path / "a.txt", page)

    assert (
        load(tmp_path)
        .documents[0]
        .text.endswith(
            "--quiet\n  Say nothing to the readers who come in, nor to the ones who leave the room."
        )
    )


def test_lines_of_a_table_of_contents_are_not_joined(tmp_path: Path) -> None:
    contents = "\n".join(f"What to do in the hall ............................ {n}" for n in "123")
    write(tmp_path / "a.txt", contents)

    assert load(tmp_path).documents[0].text == contents


def test_a_title_underlined_with_tildes_does_not_open_code() -> None:
    text = structured("Loans\n~~~~~\n\nTen books a month.\n\n~~~\nf()\n~~~\n")

    assert text == "# Loans\n\nTen books a month.\n\n    f()"
