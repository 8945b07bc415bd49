"""Every reader of files, with files that it reads; a damaged file may only give one line."""

import asyncio
import json
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from protego import Protego
from tests.chaos.commands import ended, write_documents
from tests.formats.runs import dataset
from tests.hostile.corpus import hostile_files
from tests.scripted import identity
from tests.servers.offline_answers import offline_answer
from tests.servers.openai_server import Said, completion
from tests.servers.rag_server import RagServer, Sent

from uaeval.config import EvaluationConfig, SynthesisConfig, build, read_settings
from uaeval.errors import FetchError, UaevalError
from uaeval.evaluation.labels.label_files import read_labels as read_label_sheet
from uaeval.formats.dataset import Dataset
from uaeval.formats.format import export, formats, read_queries
from uaeval.formats.query_source import read_controls
from uaeval.knowledge.readers import read_file
from uaeval.knowledge.reading import ReadSettings, UnusableFile
from uaeval.knowledge.worker import FileWorker
from uaeval.labels import JudgementLabel, Label, read_label_rows
from uaeval.llm.batch.answers import import_answers
from uaeval.llm.endpoint.langchain import LangChainModel
from uaeval.llm.prices import open_prices
from uaeval.llm.replies import YesNoJudgement
from uaeval.llm.store import ResponseStore
from uaeval.news.article import extract
from uaeval.news.fetch import pause_of
from uaeval.news.page import Page, PageCache
from uaeval.news.sources import read_feed
from uaeval.prompts import open_prompts
from uaeval.resources import shipped
from uaeval.run_folder import RunFolder
from uaeval.storage import GrowingJournal
from uaeval.sweep.grid import read_grid
from uaeval.systems.http import HttpSystem
from uaeval.systems.responses import RecordedResponses

SECONDS = 10.0
"""Most that a reader may take over one file."""


@dataclass(frozen=True, kw_only=True)
class Reader:
    """One reader."""

    name: str
    seeds: Mapping[str, bytes]
    """Files that it reads, by name."""
    read: Callable[[str, bytes], None]
    """Reads a file of this name; raises only what is one line on the screen."""
    share: int = 10
    """How often it is tried, against the others."""


