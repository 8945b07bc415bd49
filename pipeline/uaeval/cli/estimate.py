"""`uaeval estimate`: what a run will take, before it runs or while it is not finished."""

import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from uaeval.cli.terminal import OUT, finish, say
from uaeval.errors import ConfigError

if TYPE_CHECKING:
    from uaeval.cli.settings import Given
    from uaeval.config import EvaluationConfig, SynthesisConfig
    from uaeval.config.settings import Settings
    from uaeval.synthesis.estimate import Estimate


def estimate(
    ctx: typer.Context,
    source: Annotated[
        str,
        typer.Argument(
            help="A knowledge base, as for `synthesize`; the folder of a run, for what is left; or "
            "the grid file of a sweep."
        ),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Folder of the run; the index is kept there, and articles fetched from the web.",
        ),
    ] = None,
    evaluation: Annotated[
        bool,
        typer.Option(
            "--evaluation",
            help="Estimate the evaluation of a finished run, by the options of `evaluate`.",
        ),
    ] = False,
    sweep: Annotated[
        bool, typer.Option("--sweep", help="Estimate what is left of the sweep of a grid file.")
    ] = False,
) -> None:
    """Estimate calls, tokens and list-price cost of a run by role. No model is called.

    Example: uaeval estimate ./docs --model openai:gpt-4.1-mini --size 300
    """
    from uaeval.config import EvaluationConfig, SynthesisConfig

    if sweep:
        if evaluation or output:
            raise ConfigError("--sweep reads everything from the grid file; leave the others out")
        _sweep(Path(source), ctx.obj.options)
    elif evaluation:
        if output:
            raise ConfigError("the estimate of an evaluation writes nothing; leave -o out")
        _refuse_others(ctx.obj, EvaluationConfig, "evaluate")
        _evaluation(ctx.obj.configure(EvaluationConfig, dataset=source))
    else:
        _refuse_others(ctx.obj, SynthesisConfig, "synthesize")
        _synthesis(source, output, ctx.obj)


def _refuse_others(given: "Given", model: "type[Settings]", command: str) -> None:
    """Refuse options of another command than the one that is estimated."""
    if others := sorted(given.options.keys() - model.model_fields.keys()):
        names = ", ".join(f"--{name.replace('_', '-')}" for name in others)
        raise ConfigError(f"this estimates `{command}`, which does not take {names}")


def _sweep(path: Path, settings: Mapping[str, object]) -> None:
    from uaeval.estimates import estimate_sweep
    from uaeval.report.costs import forecast_table
    from uaeval.report.terminal import render
    from uaeval.sweep.grid import read_grid

    grid = read_grid(path, settings)
    forecast = finish(partial(estimate_sweep, grid))
    if forecast:
        title = f"What is left of the sweep takes at most ({len(grid.cells)} cells in all)"
        OUT.print(render(forecast_table(title, (forecast,), _TOKENS)))
    else:
        say(f"No cell is left that calls a model; {_OFFLINE[0].lower()}{_OFFLINE[1:]}")


def _synthesis(source: str, output: Path | None, given: "Given") -> None:
    """Estimate what is left of the run in the folder `source`, or a run over a knowledge base."""
    from uaeval.config import SynthesisConfig, build
    from uaeval.run_folder import RunFolder
    from uaeval.synthesis.material import fetches

    if (Path(source) / "manifest.json").exists():
        if output:
            raise ConfigError(f"{source} is the folder of a run itself; leave -o out")
        earlier = RunFolder(Path(source)).existing_manifest().settings
        # A run refuses an option that differs from its settings.
        settings = {**earlier, **given.options, "output": Path(source)}
        _show_synthesis(build(SynthesisConfig, **settings))
        return
    with tempfile.TemporaryDirectory(prefix="uaeval-") as scratch:
        place = output or Path(scratch) / "run"
        config = given.configure(SynthesisConfig, knowledge_base=source, output=place)
        if fetches(config, RunFolder(config.output)):
            if output is None:
                raise ConfigError(
                    "the knowledge base or --news leads to the web, and an estimate fetches "
                    "its pages; give -o RUN, the folder of the run to come, which keeps them"
                )
            say(f"Pages are fetched from the web; {output} keeps them for the run")
        _show_synthesis(config)


def _show_synthesis(config: "SynthesisConfig") -> None:
    from uaeval.report.costs import forecast_table
    from uaeval.report.terminal import render
    from uaeval.synthesis.estimate import estimate_synthesis

    forecast = finish(partial(estimate_synthesis, config))
    if not forecast.missing:
        say("The run is complete; nothing is left to ask")
    elif not any(forecast.ends):
        say(_OFFLINE)
    else:
        title = f"What {forecast.missing} of {forecast.wanted} queries take"
        OUT.print(render(forecast_table(title, forecast.ends, _basis(forecast))))


def _basis(forecast: "Estimate") -> str:
    from uaeval.synthesis.estimate import HIGHEST_ACCEPTANCE, LOWEST_ACCEPTANCE

    assumed = f"at an acceptance of {LOWEST_ACCEPTANCE:.0%} to {HIGHEST_ACCEPTANCE:.0%}"
    if forecast.observed:
        names = ", ".join(category.replace("_", " ") for category in forecast.observed)
        assumed = f"At the acceptance observed for {names}; the others {assumed}"
    return f"{assumed[0].upper()}{assumed[1:]}. {_TOKENS}"


_OFFLINE = "The offline engine does all of it: no calls, no cost"
_TOKENS = (
    "Four characters count as a token, where no call was seen yet; what a reasoning model thinks, "
    "and embeddings, come on top."
)


def _evaluation(config: "EvaluationConfig") -> None:
    from uaeval.estimates import estimate_evaluation
    from uaeval.report.costs import forecast_table
    from uaeval.report.terminal import render

    forecast = finish(lambda _: estimate_evaluation(config))
    if forecast:
        OUT.print(render(forecast_table("What the evaluation takes", (forecast,), _TOKENS)))
    else:
        say(_OFFLINE)
