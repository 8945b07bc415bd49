"""Each format by a small file of its own: what stays, in which form, and what is left out."""

import io
import json
import sys
import zipfile
from pathlib import Path

import pytest
from tests.hostile.corpus import zip_file
from tests.knowledge.test_documents import write

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.documents import load
from uaeval.knowledge.readers import read_file
from uaeval.knowledge.reading import ReadSettings, UnusableFile
from uaeval.records import Document

RST = """PEP: 9
Title: Shelves
  and rooms
Status: Final

========
Overview
========

.. contents::

The room opens at *nine*, see :ref:`the calendar <cal>` and :meth:`~room.Shelf.close`. [#n]_
Up to 2\\ :sup:`7` books::

    # a comment
    def __len__(self):

        return self._n

.. toctree::
   :maxdepth: 2

   other

Who
===

.. note:: Keys are free.

.. versionadded:: 3.8
   The lift.

.. function:: close(key)

   Close the *room*.

``a_b``
  First word.

  Second word.

- one
- two

  1. three

======= =====
Place   Hours
======= =====
Bonn    8
======= =====

.. comment that nobody sees
.. include:: /etc/passwd

.. [#n] A footnote.
"""
ADOC = """= Reading room
Anna Example <anna@example.org>
:hours: nine
:toc:

The *room* opens at {hours}, see https://example.org[the calendar] and <<who,Who>>.
Ask https://example.org[] or +*.org+.
It has 2^7^ places.

// a comment
[[who]]
== Who may enter

* Members
** with a `card`
. First
. Second

Card:: made of paper

[source,python]
----
# a comment
if x:

    run()
----

[cols="1,1"]
|===
|Place |Hours

|Bonn
|8
|===

include::other.adoc[]
image::room.png[]
"""
TEX = r"""\documentclass{article} % a comment
\title{Reading \emph{room}}
\begin{document}
\maketitle
\section{Opening \textbf{hours}}\label{sec:a}
The room opens at nine~\cite{a}, and 50\% of $2^{7}$ places are free.
Use \verb|a_b| or \href{https://example.org}{the calendar}.
\begin{itemize}
  \item One
  \item Two, which
    goes on
  \begin{enumerate}
    \item Three
  \end{enumerate}
\end{itemize}
\begin{verbatim}
# a % comment
\begin{x}

  y
\end{verbatim}
\begin{tabular}{lr}
\hline
Place & Hours \\
Bonn & 8 \\
\end{tabular}
\includegraphics[width=3cm]{room.png}
\end{document}
"""
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# Room\n", "\n", "Opens at *nine*."]},
        {
            "cell_type": "code",
            "source": "# a comment\n\nrun()",
            "outputs": [{"output_type": "stream", "text": ["never shown"]}],
        },
        {"cell_type": "raw", "source": "never shown"},
    ]
}
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OPS/book.opf"/></rootfiles></container>'
)
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"><metadata
xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>The room</dc:title></metadata><manifest>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
<item id="a" href="text/chapter%201.xhtml" media-type="application/xhtml+xml"/>
<item id="b" href="b.xhtml" media-type="application/xhtml+xml"/></manifest>
<spine><itemref idref="n"/><itemref idref="b"/><itemref idref="a"/></spine></package>"""
PAGE = '<html xmlns="http://www.w3.org/1999/xhtml"><body>{}</body></html>'


def read(path: Path, content: str | bytes) -> Document:
    write(path, content)
    return load(path.parent).documents[0]


def test_restructured_text_is_read(tmp_path: Path) -> None:
    document = read(tmp_path / "a.rst", RST)

    assert document.title == "Shelves"
    assert document.text == "\n".join(
        [
            "# Overview",
            "",
            "The room opens at nine, see the calendar and close. Up to 2^7 books:",
            "",
            "    # a comment",
            "    def __len__(self):",
            "",
            "        return self._n",
            "",
            "## Who",
            "",
            "Note",
            "",
            "Keys are free.",
            "",
            "- New in version 3.8: The lift.",
            "",
            "close(key)",
            "",
            "Close the room.",
            "",
            "- a_b: First word.",
            "  Second word.",
            "",
            "- one",
            "- two",
            "  1. three",
            "",
            "Place | Hours",
            "Bonn | 8",
            "",
            "A footnote.",
        ]
    )


SPHINX = """.. changelog::
   :version: 2.0

   .. include:: other.rst

   .. change:: 71
      :tags: bug

      The lift stops, see :doc:`/lift`.

.. code-block:: python
   :emphasize-lines: 2

   # a comment
   run()

.. figure:: x.png
   :unknown: 3

   The hall at :kbd:`nine`.

.. only:: html

   .. custom:: Keys

      Ask us.

::

   .. change:: is kept