class Readers:
    """All readers, over one folder for their files; `write_run` writes the run that they read."""

    def __init__(self, folder: Path, write_run: Callable[[Path], object]) -> None:
        self._write_run = write_run
        self._folder = folder
        self._worker = FileWorker(read_file, seconds=SECONDS)
        self._body = Sent()
        self._server = RagServer(lambda _: self._body)
        self._run = folder / "run"
        self._clean = folder / "clean"

    def __enter__(self) -> "Readers":
        self._write_run(self._clean)
        shutil.copytree(self._clean, self._run)
        self._worker.__enter__()
        self._server.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.__exit__(None, None, None)
        self._worker.__exit__(None, None, None)

    def __iter__(self) -> Iterator[Reader]:
        yield from (self._documents(), *self._settings(), *self._queries(), self._labels())
        yield from (self._bodies(), self._completions(), self._batch_answers(), self._recorded())
        yield from self._web()
        yield from (self._journals(), self._commands())

    # --- what users write -----------------------------------------------------------------------

    def _documents(self) -> Reader:
        def read(name: str, data: bytes) -> None:
            path = self._put(name, data)
            with suppress(UnusableFile):
                self._worker.read(path, path.name, ReadSettings())

        seeds = {name: data for name, data in hostile_files() if len(data) < 20_000}
        return Reader(name="documents", seeds=seeds, read=read, share=40)

    def _settings(self) -> Iterator[Reader]:
        def settings(name: str, data: bytes) -> None:
            given = read_settings(self._put(name, data))
            build(EvaluationConfig if "dataset" in given else SynthesisConfig, **given)

        yield Reader(name="settings", seeds=SETTINGS, read=settings, share=60)
        yield Reader(
            name="grid", seeds=GRIDS, read=lambda *file: _ignore(read_grid(self._put(*file)))
        )
        yield Reader(
            name="prices",
            seeds=PRICES,
            read=lambda *file: _ignore(open_prices(self._put(*file))),
            share=20,
        )

        def prompts(name: str, data: bytes) -> None:
            path = self._put("prompts/judge/verdict.md", data)
            library = open_prompts(path.parents[1])
            library.get("judge/verdict")

        verdict = (shipped("prompts") / "judge" / "verdict.md").read_bytes()
        yield Reader(name="prompts", seeds={"verdict.md": verdict}, read=prompts)

    def _queries(self) -> Iterator[Reader]:
        seeds: dict[str, bytes] = {}
        for form in formats().values():
            place = self._folder / "exports" / form.name
            export(dataset(RunFolder(self._clean)), form, place)
            data = place / form.contains if form.folder else place
            if form.read and form.suffixes and data.is_file():
                seeds[f"{form.name}{form.suffixes[0]}"] = data.read_bytes()
        yield Reader(
            name="queries",
            seeds=seeds,
            read=lambda *file: _ignore(read_queries(self._put(*file))),
            share=60,
        )
        controls = {
            "controls.jsonl": b'{"question": "When?", "reference_answer": "At nine."}\n' * 3,
            "controls.csv": b'question,reference_answer\nWhen?,At nine.\nHow?,By "foot".\n',
        }
        yield Reader(
            name="controls",
            seeds=controls,
            read=lambda *file: _ignore(read_controls(self._put(*file))),
        )

    def _labels(self) -> Reader:
        ids = [query.id for query in RunFolder(self._clean).queries()]
        rows = "".join(f'{name}/verdict,refused,"a ""b""\nc"\n' for name in ids)
        said = {"query_id": ids[0], "annotator": "anna", "reason": "r"}
        lines = [{**said, "valid": "valid"}, {**said, "metric": "verdict", "label": "refused"}]

        def read_label_lines(path: Path) -> None:
            read_label_rows(path, Label)
            GrowingJournal(path, Label).read()

        def read_judgement_lines(path: Path) -> None:
            read_label_rows(path, JudgementLabel)
            GrowingJournal(path, JudgementLabel).read()

        readers: dict[str, Callable[[Path], object]] = {
            "labels.jsonl": read_label_lines,
            "judgement_labels.jsonl": read_judgement_lines,
            "sheet.csv": lambda path: read_label_sheet(path, ids),
        }

        def read(name: str, data: bytes) -> None:
            readers[name](self._put(name, data))

        seeds = {
            "sheet.csv": f"id,label,response\n{rows}".encode(),
            **{
                name: (json.dumps(line) + "\n").encode() * 2
                for name, line in zip(readers, lines, strict=False)
            },
        }
        return Reader(name="labels", seeds=seeds, read=read, share=30)

    # --- what comes over the network ------------------------------------------------------------

    def _bodies(self) -> Reader:
        query = next(iter(RunFolder(self._clean).queries()))

        def read(name: str, data: bytes) -> None:
            kind = {"json": "application/json", "txt": "text/plain"}[name.rpartition(".")[2]]
            self._body = Sent(body=data, headers={"content-type": kind})

            async def ask() -> None:
                settings = EvaluationConfig(
                    dataset=self._clean,
                    system="http",
                    url=self._server.url,
                    body="{question}",
                    max_retries=0,
                    timeout=SECONDS,
                )
                async with HttpSystem(settings) as system:
                    await system.answer(query)

            asyncio.run(ask())

        seeds = {
            "answer.json": b'{"answer": "At nine.", "contexts": [{"id": "a", "text": "b"}]}',
            "answer.txt": b"At nine.",
        }
        return Reader(name="replies of systems", seeds=seeds, read=read, share=20)

    def _completions(self) -> Reader:
        def read(name: str, data: bytes) -> None:
            self._body = Sent(body=data, headers={"content-type": "application/json"})
            url = self._server.url
            model = LangChainModel("openai:m", open_prompts(None), base_url=url, max_retries=0)
            fields = {"question": "When?", "reference": "At nine.", "response": "At nine."}
            asyncio.run(model.ask("judge/correct", YesNoJudgement, identity, **fields))

        label = json.dumps({"rationale": "It is the same hour.", "label": "yes"})
        said = Said(content=label)
        seeds = {"completion.json": json.dumps(completion(said, "m")).encode()}
        return Reader(name="replies of models", seeds=seeds, read=read, share=20)

    def _batch_answers(self) -> Reader:
        run, requests = self._folder / "batch", self._folder / "requests.jsonl"
        write_documents(self._folder / "batch-documents", 2)
        model = ("--model", "openai:m", "--base-url", "http://127.0.0.1:9/v1", "--mode", "batch")
        kind = ("--size", "2", "--categories", "nonsensical")
        done = ended("synthesize", self._folder / "batch-documents", "-o", run, *model, *kind)
        assert done.code == 5, done.err
        assert ended("batch", "export", run, requests).code == 0
        store = (run / "responses.sqlite").read_bytes()

        def read(name: str, data: bytes) -> None:
            path = self._put("batch/responses.sqlite", store)
            with ResponseStore(path) as opened:
                import_answers([self._put(name, data)], opened)

        answers = map(_batch_answer, requests.read_text().splitlines())
        seeds = {"answers.jsonl": "\n".join(answers).encode()}
        return Reader(name="batch answers", seeds=seeds, read=read, share=20)

    def _recorded(self) -> Reader:
        queries = RunFolder(self._clean).queries()
        rows = [
            {"query_id": each.id, "text": "I do not know.", "contexts": ["a"]} for each in queries
        ]
        seeds = {"responses.jsonl": "\n".join(map(json.dumps, rows)).encode()}
        return Reader(
            name="recorded responses",
            seeds=seeds,
            read=lambda *file: _ignore(RecordedResponses(self._put(*file), queries)),
            share=30,
        )

    def _web(self) -> Iterator[Reader]:
        def page(kind: str, data: bytes) -> Page:
            return Page(url="http://h.example/x", content_type=kind, body=data)

        def feed(name: str, data: bytes) -> None:
            read_feed(page("application/json" if name.endswith("json") else "text/xml", data))

        def article(name: str, data: bytes) -> None:
            extract(page("text/html", data).text(), "http://h.example/x")

        def robots(name: str, data: bytes) -> None:
            rules = Protego.parse(page("text/plain", data).text())
            assert pause_of(rules) >= 0
            rules.can_fetch("http://h.example/a?b", "uaeval")

        yield Reader(name="feeds", seeds=FEEDS, read=feed, share=20)
        yield Reader(name="articles", seeds={"a.html": ARTICLE}, read=article, share=10)
        yield Reader(name="robots.txt", seeds={"robots.txt": ROBOTS}, read=robots, share=20)
        yield Reader(name="kept pages", seeds={"pages.sqlite": self._pages()}, read=self._reopen)

    def _pages(self) -> bytes:
        path = self._put("pages.sqlite", b"")
        with PageCache(path) as cache:
            for number in range(20):
                cache.put(Page(url=f"http://h.example/{number}", checked_at=1.0))
        return path.read_bytes()

    def _reopen(self, name: str, data: bytes) -> None:
        path = self._put(name, data)
        for rest in ("-wal", "-shm"):
            path.with_name(name + rest).unlink(missing_ok=True)
        with PageCache(path) as cache:
            cache.begin("crawl", anew=False)
            for number in range(20):
                cache.get(f"http://h.example/{number}")
            cache.put(Page(url="http://h.example/new", checked_at=1.0))

    # --- what a run leaves ----------------------------------------------------------------------

    def _journals(self) -> Reader:
        """Read the files of a run by the functions that read them."""

        def read(name: str, data: bytes) -> None:
            with self._replaced(name, data):
                run = RunFolder(self._run)
                damaged = Dataset(run)
                for query in damaged:
                    damaged.sources(query)
                    damaged.article(query)
                damaged.summary()

        seeds = self._files("manifest.json", "queries.jsonl", "chunks.jsonl", "articles.jsonl")
        return Reader(name="files of a run", seeds=seeds, read=read, share=40)

    def _commands(self) -> Reader:
        """Give the commands that read a run, its evaluation and its grading."""

        def read(name: str, data: bytes) -> None:
            commands = COMMANDS[name.partition("/")[0]] if "/" in name else COMMANDS[""]
            for command in commands:
                with self._replaced(name, data):
                    done = ended(
                        *(part.format(run=self._run, out=self._folder) for part in command)
                    )
                    assert done.code in {0, 1, 2, 3, 5, 6}, done.err[-300:]
                shutil.rmtree(self._folder / "out", ignore_errors=True)
                (self._folder / "out").unlink(missing_ok=True)

        names = [
            path.relative_to(self._clean).as_posix()
            for path in self._clean.rglob("*.json*")
            if "index" not in path.parts
        ]
        return Reader(name="commands", seeds=self._files(*sorted(names)), read=read, share=3)

    def _files(self, *names: str) -> dict[str, bytes]:
        paths = {name: self._clean / name for name in names}
        return {name: path.read_bytes() for name, path in paths.items() if path.exists()}

    def _put(self, name: str, data: bytes) -> Path:
        path = self._folder / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def _replaced(self, name: str, data: bytes) -> "_Replaced":
        return _Replaced(self._clean, self._run, name, data)


