"""Write files that try to break a reader: damaged, nested, bombs, wrongly declared.

`python -m tests.hostile.corpus FOLDER` writes them all. None is larger than 3 MB.
"""

import csv
import gzip
import io
import json
import random
import struct
import sys
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

SIZE = 570_000
"""Characters of the files that repeat one sign."""
NESTED = 20_000
WHOLE = "# Reading room\n\nThe reading room opens at nine. Lockers cost two euros.\n"


def hostile_files() -> Iterator[tuple[str, bytes]]:
    """Yield the name and the bytes of each file."""
    for kind, files in (
        ("markdown", _markdown()),
        ("text", _text()),
        ("html", _html()),
        ("json", _json_lines()),
        ("csv", _csv()),
        ("pdf", _pdf()),
        ("docx", _docx()),
        ("parquet", _parquet()),
        ("markup", _markup()),
        ("notebook", _notebooks()),
        ("epub", _epub()),
        ("office", _office()),
        ("other", _other()),
    ):
        for name, data in files:
            yield f"{kind}/{name}", data


def write_corpus(folder: Path) -> list[str]:
    """Write the files below `folder`; return their names."""
    names = []
    for name, data in hostile_files():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        names.append(name)
    return names


def _markdown() -> Iterator[tuple[str, bytes]]:
    fronts = {
        "impossible-date": "date: 2026-99-99",
        "impossible-timestamp": "date: 2026-01-01 99:99:99",
        "long-integer": f"order: {'9' * 6000}",
        "nested-list": f"title: {'[' * NESTED}",
        "nested-map": "".join("{a: " for _ in range(NESTED)),
        "aliases": "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: &d [*c, *c]\ne: [*d, *d]",
        "alias-bomb": "a: &a [x,x,x,x,x,x,x,x,x]\n"
        + "\n".join(
            f"{chr(98 + n)}: &{chr(98 + n)} [{','.join([f'*{chr(97 + n)}'] * 9)}]" for n in range(9)
        ),
        "tag": "title: !!python/object/apply:os.system ['true']",
        "tabs": "\ttitle:\t\tx",
        "binary": "title: !!binary /w==",
        "unclosed": "title: 'x",
        "merge": "<<: [1, 2]\ntitle: x",
        "octal": "date: 0o99999999999999999999999",
        "infinite": "date: .inf\ntitle: .nan",
        "sexagesimal": "date: 99999999:59:59",
        "recursive": "a: &a [*a]",
        "long-key": f"? {'k' * 2000}\n: x",
        "anchor": f"title: &{'a' * 5000} x",
        "null-key": "? \n: x",
        "list-key": "? [a, b]\n: x",
    }
    for name, front in fronts.items():
        yield f"front-{name}.md", f"---\n{front}\n---\n\n{WHOLE}".encode()
    repeated = {
        "output-tags": "{{ a | b ",
        "block-tags": "{% a 'b' ",
        "raw": "{% raw %}",
        "comment": "{% comment %}x ",
        "links": "[a](",
        "destinations": "](a{{b}} ",
        "attributes": "='{{a}} ",
        "brackets": "[",
        "images": "![",
        "stars": "*a_",
        "ticks": "` `` ``` ",
        "quotes": "> " * 50 + "\n",
        "lists": "- " * 50 + "\n",
        "tags": "<a ",
        "comments": "<!-- ",
        "entities": "&amp",
        "tables": "| a " * 50 + "\n",
        "headings": "# #\n",
        "definitions": "[a]: <",
        "autolinks": "<http://",
        "footnotes": "[^a",
        "html": "<div>\n",
        "breaks": "a  \n",
        "cdata": "<![CDATA[",
    }
    for name, unit in repeated.items():
        yield f"many-{name}.md", (unit * (SIZE // len(unit) // 4)).encode()
    yield "deep-quote.md", (">" * NESTED + " x").encode()
    yield "deep-list.md", "".join(" " * n + "- x\n" for n in range(600)).encode()


def _text() -> Iterator[tuple[str, bytes]]:
    yield "empty.txt", b""
    yield "spaces.txt", b" \n\t" * 1000
    yield "zeros.txt", b"\0" * 1000
    yield "random.txt", random.Random(0).randbytes(100_000)
    yield "one-line.txt", b"word " * (SIZE // 5)
    yield "one-word.txt", b"a" * SIZE
    yield "lines.txt", b"\n" * SIZE
    yield "returns.txt", b"a\r" * (SIZE // 2)
    yield "half-characters.txt", b"caf\xe9 \xff\xfe\xfd" * 1000
    yield "overlong.txt", b"\xc0\xaf\xe0\x80\xaf" * 1000
    yield "surrogates.txt", b"\xed\xa0\x80" * 1000
    yield "bom-only.txt", b"\xef\xbb\xbf"
    yield "utf16-odd.txt", "half a word".encode("utf-16") + b"\0"
    yield "utf32-broken.txt", b"\xff\xfe\0\0" + b"\xff" * 401
    yield "controls.txt", bytes(range(1, 32)) * 1000
    yield "right-to-left.txt", ("\u202e" * 1000 + "abc").encode()
    yield "combining.txt", ("a" + "\u0301" * 100_000).encode()
    yield "separators.txt", ("a\u2028b\u2029" * 10_000).encode()
    yield "private.txt", ("\ue000\ue001\ue002\ue00f 12 percent" * 1000).encode()
    yield "noncharacters.txt", ("\ufffe\uffff\ufdd0" * 1000).encode()
    yield "numbers.txt", ("9" * 5000 + " 1,000,000,000 " * 5000).encode()
    yield "hyphens.txt", b"word-\n" * 50_000


def _html() -> Iterator[tuple[str, bytes]]:
    body = "<h1>Reading room</h1><p>The reading room opens at nine in the morning.</p>" * 3
    charsets = "undefined", "punycode", "idna", "hex", "rot13", "base64", "utf-7", "x" * 300, "\\0"
    for charset in charsets:
        page = f'<html><head><meta charset="{charset}"></head><body>{body}</body></html>'
        yield f"charset-{charset[:10].strip(chr(92))}.html", page.encode()
    yield "zip-charset.html", f'<meta charset="zip"><body>{body}'.encode()
    yield "deep.html", ("<div>" * NESTED + body).encode()
    yield "deep-spans.html", ("<span>" * NESTED + body).encode()
    yield "deep-tables.html", ("<table><tr><td>" * 5000 + body).encode()
    yield "attributes.html", f"<p {' '.join(f'a{n}=1' for n in range(50_000))}>{body}".encode()
    yield "long-attribute.html", f'<p title="{"x" * 1_000_000}">{body}'.encode()
    yield "entities.html", ("&lt;" * (SIZE // 4)).encode()
    yield "bad-entities.html", ("&#99999999999;&#x;&nosuch;" * 10_000).encode()
    yield "unclosed.html", ("<p><b><i>" * 10_000).encode()
    yield "comment.html", f"<!-- {body}".encode()
    yield "script.html", f"<script>{'while(1);' * 10_000}</script>{body}".encode()
    yield "cdata.html", f"<![CDATA[{body}".encode()
    yield (
        "doctype.html",
        (
            '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
            + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
            + f"]><p>&j;</p>{body}"
        ).encode(),
    )
    yield (
        "external.html",
        (f'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><p>&a;</p>{body}'.encode()),
    )
    yield "null.html", f"<p>\0{body}\0".encode()
    yield "frames.html", (f"<iframe srcdoc='{body}'>" * 1000).encode()
    yield "xml.xhtml", f'<?xml version="1.0" encoding="undefined"?><html>{body}</html>'.encode()


def _json_lines() -> Iterator[tuple[str, bytes]]:
    rows = {
        "deep-list": "[" * 100_000,
        "deep-object": '{"text": ' * 50_000,
        "not-object": "[1, 2, 3]",
        "long-integer": f'{{"id": {"9" * 6000}, "text": "x"}}',
        "infinite": '{"id": Infinity, "text": "x"}',
        "surrogate": '{"id": 1, "text": "\\ud800"}',
        "null": '{"id": null, "text": null}',
        "list-text": '{"id": 1, "text": ["x"]}',
        "object-text": '{"id": 1, "text": {"a": 1}}',
        "twice": '{"id": 1, "text": "x"}\n{"id": 1, "text": "y"}',
        "no-text": '{"id": 1}',
        "impossible-date": '{"id": 1, "text": "x", "date": "2026-99-99"}',
        "huge-date": '{"id": 1, "text": "x", "date": 1e308}',
        "broken": '{"id": 1, "text": "x',
        "zeros": '{"id": 1, "text": "\\u0000"}',
        "long-id": f'{{"id": "{"i" * 100_000}", "text": "x"}}',
        "slash-id": '{"id": "../../../etc/passwd", "text": "x"}',
        "empty-key": '{"": "", "text": "x"}',
        "many-keys": json.dumps({f"k{n}": n for n in range(50_000)} | {"text": "x"}),
        "duplicate-keys": '{"text": "x", "text": "y", "id": 1, "id": 2}',
    }
    for name, text in rows.items():
        yield f"{name}.jsonl", text.encode()
    yield "separators.jsonl", '{"id": 1, "text": "a\u2028b\x85c"}\n'.encode()
    yield "gzip.jsonl", gzip.compress(b'{"id": 1, "text": "x"}')
    yield "long-line.jsonl", b'{"id": 1, "text": "' + b"x" * 2_000_000 + b'"}'


def _csv() -> Iterator[tuple[str, bytes]]:
    yield "empty.csv", b""
    yield "header.csv", b"id,text\n"
    yield "open-quote.csv", b'id,text\n1,"' + b"x" * SIZE
    yield "quotes.csv", b"id,text\n" + b'"' * SIZE
    yield "bare-return.csv", b"id,text\r1,x\r2,y\r"
    yield "zeros.csv", b"id,text\n1,a\0b\n"
    yield "many-columns.csv", ",".join(f"c{n}" for n in range(50_000)).encode() + b"\n1\n"
    yield "twice.csv", b"text,text,text\na,b,c\n"
    yield "ragged.csv", b"id,text\n1\n1,2,3,4\n,,,\n"
    yield "formula.csv", b"id,text\n1,=cmd|' /C calc'!A0\n"
    yield "no-header.csv", b"\n\n\n1,x\n"
    yield "latin.csv", "id,text\n1,café\n".encode("latin-1")
    yield "utf16.tsv", "id\ttext\n1\tx\n".encode("utf-16")
    cell = io.StringIO()
    csv.writer(cell).writerow(["1", "x\n" * 100_000])
    yield "lines-in-cell.csv", b"id,text\n" + cell.getvalue().encode()


def _pdf() -> Iterator[tuple[str, bytes]]:
    page = b"BT /F1 12 Tf 72 700 Td (The reading room opens at nine.) Tj ET"
    press = zlib.compressobj(9)
    bomb = b"".join(press.compress(b"BT (a) Tj ET " * 20_000) for _ in range(1_000))
    bomb += press.flush()
    whole = pdf_file(page)
    yield "whole.pdf", whole
    yield "bomb.pdf", pdf_file(bomb, "/FlateDecode")
    yield "double-bomb.pdf", pdf_file(zlib.compress(bomb, 9), "[/FlateDecode /FlateDecode]")
    yield "loop.pdf", whole.replace(b"/Kids [3 0 R]", b"/Kids [2 0 R]")
    yield "self-length.pdf", whole.replace(b"/Length", b"/Length 4 0 R /X", 1)
    yield "no-root.pdf", whole.replace(b"/Root", b"/Boot")
    yield "no-pages.pdf", whole.replace(b"/Pages", b"/Wages")
    yield "cut.pdf", whole[: len(whole) // 2]
    yield "header.pdf", b"%PDF-1.7\n"
    yield "not.pdf", b"This is text."
    yield "filter.pdf", pdf_file(page, "/NoSuchDecode")
    yield "bad-flate.pdf", pdf_file(b"\x78\x9c" + b"\xff" * 100, "/FlateDecode")
    yield "deep-array.pdf", whole.replace(b"/Kids [3 0 R]", b"/Kids " + b"[" * NESTED)
    yield "deep-dict.pdf", whole.replace(b"/Type /Catalog", b"/A " + b"<< /A " * NESTED)
    yield "operators.pdf", pdf_file(b"q " * 200_000 + page)
    yield "large-numbers.pdf", pdf_file(page.replace(b"700", b"9" * 5000))
    yield "encrypted.pdf", whole.replace(b"/Root 1 0 R", b"/Root 1 0 R /Encrypt 9 0 R")
    yield "ascii85.pdf", pdf_file(b"z" * 100_000, "[/ASCII85Decode /ASCIIHexDecode]")
    yield "lzw.pdf", pdf_file(b"\x80" * 10_000, "/LZWDecode")
    yield "count.pdf", whole.replace(b"/Count 1", b"/Count 99999999999")


def pdf_file(content: bytes, filters: str = "") -> bytes:
    """Return a PDF of one page with this content."""
    named = f" /Filter {filters}".encode() if filters else b""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
        b"/Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d%b >>\nstream\n%b\nendstream" % (len(content), named, content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    data, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(data))
        data += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    size = len(objects) + 1
    head = b"xref\n0 %d\n0000000000 65535 f \n" % size
    tail = b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, len(data))
    return data + head + table + tail


def _docx() -> Iterator[tuple[str, bytes]]:
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    text = f'<w:document xmlns:w="{word}"><w:body><w:p><w:r><w:t>{{}}</w:t></w:r></w:p></w:body>'
    whole = text.format("The reading room opens at nine.") + "</w:document>"
    entity = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    external = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
    deep = "<w:tbl><w:tr><w:tc>" * 5000
    yield "whole.docx", docx_file(whole)
    yield "bomb.docx", docx_file(text.format("a" * 30_000_000) + "</w:document>")
    yield "entities.docx", docx_file(entity + whole.replace("The", "&b;"))
    yield "external.docx", docx_file(external + whole.replace("The", "&a;"))
    yield "deep.docx", docx_file(whole.replace("<w:p>", deep + "<w:p>"))
    yield "broken-xml.docx", docx_file(whole[:-20])
    yield "empty-xml.docx", docx_file("")
    yield "cut.docx", docx_file(whole)[:300]
    yield "not.docx", b"This is text."
    yield "empty-zip.docx", zip_file({})
    yield "paths.docx", zip_file({"../../x": b"x", "/etc/passwd": b"x"})
    yield "many-files.docx", zip_file({f"f{n}": b"" for n in range(5000)})
    yield "itself.docx", zip_file({"word/document.xml": docx_file(whole)})


def docx_file(document: str) -> bytes:
    """Return a Word file with this main part."""
    package = "http://schemas.openxmlformats.org/package/2006"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
    types = (
        f'<Types xmlns="{package}/content-types">'
        f'<Override PartName="/word/document.xml" ContentType="{kind}"/></Types>'
    )
    relations = (
        f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="r1" Type="{office}" Target="word/document.xml"/></Relationships>'
    )
    return zip_file(
        {
            "[Content_Types].xml": types.encode(),
            "_rels/.rels": relations.encode(),
            "word/document.xml": document.encode(),
        }
    )


def zip_file(parts: dict[str, bytes]) -> bytes:
    """Return a ZIP archive."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return data.getvalue()


def _markup() -> Iterator[tuple[str, bytes]]:
    """Yield reStructuredText, AsciiDoc and LaTeX."""
    many = {
        "rst": ("- x\n", ":a:`", ".. a::\n", ".. _a: b_\n", "> > >\n", "a\n=\n\n"),
        "adoc": ("* x\n", "|===\n", "----\n", "a::\n", "[[a]] ", "link:a[", "<<a,", "*a", "a~",
                 "= a\n", "|a |b\n", "https://", "footnote:[", "(((a", ":a: {a}{a}\n"),
        "tex": ("\\a{", "\\begin{itemize}", "\\item[", "$a", "\\frac{a}{", "\\begin{verbatim}",
                "\\verb|", "\\begin{tabular}{l}", "\\title{", "% ", "^{", "\\[", "a & b \\\\"),
    }  # fmt: skip
    for kind, units in many.items():
        for number, unit in enumerate(units):
            yield f"many-{number}.{kind}", (unit * (SIZE // len(unit) // 32)).encode()
        yield f"binary.{kind}", b"\x89PNG\0" * 100
        yield f"control.{kind}", bytes(range(1, 32)) * 100
    deep = "".join("  " * n + "- x\n\n" for n in range(300))
    yield "deep.rst", deep.encode()
    yield (
        "include.rst",
        b".. include:: /etc/passwd\n\n.. raw:: html\n   :file: /etc/passwd\n\nText.\n",
    )
    yield "url.rst", b".. csv-table:: x\n   :url: http://127.0.0.1:9/x\n\nText.\n"
    yield "recursion.rst", b".. |a| replace:: |b|\n.. |b| replace:: |a|\n\n|a|\n"
    yield "braces.tex", ("{" * NESTED + "x" + "}" * NESTED).encode()
    yield "commands.tex", ("\\emph{" * 5000 + "x" + "}" * 5000).encode()
    yield "input.tex", b"\\input{/etc/passwd} \\include{/etc/passwd} Text.\n"
    yield "include.adoc", b"include::/etc/passwd[]\n\nText.\n"


def _notebooks() -> Iterator[tuple[str, bytes]]:
    yield "deep.ipynb", b'{"cells": ' + b"[" * 100_000
    yield "broken.ipynb", b'{"cells": [{"cell_type": "code", "source'
    for name, value in {
        "list": [],
        "no-cells": {},
        "cells": {"cells": {"a": 1}},
        "cell": {"cells": [None, 1]},
        "source": {"cells": [{"cell_type": "markdown", "source": {"a": 1}}]},
        "level": {"cells": [{"cell_type": "heading", "level": "x", "source": "a"}]},
        "sheets": {"worksheets": 3},
        "surrogate": {"cells": [{"cell_type": "code", "source": "\ud800"}]},
        "output": {"cells": [{"cell_type": "code", "source": "x", "outputs": ["y" * 1_000_000]}]},
    }.items():
        yield f"{name}.ipynb", json.dumps(value).encode()


def _epub() -> Iterator[tuple[str, bytes]]:
    rootfile = '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>'
    item = '<item id="{0}" href="{1}" media-type="text/html"/>'
    book = "<package><manifest>{}</manifest><spine>{}</spine></package>"
    whole = book.format(item.format("p", "p.html"), '<itemref idref="p"/>')
    entity = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + "".join(
        f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9)
    )
    page = "<h1>Room</h1><p>The reading room opens at nine.</p>"
    parts = {"META-INF/container.xml": rootfile, "a.opf": whole, "p.html": page}
    changes = {
        "whole": {},
        "bomb": {"p.html": "a" * 30_000_000},
        "deep": {"p.html": "<div>" * NESTED + page},
        "entities": {"a.opf": f"{entity}]><package><title>&j;</title></package>"},
        "external": {"a.opf": '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'},
        "no-package": {"a.opf": ""},
        "outside": {"META-INF/container.xml": rootfile.replace("a.opf", "../../../etc/passwd")},
        "outside-page": {"a.opf": whole.replace("p.html", "../../etc/passwd")},
        "page-often": {
            "a.opf": whole.replace("</spine>", '<itemref idref="p"/>' * 20_000 + "</spine>")
        },
        "same-page": {
            "a.opf": book.format(
                "".join(item.format(f"p{n}", "p.html") for n in range(20_000)),
                "".join(f'<itemref idref="p{n}"/>' for n in range(20_000)),
            )
        },
        "deep-package": {"a.opf": "<a>" * 100_000},
    }  # fmt: skip
    for name, changed in changes.items():
        files = {path: text.encode() for path, text in {**parts, **changed}.items()}
        yield f"{name}.epub", zip_file(files)
    data = zip_file({path: text.encode() for path, text in parts.items()})
    yield "cut.epub", data[: len(data) // 2]
    yield "not.epub", b"This is text."
    yield "locked.epub", _locked(data)


def _locked(data: bytes) -> bytes:
    """Return a ZIP archive whose first entry says that it is encrypted."""
    changed = bytearray(data)
    changed[6] |= 1
    changed[changed.index(b"PK\x01\x02") + 8] |= 1
    return bytes(changed)


def _office() -> Iterator[tuple[str, bytes]]:
    """Yield Excel and PowerPoint files."""
    from openpyxl import Workbook
    from pptx import Presentation

    workbook, deck = Workbook(), Presentation()
    workbook.active.append(["The reading room opens at nine."])
    slide = deck.slides.add_slide(deck.slide_layouts[5])
    slide.shapes.title.text = "The reading room opens at nine."
    main = {"xlsx": "xl/worksheets/sheet1.xml", "pptx": "ppt/slides/slide1.xml"}
    for kind, made in (("xlsx", workbook), ("pptx", deck)):
        sink = io.BytesIO()
        made.save(sink)
        whole = sink.getvalue()
        with zipfile.ZipFile(sink) as archive:
            parts = {name: archive.read(name) for name in archive.namelist()}
        part = parts[main[kind]]
        changes = {
            "bomb": b"a" * 30_000_000,
            "broken-xml": part[: len(part) // 2],
            "empty-xml": b"",
            "deep": b"<a>" * 200_000,
            "external": b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>',
            "entities": b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>',
            "cells": part.replace(b'r="A1"', b'r="XFD1048576"').replace(b'r="1"', b'r="1048576"'),
        }
        yield f"whole.{kind}", whole
        for name, changed in changes.items():
            yield f"{name}.{kind}", zip_file({**parts, main[kind]: changed})
        yield f"cut.{kind}", whole[: len(whole) // 2]
        yield f"not.{kind}", b"This is text."
        yield f"locked.{kind}", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(1000)
        yield f"locked-part.{kind}", _locked(whole)
        yield f"empty.{kind}", zip_file({})


def _parquet() -> Iterator[tuple[str, bytes]]:
    import pyarrow as arrow
    import pyarrow.parquet as parquet

    sink = io.BytesIO()
    parquet.write_table(arrow.table({"id": ["1", "2"], "text": ["a", "b"]}), sink)
    whole = sink.getvalue()
    yield "whole.parquet", whole
    yield "cut.parquet", whole[: len(whole) // 2]
    yield "magic.parquet", b"PAR1"
    yield "not.parquet", b"This is text."
    yield "footer.parquet", whole[:-8] + struct.pack("<I", 2**31 - 1) + b"PAR1"
    flipped = bytearray(whole)
    for place in range(10, len(flipped) - 10, 7):
        flipped[place] ^= 0xFF
    yield "flipped.parquet", bytes(flipped)
    for name, column in (
        ("nested", [[["x"]]]),
        ("numbers", [1.5]),
        ("nulls", [None]),
        ("bytes", [b"\xff\xfe"]),
        ("structs", [{"a": 1}]),
    ):
        sink = io.BytesIO()
        parquet.write_table(arrow.table({"id": ["1"], "text": column}), sink)
        yield f"{name}.parquet", sink.getvalue()
    sink = io.BytesIO()
    table = arrow.table({"id": ["1"], "text": ["a" * 50_000_000]})
    parquet.write_table(table, sink, use_dictionary=False, write_statistics=False)
    yield "bomb.parquet", sink.getvalue()


def _other() -> Iterator[tuple[str, bytes]]:
    yield "image.md", b"\x89PNG\r\n\x1a\n" + random.Random(1).randbytes(10_000)
    yield "zip.txt", zip_file({"a": b"x"})
    yield "pdf.html", pdf_file(b"BT (a) Tj ET")
    yield "html.pdf", b"<html><p>The reading room opens at nine.</p></html>"
    yield "program.md", b"\x7fELF" + bytes(1000)
    yield "unknown.xyz", b"The reading room opens at nine."
    yield "no-ending", b"The reading room opens at nine."
    yield "MANY.dots.in.name..md", WHOLE.encode()
    yield "line\nbreak.md", WHOLE.encode()
    yield "right\u202eto-left.md", WHOLE.encode()
    yield "-o.md", WHOLE.encode()
    yield "a" * 200 + ".md", WHOLE.encode()


if __name__ == "__main__":
    sys.stdout.write(f"{len(write_corpus(Path(sys.argv[1])))} files\n")