.. table::

   ===== ===
   abcdefg c
   ===== ===
"""


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (
            r"Schr\"odinger, \'{E}tude, na\"{\i}ve, \c{c}a, \~nu",
            "Schrödinger, Étude, naïve, ça, ñu",
        ),
        (
            r"\v{C}apek, Erd\H{o}s, \.Zy, Stra\ss e, \AA s, \L{}ód",
            "Čapek, Erdős, Ży, Straße, Ås, Łód",
        ),
        (r"the \LaTeX{} and \TeX\ logos, \S~3\ldots", "the LaTeX and TeX logos, § 3…"),
        (r"a \\ 'b' and $\Sigma$", "a\n'b' and Sigma"),
    ],
)
def test_accents_and_symbols_of_latex_are_characters(
    tmp_path: Path, source: str, text: str
) -> None:
    assert read(tmp_path / "a.tex", source).text == text


def test_text_of_directives_that_docutils_refuses_is_kept(tmp_path: Path) -> None:
    text = read(tmp_path / "a.rst", SPHINX).text

    assert text.split("\n\n") == [
        "71",
        "The lift stops, see /lift.",
        "    # a comment\n    run()",
        "    The hall at :kbd:`nine`.",
        "Keys",
        "Ask us.",
        "    .. change:: is kept",
        "    ===== ===\n    abcdefg c\n    ===== ===",
    ]


def test_signs_and_lists_of_restructured_text_are_kept(tmp_path: Path) -> None:
    page = (
        "call(\\*args, \\*\\*kwargs) returns ``C:\\\\a``\n\n"
        "- the `__init__` of a_class_,\n  or `__del__`\n\n"
        "#. Lift\n     It stops.\n#. Desk\n     It is open.\n\n.. _a_class: x\n"
    )

    assert read(tmp_path / "a.rst", page).text.split("\n") == [
        "call(*args, **kwargs) returns C:\\\\a",
        "",
        "- the __init__ of a_class, or __del__",
        "",
        "  1. Lift: It stops.",
        "  2. Desk: It is open.",
    ]


def test_titles_of_asciidoc_may_have_an_underline(tmp_path: Path) -> None:
    page = (
        "git-log(1)\n==========\n\nNAME\n----\nSee linkgit:git[1] and man:ls[].\n\n"
        "This is code:\n----\na\n-\n----\n"
    )

    document = read(tmp_path / "a.adoc", page)

    assert document.text == (
        "# git-log(1)\n\n## NAME\n\nSee git(1) and ls().\n\nThis is code:\n\n    a\n    -"
    )


def test_asciidoc_is_read(tmp_path: Path) -> None:
    document = read(tmp_path / "a.adoc", ADOC)

    assert document.title == "Reading room"
    assert document.text == "\n".join(
        [
            "# Reading room",
            "",
            "The room opens at nine, see the calendar and Who. "
            "Ask https://example.org or *.org. It has 2^7 places.",
            "",
            "## Who may enter",
            "",
            "- Members",
            "  - with a card",
            "",
            "1. First",
            "2. Second",
            "",
            "- Card: made of paper",
            "",
            "    # a comment",
            "    if x:",
            "",
            "        run()",
            "",
            "Place | Hours",
            "Bonn | 8",
        ]
    )


def test_latex_is_read(tmp_path: Path) -> None:
    document = read(tmp_path / "a.tex", TEX)

    assert document.title == "Reading room"
    assert document.text == "\n".join(
        [
            "## Opening hours",
            "",
            "The room opens at nine , and 50% of 2^7 places are free. Use a_b or the calendar.",
            "",
            "- One",
            "- Two, which goes on",
            "  1. Three",
            "",
            "    # a % comment",
            "    \\begin{x}",
            "",
            "      y",
            "",
            "Place | Hours",
            "Bonn | 8",
        ]
    )


def test_a_notebook_without_its_outputs(tmp_path: Path) -> None:
    document = read(tmp_path / "a.ipynb", json.dumps(NOTEBOOK))

    assert document.title == "Room"
    assert document.text == "# Room\n\nOpens at nine.\n\n    # a comment\n\n    run()"


def test_a_notebook_of_version_3(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": ["Room"]},
        {"cell_type": "code", "input": ["run()"]},
    ]
    notebook = {"worksheets": [{"cells": cells}], "nbformat": 3}

    assert read(tmp_path / "a.ipynb", json.dumps(notebook)).text == "## Room\n\n    run()"


def test_an_epub_is_read_in_the_order_of_its_spine(tmp_path: Path) -> None:
    code = "<pre># a comment\nrun()\n\nstop()</pre>"
    raw = "<p><![CDATA[a < b & c]]></p>"
    parts = {
        "mimetype": b"application/epub+zip",
        "META-INF/container.xml": CONTAINER.encode(),
        "OPS/book.opf": PACKAGE.encode(),
        "OPS/nav.xhtml": PAGE.format("<nav>never shown</nav>").encode(),
        "OPS/text/chapter 1.xhtml": PAGE.format("<h1>Last</h1><p>2<sup>7</sup> é</p>").encode(),
        "OPS/b.xhtml": PAGE.format(f"<h1>First</h1>{code}<ul><li>x</li></ul>{raw}").encode(),
    }

    document = read(tmp_path / "a.epub", zip_file(parts))

    assert document.title == "The room"
    assert document.text == (
        "# First\n\n    # a comment\n    run()\n\n    stop()\n\n- x\n\na < b & c\n\n# Last\n\n2^7 é"
    )


def test_a_workbook_by_sheets_and_rows(tmp_path: Path) -> None:
    from openpyxl import Workbook

    book = Workbook()
    book.active.title = "Hours"
    for row in (("Place", None, "Hours"), ("Bonn", None, 8), ("Köln", "x", 9.5)):
        book.active.append(row)
    book.create_sheet("Empty")
    book.create_sheet("Secret").append(["never shown"])
    book["Secret"].sheet_state = "hidden"
    book.save(tmp_path / "a.xlsx")

    (document,) = load(tmp_path).documents

    assert document.text == "# Hours\n\nPlace |  | Hours\nBonn |  | 8\nKöln | x | 9.5"


def test_slides_with_lists_tables_and_notes(tmp_path: Path) -> None:
    from pptx import Presentation
    from pptx.util import Inches

    deck = Presentation()
    deck.core_properties.title = ""
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Opening hours"
    frame = slide.placeholders[1].text_frame
    frame.text = "Every day"
    frame.add_paragraph().text = "from nine"
    frame.paragraphs[1].level = 1
    table = slide.shapes.add_table(2, 2, *[Inches(1)] * 4).table
    for number, word in enumerate(("Place", "Hours", "Bonn", "8")):
        table.cell(number // 2, number % 2).text = word
    slide.notes_slide.notes_text_frame.text = "Keys are free."
    deck.slides.add_slide(deck.slide_layouts[6])
    deck.save(str(tmp_path / "a.pptx"))

    (document,) = load(tmp_path).documents

    assert document.title == "A"
    assert document.text == (
        "# Opening hours\n\n- Every day\n  - from nine\n\nPlace | Hours\nBonn | 8\n\nKeys are free."
    )


def test_slides_have_the_title_of_their_file(tmp_path: Path) -> None:
    from pptx import Presentation

    deck = Presentation()
    deck.core_properties.title = "Guide to the museum"
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Opening hours"
    slide.placeholders[1].text_frame.text = "The museum opens at nine every day."
    deck.save(str(tmp_path / "a.pptx"))

    (document,) = load(tmp_path).documents

    assert document.title == "Guide to the museum"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.ipynb", "[1]", "damaged"),
        ("a.ipynb", '{"cells": [1]}', "damaged"),
        ("a.epub", "text", "damaged"),
        ("a.epub", zip_file({"a": b"x"}), "damaged"),
        ("a.md", "<b>" * 3_000 + "x", "nested too deeply"),
        ("a.xlsx", zip_file({"a": b"x"}), "damaged"),
        ("a.pptx", zip_file({"a": b"x"}), "damaged"),
        ("a.xlsx", b"\xd0\xcf\x11\xe0" + bytes(600), "it is encrypted"),
        ("a.pptx", zip_file({"a": b"\0" * 30_000_000}), "bytes when unpacked"),
    ],
)
def test_what_is_damaged_locked_or_a_bomb_is_left_out(
    tmp_path: Path, name: str, content: str | bytes, said: str
) -> None:
    write(tmp_path / name, content)

    with pytest.raises(KnowledgeBaseError, match=said):
        load(tmp_path)


def test_an_archive_with_a_password_is_left_out(tmp_path: Path) -> None:
    data = bytearray(zip_file({"META-INF/container.xml": b"x"}))
    data[data.rindex(b"PK\x01\x02") + 8] |= 1
    assert zipfile.ZipFile(io.BytesIO(bytes(data))).infolist()[0].flag_bits & 1
    write(tmp_path / "a.epub", bytes(data))

    with pytest.raises(KnowledgeBaseError, match="it is encrypted"):
        load(tmp_path)


@pytest.mark.parametrize(("name", "package"), [("a.xlsx", "openpyxl"), ("a.pptx", "pptx")])
def test_without_the_extra_the_reason_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, package: str
) -> None:
    path = write(tmp_path / name, zip_file({"a": b"x"}))
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(UnusableFile, match=r"pip install 'uaeval\[office\]'"):
        read_file(path, name, ReadSettings())