class _Replaced:
    """Put a damaged file into the run for the time of a block."""

    def __init__(self, clean: Path, run: Path, name: str, data: bytes) -> None:
        self._clean, self._run, self._name, self._data = clean, run, name, data

    def __enter__(self) -> None:
        (self._run / self._name).write_bytes(self._data)

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._run)
        shutil.copytree(self._clean, self._run)


def _batch_answer(request: str) -> str:
    """Return the line that a provider answers with."""
    asked = json.loads(request)
    message = {"role": "assistant", "content": offline_answer(asked["body"])}
    body = {
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 3, "completion_tokens": 4, "total_tokens": 7},
    }
    response = {"status_code": 200, "request_id": "r", "body": body}
    return json.dumps({"custom_id": asked["custom_id"], "response": response, "error": None})


def one_line(reader: Reader, name: str, data: bytes) -> None:
    """Let a reader read; its message about a damaged file must be one line."""
    try:
        reader.read(name, data)
    except (UaevalError, FetchError) as error:
        assert "Traceback" not in str(error)


def _ignore(_: object) -> None:
    """Drop what was read."""


COMMANDS: Mapping[str, Sequence[Sequence[str]]] = {
    "": (
        ("show", "{run}"),
        ("evaluate", "{run}"),
        ("report", "{run}/evaluations/rag", "-o", "{out}/out"),
    ),
    "evaluations": (
        ("show", "{run}"),
        ("evaluate", "{run}", "--metrics", "attribution"),
        ("compare", "{run}/evaluations/rag", "{run}/evaluations/rag"),
        ("report", "{run}/evaluations/rag", "-o", "{out}/out"),
        ("sample", "{run}/evaluations/rag", "-o", "{out}/out"),
    ),
    "gradings": (("grade", "{run}"),),
}
SETTINGS = {
    "synthesize.yaml": b"knowledge_base: docs\noutput: out\nsize: 12\nsince: 2026-03-14\n"
    b"categories: [underspecified, nonsensical]\nnews: [holdout, 'https://h.example/feed']\n"
    b"max_cost: 1.5\nholdout_share: 0.3\nask_rag: true\n",
    "evaluate.yaml": b"dataset: run\nsystem: http\nurl: http://h.example/ask\n"
    b'body: {"q": "{question}", "n": [1, 2]}\nheaders: {X-A: "b"}\nweights: [0.7, 0.3]\n'
    b"metrics: attribution\nk: 3\nretriever: fused\nreranker: none\n",
}
GRIDS = {
    "grid.yaml": b"dataset: run\nname: first\njudge: offline\ngrid:\n  k: [1, 3]\n"
    b"  retriever: [vector, bm25]\n  system: [rag]\n"
}
PRICES = {
    "prices.yaml": b"providers:\n  openai:\n    as_of: 2026-01-01\n    source: here\n"
    b"    batch_factor: 0.5\n    models:\n      small: {input: 1, output: 2.5, cached_input: 0.5}\n"
}
FEEDS = {
    "rss.xml": b'<?xml version="1.0"?><rss version="2.0"><channel><title>t</title><item>'
    b"<title>a</title><link>http://h.example/1</link>"
    b"<pubDate>Sat, 14 Mar 2026 08:00:00 GMT</pubDate></item>"
    b"</channel></rss>",
    "atom.xml": b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>a</title>'
    b'<link href="http://h.example/2"/><updated>2026-03-14T08:00:00Z</updated></entry></feed>',
    "gdelt.json": b'{"articles": [{"url": "http://h.example/3", "title": "t", '
    b'"domain": "h.example", "seendate": "20260314T080000Z", "language": "English"}]}',
}
ARTICLE = (
    b'<html><head><title>T</title><link rel="canonical" href="http://h.example/c">'
    b'<meta property="article:published_time" content="2026-03-14"></head><body><article><h1>T</h1>'
    + b"<p>The harbour office opens at nine and closes at five on all days but Sunday.</p>" * 8
    + b"</article></body></html>"
)
ROBOTS = b"User-agent: *\nCrawl-delay: 2\nDisallow: /a\nAllow: /a$\nSitemap: http://h.example/s\n"
