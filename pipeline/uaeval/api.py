"""The Python API; each function imports what it needs when it is called."""

from collections.abc import Callable, Coroutine, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from typing import Unpack

    from uaeval.config.keywords import EvaluationKeywords, SynthesisKeywords
    from uaeval.formats.dataset import Dataset
    from uaeval.results import (
        CalibrationResult,
        ComparisonResult,
        EvaluationResult,
        SynthesisResult,
    )

T = TypeVar("T")
Folder: TypeAlias = "str | PathLike[str]"
"""A path, or the result of `synthesize` or `evaluate`."""


def synthesize(
    knowledge_base: Folder,
    output: Folder,
    *,
    progress: bool | None = None,
    **settings: "Unpack[SynthesisKeywords]",
) -> "SynthesisResult":
    """Write a dataset into `output`; settings are those of `uaeval synthesize`.

    `progress` says whether a bar is shown; by default in a terminal and in a notebook only. Also
    works where an event loop runs, as in a notebook: it then runs in a thread.

    Raises:
        UsageError: the input, a setting or the folder cannot be used.
        RunAborted: the models cannot be asked any more; call again to resume.
    """
    return _blocking(asynthesize(knowledge_base, output, progress=progress, **settings))


async def asynthesize(
    knowledge_base: Folder,
    output: Folder,
    *,
    progress: bool | None = None,
    **settings: "Unpack[SynthesisKeywords]",
) -> "SynthesisResult":
    """Write a dataset, as `synthesize` does, in the running event loop."""
    from uaeval.config import SynthesisConfig, build
    from uaeval.run.bars import showing

    config = build(
        SynthesisConfig, knowledge_base=str(knowledge_base), output=Path(output), **settings
    )
    with showing(progress) as listener:
        from uaeval.jobs import synthesize_run  # what takes long to load, while a bar is shown
        from uaeval.results import SynthesisResult

        manifest = await synthesize_run(config, listener)
    return SynthesisResult(folder=config.output, manifest=manifest)


def evaluate(
    dataset: Folder,
    system: object = "rag",
    *,
    progress: bool | None = None,
    **settings: "Unpack[EvaluationKeywords]",
) -> "EvaluationResult":
    """Evaluate a system on a dataset; settings are those of `uaeval evaluate`.

    `system` is a name as on the command line, or a function or LangChain runnable itself; of two
    objects with the same name, `name` keeps the evaluations apart. `progress` says whether a bar is
    shown; by default in a terminal and in a notebook only. Also works where an event loop runs, as
    in a notebook: it then runs in a thread.

    Raises:
        UsageError: the dataset or a setting cannot be used.
        RunAborted: the models cannot be asked any more; call again to resume.
    """
    return _blocking(aevaluate(dataset, system, progress=progress, **settings))


async def aevaluate(
    dataset: Folder,
    system: object = "rag",
    *,
    progress: bool | None = None,
    **settings: "Unpack[EvaluationKeywords]",
) -> "EvaluationResult":
    """Evaluate a system, as `evaluate` does, in the running event loop."""
    from uaeval.config import EvaluationConfig, build
    from uaeval.run.bars import showing
    from uaeval.systems.named import from_object, name_of

    name = system if isinstance(system, str) else name_of(system)
    config = build(EvaluationConfig, dataset=Path(dataset), system=name, **settings)
    own = None if isinstance(system, str) else from_object(config, system)
    with showing(progress) as listener:
        from uaeval.jobs import evaluate_run
        from uaeval.results import EvaluationResult

        return EvaluationResult.of(await evaluate_run(config, listener, own=own))


def compare(*evaluations: Folder) -> "ComparisonResult":
    """Compare evaluations of one dataset query by query.

    Raises:
        StorageError: they are fewer than two, or not over the same queries.
    """
    from uaeval.evaluation.compare import compare, flips
    from uaeval.evaluation.evaluation import read_evaluation
    from uaeval.results import ComparisonResult

    runs = [read_evaluation(Path(folder)) for folder in evaluations]
    return ComparisonResult(figures=compare(runs), flips=tuple(flips(runs)))


