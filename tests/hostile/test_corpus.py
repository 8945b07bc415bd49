"""The hostile files are read in time and memory; each gives documents or one line that says why."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest
from tests.hostile.corpus import write_corpus
from tests.hostile.read_corpus import read_corpus

from uaeval.knowledge.readers import read_file
from uaeval.knowledge.reading import ReadSettings, UnusableFile
from uaeval.knowledge.worker import FileWorker

pytestmark = pytest.mark.slow

SAID = {
    "docx/bomb.docx": "bytes when unpacked",
    "docx/empty-xml.docx": "damaged",
    "docx/empty-zip.docx": "damaged",
    "json/deep-list.jsonl": "not JSON",
    "text/zeros.txt": "binary",
    "pdf/cut.pdf": "damaged",
    "notebook/deep.ipynb": "damaged",
    "epub/bomb.epub": "bytes when unpacked",
    "epub/locked.epub": "encrypted",
    "office/locked.xlsx": "encrypted",
    "office/bomb.pptx": "bytes when unpacked",
    "other/unknown.xyz": "files of this kind cannot be read",
}


def test_every_file_is_read_or_left_out_with_a_reason_in_one_line(tmp_path: Path) -> None:
    assert len(write_corpus(tmp_path)) >= 250
    # In a new process: the memory of other tests' children must not count.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=spawn) as pool:
        left_out, kilobytes = pool.submit(read_corpus, tmp_path).result()
    assert kilobytes < 1_000_000
    assert all(reason and "Traceback" not in reason for reason in left_out.values())
    for name, said in SAID.items():
        assert said in left_out[name], name
    assert not {name for name in left_out if name.startswith("markdown/front-")}
    whole = "pdf/whole.pdf", "epub/whole.epub", "office/whole.xlsx", "office/whole.pptx"
    assert not {*whole} & left_out.keys()


def test_a_file_that_takes_too_long_is_left_out_and_the_next_one_read(tmp_path: Path) -> None:
    write_corpus(tmp_path)
    slow, whole = tmp_path / "html" / "attributes.html", tmp_path / "pdf" / "whole.pdf"
    with (
        FileWorker(read_file, seconds=1.5) as worker,
        pytest.raises(UnusableFile, match=r"takes more than 1\.5 s"),
    ):
        worker.read(slow, slow.name, ReadSettings())
    with FileWorker(read_file) as worker:
        assert worker.read(whole, whole.name, ReadSettings()).documents
