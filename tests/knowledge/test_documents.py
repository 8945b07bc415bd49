import io
import json
import os
import zipfile
from pathlib import Path

import pytest
from datasets import Dataset, DatasetDict

from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.documents import ReadSettings, fingerprint, load, write_folder
from uaeval.records import Document

SENTENCE = "Every employee may borrow up to 240 hours of sick leave in a calendar year."
CUT = SENTENCE.index("sick")
WORD_XML = (
    '<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/'
    '2006/main"><w:body><w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Leave</w:t></w:r>'
    f"</w:p><w:p><w:r><w:t>{SENTENCE}</w:t></w:r></w:p></w:body></w:document>"
)
CONTENT_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
    'content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
    'relationships+xml"/>'
    '<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-'
    'officedocument.wordprocessingml.document.main+xml"/></Types>'
)
RELATIONS = (
    '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/'
    'relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/'
    'relationships/officeDocument" Target="word/document.xml"/></Relationships>'
)


def word_file(extra: bytes = b"") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", CONTENT_TYPES)
        archive.writestr("_rels/.rels", RELATIONS)
        archive.writestr("word/document.xml", WORD_XML)
        if extra:
            archive.writestr("word/media/filler.bin", extra)
    return buffer.getvalue()


def pdf_file(lines: list[str]) -> bytes:
    shown = " ".join(f"({line}) Tj T*" for line in lines)
    return pdf_pages([f"BT /F1 11 Tf 14 TL 72 720 Td {shown} ET"])


def pdf_pages(streams: list[str]) -> bytes:
    kids = " ".join(f"{number} 0 R" for number in range(4, 4 + 2 * len(streams), 2))
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids.encode(), len(streams)),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    for number, stream in enumerate(streams):
        objects += [
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R"
            b"/Resources<</Font<</F1 3 0 R>>>>>>" % (5 + 2 * number),
            b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream.encode()),
        ]
    data, offsets = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(data))
        data += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    size, start = len(objects) + 1, len(data)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    return (
        data
        + b"xref\n0 %d\n0000000000 65535 f \n%s" % (size, table)
        + b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (size, start)
    )


