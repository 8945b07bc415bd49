"""Every format: what it is for, what it loses, how it is written and read back."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from uaeval.errors import ConfigError
from uaeval.formats import beir, csv, hf, lm_eval, promptfoo, samples, uaeval4rag
from uaeval.formats.dataset import Dataset
from uaeval.types import Query

Back = Literal["whole", "queries", "no"]
"""What reading back gives: the same records, the queries without their proof, or nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One way to write the dataset down."""

    name: str
    purpose: str
    loses: str
    """What does not survive in it, and what to know about its evaluator."""
    write: Callable[[Dataset, Path], None]
    """Writes to a path that nothing stands under yet."""
    folder: bool = False
    needs_passages: bool = False
    passes: int = 1
    """How often it reads the dataset."""
    read: Callable[[Path], Iterator[Query]] | None = None
    back: Back = "no"
    keys: frozenset[str] = frozenset()
    """By which a file's first record is told from those of other formats."""
    suffixes: tuple[str, ...] = (".jsonl",)


_FORMATS = (
    Format(
        name="hf",
        purpose="Hugging Face `load_dataset(DIR)`: Parquet, a config a category, two splits, card",
        loses="the order of the queries across categories",
        write=hf.write,
        folder=True,
        passes=2,
        read=hf.read,
        back="whole",
        suffixes=(),
    ),
    Format(
        name="ragas",
        purpose="Ragas `EvaluationDataset.from_jsonl(FILE)`",
        loses=(
            "evidence and checks; a sample has no id or metadata, so that id, category, reason, "
            "expected behaviour and rubric stand in `rubrics`. Ragas' answer relevancy scores "
            "every refusal 0: leave that metric out for unanswerable queries"
        ),
        write=samples.lines_of(samples.ragas),
        read=samples.from_lines(samples.from_ragas),
        back="queries",
        keys=frozenset({"user_input"}),
    ),
    Format(
        name="deepeval",
        purpose="DeepEval `EvaluationDataset().add_goldens_from_json_file(FILE)`",
        loses="evidence and checks; metrics that want an expected output cannot take these queries",
        write=samples.array_of(samples.deepeval),
        read=samples.read_deepeval,
        back="queries",
        keys=frozenset({"input", "expected_output"}),
        suffixes=(".json",),
    ),
    Format(
        name="inspect",
        purpose="Inspect `json_dataset(FILE)`; the target is for a model grader",
        loses="evidence, checks and passages; the target of an unanswerable query is its behaviour",
        write=samples.lines_of(samples.inspect),
        read=samples.from_lines(samples.from_inspect),
        back="queries",
        keys=frozenset({"input", "target"}),
    ),
    Format(
        name="promptfoo",
        purpose="promptfoo: `promptfooconfig.yaml` and tests; `llm-rubric`, `factuality` for twins",
        loses=(
            "evidence, checks and passages; set `providers` to the system under test. Its OpenAI "
            "provider takes a question that begins with `{` or `[` for JSON"
        ),
        write=promptfoo.write,
        folder=True,
    ),
    Format(
        name="giskard",
        purpose="Giskard `QATestset.load(FILE)`; its report groups by topic and question type",
        loses=(
            "evidence and checks; the reference answer of an unanswerable query is its expected "
            "behaviour; an id that looks like a number gets `id-` before it, as pandas reads it"
        ),
        write=samples.lines_of(samples.giskard),
        read=samples.from_lines(samples.from_giskard),
        back="queries",
        keys=frozenset({"question", "conversation_history"}),
    ),
    Format(
        name="lm-eval",
        purpose="LM Evaluation Harness: task folder for `--include_path`, tag `uaeval`",
        loses=(
            "evidence, checks and passages. The harness has no judge: scored are English words of "
            "declining and the words of the reference, no acceptability"
        ),
        write=lm_eval.write,
        folder=True,
    ),
    Format(
        name="langsmith",
        purpose="LangSmith `Client.create_examples(examples=…)`, one a line",
        loses="evidence, checks and passages",
        write=samples.lines_of(samples.langsmith),
        read=samples.from_lines(samples.from_langsmith),
        back="queries",
        keys=frozenset({"inputs"}),
    ),
    Format(
        name="beir",
        purpose="BEIR: corpus, queries, `qrels/test.tsv` (twins) and `qrels/unanswerable.tsv`",
        loses="reference answers to its loader, which keeps text alone; the rest is in `metadata`",
        write=beir.write,
        folder=True,
        needs_passages=True,
        passes=3,
    ),
    Format(
        name="squad2",
        purpose="SQuAD 2.0: questions over passages, with `is_impossible`",
        loses=(
            "evidence and checks; loaders drop the key `uaeval` with the rest; the start of an "
            "answer that is no span of its passages is -1"
        ),
        write=samples.array_of(samples.squad2, '{"version": "v2.0", "data": ', "}"),
        needs_passages=True,
        read=samples.read_squad2,
        back="queries",
        keys=frozenset({"data"}),
        suffixes=(".json",),
    ),
    Format(
        name="uaeval4rag",
        purpose="UAEval4RAG's own code: questions and reasons by category, two files",
        loses=(
            "evidence, checks and passages; that code joins by the question's text and reads "
            "neither ids nor twins, which stand in files beside"
        ),
        write=uaeval4rag.write,
        folder=True,
        read=uaeval4rag.read,
        back="queries",
        suffixes=(),
    ),
    Format(
        name="jsonl",
        purpose="the records, with expected behaviour, rubric and passages; for your own programs",
        loses="nothing",
        write=samples.lines_of(samples.row),
        read=samples.from_lines(samples.from_row),
        back="whole",
    ),
    Format(
        name="csv",
        purpose="a table for spreadsheets and pandas (`dtype=str`); nested columns are JSON",
        loses="nothing; a cell that would be computed begins with an apostrophe",
        write=csv.write,
        read=csv.read,
        back="whole",
        suffixes=(".csv",),
    ),
)

FORMATS: Mapping[str, Format] = MappingProxyType({one.name: one for one in _FORMATS})


def format_named(name: str) -> Format:
    """Return the format of that name.

    Raises:
        ConfigError: there is none.
    """
    if name not in FORMATS:
        raise ConfigError(f"unknown format {name!r}; known formats: {', '.join(FORMATS)}")
    return FORMATS[name]