def calibrate(evaluation: Folder, labels: "Folder | None" = None) -> "CalibrationResult":
    """Compare the judge with people's labels, and write `calibration.json`.

    `labels` is a CSV file of `uaeval sample` or a `labels.jsonl` of `uaeval review`; without it,
    the labels of the review page are taken.

    Raises:
        UsageError: the evaluation or the labels cannot be read.
    """
    from dataclasses import asdict

    from uaeval.evaluation.evaluation import only_evaluation, read_evaluation
    from uaeval.evaluation.labels.calibrate import agreements, calibrated
    from uaeval.evaluation.labels.label_files import read_labels, read_reviewed
    from uaeval.evaluation.labels.sampling import read_sampled
    from uaeval.labels import LABELS
    from uaeval.results import CalibrationResult
    from uaeval.storage import write_json

    recorded = read_evaluation(only_evaluation(Path(evaluation)))
    source = Path(labels) if labels else recorded.folder / LABELS
    names = [item.query_id for item in recorded.items]
    if source.suffix == ".jsonl":
        given = read_reviewed(source, names)
    else:
        given = read_labels(source, names, read_sampled(recorded.folder))
    agreement = agreements(recorded.items, given.labels)
    ratios = calibrated(recorded.items, given.labels)
    path = recorded.folder / "calibration.json"
    write_json(path, {"agreement": [*map(asdict, agreement)], "corrected": [*map(asdict, ratios)]})
    return CalibrationResult(
        agreement=tuple(agreement), corrected=tuple(ratios), empty=given.empty, path=path
    )


def write_report(*evaluations: Folder, path: "Folder | None" = None) -> Path:
    """Write evaluations as one HTML file, and return its path.

    Without `path` it is `report.html` in the folder of the first evaluation.

    Raises:
        StorageError: an evaluation cannot be read.
    """
    from uaeval.evaluation.evaluation import only_evaluation, read_evaluation
    from uaeval.report.html.page import report_page
    from uaeval.storage import write_text

    folders = [only_evaluation(Path(folder)) for folder in evaluations]
    place = Path(path) if path else folders[0] / "report.html"
    write_text(place, report_page([read_evaluation(folder) for folder in folders]))
    return place


def export(
    dataset: Folder,
    format: str,
    path: Folder,
    *,
    with_passages: bool = True,
    name: str | None = None,
    license: str | None = None,
) -> Path:
    """Write the dataset of a run in the format of another tool, and return the path.

    Raises:
        ConfigError: the format is unknown, or needs the passages or a license (`hf`).
        StorageError: the run is not finished, or `path` exists.
    """
    from uaeval.formats.export import export
    from uaeval.formats.format import format_named

    source = open_dataset(dataset, with_passages=with_passages, name=name, license=license)
    export(source, format_named(format), Path(path))
    return Path(path)


def push(
    dataset: Folder,
    repository: str,
    *,
    public: bool = False,
    evaluations: Sequence[str] = (),
    with_passages: bool = True,
    name: str | None = None,
    license: str | None = None,
) -> str:
    """Publish the dataset of a run on the Hugging Face Hub, and return its address.

    The scores of `evaluations`, by name, are added to the config `leaderboard`.
    The token is `HF_TOKEN` or that of `hf auth login`.

    Raises:
        ConfigError: the repository's name or the license is invalid, or no token may write to it.
        RunAborted: the upload was interrupted; call again to resume.
    """
    from uaeval.formats.hub import push

    source = open_dataset(dataset, with_passages=with_passages, name=name, license=license)
    return push(source, repository, public=public, bars=False, evaluations=evaluations)


def open_dataset(
    run: Folder,
    *,
    with_passages: bool,
    name: str | None,
    license: str | None,
    seen: Callable[[int], None] = lambda _count: None,
) -> "Dataset":
    """Open the dataset of a finished run; `seen` is called with 1 for each query read."""
    from uaeval.formats.dataset import Dataset, Publication
    from uaeval.run_folder import RunFolder

    folder = Path(run)
    return Dataset(
        RunFolder(folder),
        with_passages=with_passages,
        publication=Publication(name=name or folder.resolve().name, license=license),
        seen=seen,
    )


def _blocking(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` to its end, in a thread with a loop of its own if this thread runs one."""
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    from anyio.from_thread import start_blocking_portal

    async def finished() -> T:
        return await work

    with start_blocking_portal() as portal:
        return portal.call(finished)