def write(path: Path, content: str | bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def jsonl(path: Path, rows: list[dict[str, object]]) -> Path:
    return write(path, "".join(json.dumps(row) + "\n" for row in rows))


def test_a_folder_is_read_in_the_order_of_ids_without_hidden_files(tmp_path: Path) -> None:
    write(tmp_path / "b" / "leave_policy.md", "Second.")
    write(tmp_path / "a.txt", "First.")
    write(tmp_path / ".git" / "c.md", "Hidden.")
    write(tmp_path / ".d.md", "Hidden.")

    loaded = load(tmp_path)

    assert [(d.id, d.title, d.text) for d in loaded.documents] == [
        ("a.txt", "A", "First."),
        ("b/leave_policy.md", "Leave policy", "Second."),
    ]
    assert loaded.skipped == ()


def test_every_kind_of_file_gives_clean_text(tmp_path: Path) -> None:
    page = "<html><head><title>Leave</title></head><body><nav><a href='/'>Home</a></nav><article>"
    page += f"<h1>Leave rules</h1><p>{SENTENCE} {SENTENCE}</p><h2>Who</h2><p>{SENTENCE}</p>"
    write(tmp_path / "page.html", page + "</article></body></html>")
    write(tmp_path / "word.docx", word_file())
    write(tmp_path / "print.pdf", pdf_file([SENTENCE[:CUT], SENTENCE[CUT:].strip()]))

    texts = {document.id: document.text for document in load(tmp_path).documents}

    assert texts["word.docx"] == f"# Leave\n\n{SENTENCE}"
    assert SENTENCE in texts["print.pdf"]
    assert "## Who" in texts["page.html"]
    assert SENTENCE in texts["page.html"]
    assert "Home" not in texts["page.html"]


def test_hard_wrapped_text_has_its_sentences_on_one_line(tmp_path: Path) -> None:
    write(
        tmp_path / "a.txt",
        "Title\n\n" + SENTENCE[:CUT] + "\n" + SENTENCE[CUT:].strip() + "\n\n- x\n- y",
    )

    assert load(tmp_path).documents[0].text == f"Title\n\n{SENTENCE}\n\n- x\n- y"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_text_is_decoded_whatever_its_encoding(tmp_path: Path, encoding: str) -> None:
    text = "Für Überstunden gilt: höchstens zehn Stunden täglich, außer während der Prüfung."
    write(tmp_path / "a.txt", text.encode(encoding))

    assert load(tmp_path).documents[0].text == text


def test_one_bad_file_among_good_ones_is_left_out_and_named(tmp_path: Path) -> None:
    write(tmp_path / "good.md", "Text.")
    write(tmp_path / "empty.md", "---\ntitle: Only that\n---\n")
    write(tmp_path / "binary.txt", b"\x00\x01\x02" * 50)
    write(tmp_path / "bad.pdf", b"%PDF-1.7 garbage")
    write(tmp_path / "bad.docx", b"PK\x03\x04 garbage")
    write(tmp_path / "bomb.docx", word_file(b"\0" * 30_000_000))
    write(tmp_path / "film.mp4", b"....")
    write(tmp_path / "large.txt", "a" * 2_000)

    loaded = load(tmp_path, settings=ReadSettings(max_file_bytes=1_000_000))
    small = load(tmp_path, settings=ReadSettings(max_file_bytes=1_000))

    reasons = {skipped.source: skipped.reason for skipped in loaded.skipped}
    assert [document.id for document in loaded.documents] == ["good.md", "large.txt"]
    assert sorted(reasons) == [
        "bad.docx", "bad.pdf", "binary.txt", "bomb.docx", "empty.md", "film.mp4"
    ]  # fmt: skip
    assert "unpack" in reasons["bomb.docx"]
    assert any("limit is 1,000: split it" in skipped.reason for skipped in small.skipped)


def test_links_that_loop_are_followed_once(tmp_path: Path) -> None:
    write(tmp_path / "a" / "x.md", "Text.")
    (tmp_path / "a" / "loop").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "broken.md").symlink_to(tmp_path / "nowhere.md")

    loaded = load(tmp_path)

    assert [document.id for document in loaded.documents] == ["a/x.md"]
    assert [skipped.source for skipped in loaded.skipped] == ["broken.md"]


def test_a_pipe_is_left_out_instead_of_waited_for(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "Text.")
    os.mkfifo(tmp_path / "pipe.md")

    assert [skipped.source for skipped in load(tmp_path).skipped] == ["pipe.md"]


@pytest.mark.parametrize("content", [{}, {"a.bin": b"\0"}, {"a.md": b""}])
def test_nothing_usable_is_an_error(tmp_path: Path, content: dict[str, bytes]) -> None:
    for name, data in content.items():
        write(tmp_path / name, data)

    with pytest.raises(KnowledgeBaseError, match="nothing usable"):
        load(tmp_path)


def test_a_missing_source_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeBaseError, match="no such file or folder"):
        load(tmp_path / "nowhere")


def test_a_beir_folder_is_its_corpus(tmp_path: Path) -> None:
    jsonl(tmp_path / "corpus.jsonl", [{"_id": "d2", "title": "T", "text": "B"},
                                      {"_id": "d1", "title": "", "text": "A"}])  # fmt: skip
    jsonl(tmp_path / "queries.jsonl", [{"_id": "q", "text": "?"}])

    assert [(d.id, d.title, d.text) for d in load(tmp_path).documents] == [
        ("d1", "d1", "A"),
        ("d2", "T", "B"),
    ]


def test_questions_with_their_answers_are_read(tmp_path: Path) -> None:
    path = tmp_path / "faq.csv"
    path.write_text("question,answer,category\nIs there a lift?,At the north gate.,House\n")

    (document,) = load(path).documents

    assert (document.title, document.text) == ("Is there a lift?", "At the north gate.")


