"""The Python API; each function imports what it needs when it is called, so importing is fast."""

from collections.abc import Coroutine
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

if TYPE_CHECKING:
    from typing import Unpack

    from uaeval.config.keywords import EvaluationKeywords, SynthesisKeywords
    from uaeval.results import EvaluationResult, SynthesisResult

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

    `progress` shows or hides the progress bar; by default it is shown in a terminal or a notebook.
    Where an event loop already runs, as in a notebook, the work runs in a thread.

    Raises:
        UsageError: the input, a setting or the folder cannot be used.
        RunAborted: no further model call can succeed; call again to resume.
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
        from uaeval.jobs import synthesize_run  # slow to import, so the bar is shown first
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

    `system` is a name as on the command line, or a function or LangChain runnable itself. Two
    objects with the same name need different values of the setting `name`. `progress` shows or
    hides the progress bar; by default it is shown in a terminal or a notebook. Where an event loop
    already runs, as in a notebook, the work runs in a thread.

    Raises:
        UsageError: the dataset or a setting cannot be used.
        RunAborted: no further model call can succeed; call again to resume.
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
    from uaeval.systems.kind import from_object, name_of

    name = system if isinstance(system, str) else name_of(system)
    config = build(EvaluationConfig, dataset=Path(dataset), system=name, **settings)
    opened = None if isinstance(system, str) else from_object(config, system)
    with showing(progress) as listener:
        from uaeval.jobs import evaluate_run
        from uaeval.results import EvaluationResult

        return EvaluationResult.of(await evaluate_run(config, listener, opened)).loaded()


def open_dataset(folder: Folder) -> "SynthesisResult":
    """Open the dataset of an existing run.

    Raises:
        StorageError: `folder` is not the folder of a run, or the run is not finished.
    """
    from uaeval.results import SynthesisResult
    from uaeval.run_folder import RunFolder

    return SynthesisResult(folder=Path(folder), manifest=RunFolder(Path(folder)).finished())


def open_evaluation(folder: Folder) -> "EvaluationResult":
    """Open an existing evaluation, given its folder, or the folder of a run that has only one.

    Raises:
        StorageError: there is no such evaluation, it has not ended, or a file is damaged.
    """
    from uaeval.evaluation.evaluation import only_evaluation, read_evaluation
    from uaeval.results import EvaluationResult

    return EvaluationResult.of(read_evaluation(only_evaluation(Path(folder))))


def _blocking(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` to its end: in a new thread with its own event loop if this thread runs one."""
    import asyncio

    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    from anyio.from_thread import start_blocking_portal

    with start_blocking_portal() as portal:
        result: T = portal.call(lambda: work)
        return result
