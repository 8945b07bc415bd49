"""Datasets by name: the real clients over HTTP, against a server of ours that speaks for the Hub.

The clients read `HF_ENDPOINT` when they are imported: every reader is a process of its own.
"""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as arrow
import pyarrow.parquet as parquet
import pytest
from tests.servers.hub import TOKEN, Hub

READ = """
import json, sys
from uaeval.errors import KnowledgeBaseError
from uaeval.knowledge.documents import ReadSettings, fingerprint, load

for address, fields in json.loads(sys.argv[1]):
    try:
        revision = fingerprint(address)
        found = load(address, settings=ReadSettings(**fields))
        documents = [[d.id, d.title, d.text, d.date, d.url, d.source] for d in found.documents]
        print(json.dumps([revision, documents]))
    except KnowledgeBaseError as error:
        print(json.dumps(str(error)))
"""
ONE_ROW = b'{"id": "a", "text": "Text."}\n'
TWO_CONFIGS = b"""---
configs:
- config_name: old
  data_files: old.jsonl
- config_name: new
  data_files: new.jsonl
---
"""


@pytest.fixture
def hub() -> Iterator[Hub]:
    with Hub() as server:
        yield server


def read(hub: Hub | str, place: Path, *addresses: str, token: str = "", **fields: str) -> list[Any]:
    """Load each address; return its fingerprint and documents, or the error message."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HF_")}
    settings = {
        "HF_ENDPOINT": hub if isinstance(hub, str) else hub.url,
        "HF_HOME": str(place / "hf"),
        "HF_HUB_DISABLE_XET": "1",
        "PYTHONPATH": os.pathsep.join(sys.path),
        **({"HF_TOKEN": token} if token else {}),
    }
    asked = json.dumps([[address, fields] for address in addresses])
    done = subprocess.run(
        [sys.executable, "-c", READ, asked],
        check=True, capture_output=True, text=True, env={**kept, **settings}, cwd=place,
    )  # fmt: skip
    return [json.loads(line) for line in done.stdout.splitlines()]


def publish(hub: Hub, name: str, *, private: bool = False, **files: bytes) -> None:
    """Put files under a name; `__` in an argument stands for the dot."""
    hub.repositories[name] = private
    hub.files[name] = {path.replace("__", "."): content for path, content in files.items()}


def test_rows_of_a_dataset_are_documents_and_its_revision_is_its_fingerprint(
    hub: Hub, tmp_path: Path
) -> None:
    table = arrow.table(
        {
            "id": ["x", "y"],
            "title": ["The quay", "The shed"],
            "content": ["It opens at nine.", "It is closed in March."],
            "published": [datetime(2026, 3, 14, tzinfo=UTC), datetime(2026, 3, 15, tzinfo=UTC)],
            "url": ["https://example.org/x", "https://example.org/y"],
        }
    )
    written = io.BytesIO()
    parquet.write_table(table, written)
    publish(hub, "acme/faq")
    hub.files["acme/faq"]["data/train-00000-of-00001.parquet"] = written.getvalue()
    publish(hub, "acme/conf", README__md=TWO_CONFIGS, old__jsonl=ONE_ROW, new__jsonl=ONE_ROW)
    publish(hub, "acme/closed", private=True, train__jsonl=ONE_ROW, test__jsonl=ONE_ROW)

    faq, again, config, split = read(
        hub, tmp_path,
        "hf:acme/faq", "hf:acme/faq:train", "hf:acme/conf/new", "hf:acme/closed:test", token=TOKEN,
    )  # fmt: skip
    hub.commits += 1
    (later,) = read(hub, tmp_path, "hf:acme/faq")

    place = "hf:acme/faq"
    assert faq[1] == [
        ["x", "The quay", "It opens at nine.", "2026-03-14", "https://example.org/x", f"{place}:1"],
        ["y", "The shed", "It is closed in March.", "2026-03-15", "https://example.org/y",
         f"{place}:2"],
    ]  # fmt: skip
    assert [row[:5] for row in again[1]] == [row[:5] for row in faq[1]]
    assert config[1] == [["a", "a", "Text.", None, None, "hf:acme/conf/new:1"]]
    assert split[1] == [["a", "a", "Text.", None, None, "hf:acme/closed:test:1"]]
    assert later[1] == faq[1]
    assert later[0] != faq[0]


def test_unreadable_input_is_reported_in_a_sentence_with_its_remedy(
    hub: Hub, tmp_path: Path
) -> None:
    publish(hub, "acme/closed", private=True, train__jsonl=ONE_ROW)
    publish(hub, "acme/conf", README__md=TWO_CONFIGS, old__jsonl=ONE_ROW, new__jsonl=ONE_ROW)
    publish(hub, "acme/two", train__jsonl=ONE_ROW, test__jsonl=ONE_ROW)
    publish(hub, "acme/words", train__jsonl=b'{"id": "a", "words": "Text."}\n')
    publish(hub, "acme/none", README__md=b"Nothing else.\n")
    publish(hub, "acme/torn", train__parquet=b"PAR1 and no more")
    publish(hub, "acme/here", train__jsonl=ONE_ROW)
    (tmp_path / "acme" / "here").mkdir(parents=True)
    told = {
        "hf:acme/nothing": "no such dataset, or does not show it to you; check the name, and",
        "hf:acme/closed": "set HF_TOKEN or run `hf auth login`",
        "hf:acme/conf:train": "several configs (old, new); choose one of them, as in "
        "hf:acme/conf/old:train",
        "hf:acme/conf/older": "BuilderConfig 'older' not found",
        "hf:acme/two": "several splits (train, test); choose one of them, as in hf:acme/two:train",
        "hf:acme/two:dev": "Bad split: dev. Available splits: ['train', 'test']",
        "hf:acme/words": "no text field (tried text, content, body, contents, page_content, "
        "passage, document, context, answer); fields found: id, words; give its name with "
        "text_field",
        "hf:acme/none": "doesn't contain any data files",
        "hf:acme/torn": "check its name, its files",
        "hf:acme/here": "acme/here is also a folder here",
        "hf:faq": "write hf:namespace/name[/config][:split]",
    }

    found = read(hub, tmp_path, *told)

    for (address, reason), message in zip(told.items(), found, strict=True):
        assert isinstance(message, str), (address, message)
        assert message.startswith(address.removesuffix(":train"))
        assert reason in message
        assert "\n" not in message


def test_a_named_but_missing_field_is_reported(hub: Hub, tmp_path: Path) -> None:
    publish(hub, "acme/faq", train__jsonl=ONE_ROW)

    (told,) = read(hub, tmp_path, "hf:acme/faq", text_field="body")

    assert told == "hf:acme/faq:1: there is no field 'body'; fields found: id, text"


def test_an_unreachable_hub_is_reported(tmp_path: Path) -> None:
    (told,) = read("http://127.0.0.1:9", tmp_path, "hf:acme/faq")

    assert told.startswith("hf:acme/faq: the Hub cannot be reached (")
    assert told.endswith("check network and HF_ENDPOINT")