def test_a_context_is_the_text_and_no_answer_takes_its_place(tmp_path: Path) -> None:
    path = tmp_path / "squad.csv"
    path.write_text("title,context,question,answer\nLift,The lift is at the gate.,Where?,Gate\n")

    (document,) = load(path).documents

    assert (document.title, document.text) == ("Lift", "The lift is at the gate.")


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.parquet"])
def test_tables_are_read_with_guessed_or_named_fields(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    data = Dataset.from_dict({"id": [1, 2], "Title": ["A", "B"], "body": ["x; y", None]})
    if name.endswith("parquet"):
        data.to_parquet(path)
    else:
        data.to_csv(path, index=False, sep="\t" if name.endswith("tsv") else ",")

    loaded = load(path)
    named = load(path, settings=ReadSettings(text_field="Title", title_field="body"))

    assert [(d.id, d.title, d.text) for d in loaded.documents] == [("1", "A", "x; y")]
    assert len(loaded.skipped) == 1
    assert [d.text for d in named.documents] == ["A", "B"]


def test_rows_in_a_folder_have_ids_below_their_file(tmp_path: Path) -> None:
    jsonl(tmp_path / "a.jsonl", [{"id": 1, "text": "A"}])
    jsonl(tmp_path / "b.jsonl", [{"id": 1, "text": "B"}])

    assert [d.id for d in load(tmp_path).documents] == ["a.jsonl/1", "b.jsonl/1"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ('{"id": 1, "text": "a"}\n{"id": 1, "text": "b"}\n', r"a\.jsonl:2.*a\.jsonl:1"),
        ("{}\nnot json\n", r"a\.jsonl:1.*fields found: none"),
        ("[1]\n", r"a\.jsonl:1.*not a JSON object"),
        ('{"id": 1, "words": "a"}\n', r"a\.jsonl:1.*fields found: id, words"),
        ('{"text": ["a"]}\n', r"has a list"),
    ],
)
def test_malformed_rows_name_their_line(tmp_path: Path, lines: str, message: str) -> None:
    with pytest.raises(KnowledgeBaseError, match=message):
        load(write(tmp_path / "a.jsonl", lines))


@pytest.mark.slow
def test_no_row_of_a_long_file_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("".join(f'{{"text": "Rule {number}."}}\n' for number in range(200_001)))

    loaded = load(path)

    assert len(loaded.documents) == 200_001
    assert not loaded.skipped


def test_saved_datasets_are_read_from_disk(tmp_path: Path) -> None:
    part = Dataset.from_dict({"doc_id": ["x"], "title": ["T"], "content": ["Text."]})
    other = Dataset.from_dict({"doc_id": ["y"], "title": ["U"], "content": ["More."]})
    part.save_to_disk(tmp_path / "one")
    DatasetDict({"train": part, "test": other}).save_to_disk(tmp_path / "two")

    assert [d.id for d in load(tmp_path / "one").documents] == ["x"]
    assert [d.text for d in load(tmp_path / "two").documents] == ["Text.", "More."]


def test_documents_written_to_a_folder_come_back_the_same(tmp_path: Path) -> None:
    documents = tuple(
        Document(id=identity, title=title, text=text, source="x")
        for identity, title, text in [
            ("../a/b.md", "Ünder: 'the' #1", "# Head\n\n*not* {{ markup }} <b>\n\n---\nx"),
            ("2024-01-01", "12", "    indented\n- [x] list"),
            ("q", "q", "Text."),
        ]
    )
    write_folder(documents, tmp_path / "new")

    again = load(tmp_path / "new").documents

    assert [(d.id, d.title, d.text) for d in again] == [(d.id, d.title, d.text) for d in documents]
    with pytest.raises(KnowledgeBaseError, match="empty folder"):
        write_folder(documents, tmp_path / "new")


def test_the_fingerprint_follows_paths_and_bytes(tmp_path: Path) -> None:
    write(tmp_path / "a.md", "Text.")
    before = fingerprint(tmp_path)
    assert fingerprint(tmp_path) == before

    write(tmp_path / "a.md", "Text!")
    changed = fingerprint(tmp_path)
    (tmp_path / "a.md").rename(tmp_path / "b.md")

    assert len({before, changed, fingerprint(tmp_path)}) == 3
    with pytest.raises(KnowledgeBaseError, match="no such"):
        fingerprint(tmp_path / "nowhere")
