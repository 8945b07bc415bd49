"""`uaeval estimate`: the calls, tokens and cost of a run, before it starts or is finished."""

import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from uaeval.cli.settings import UserSettings
from uaeval.cli.terminal import finish, say, show_tables
from uaeval.errors import ConfigError

if TYPE_CHECKING:
    from uaeval.config import SynthesisConfig
    from uaeval.llm.sizing import RoleForecast

_TOKENS: Final = (
    "Before the first calls, four characters count as a token. The reasoning of a reasoning model "
    "and embeddings are not included."
)


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
    from uaeval.sweep.estimate import estimate_evaluation, estimate_sweep
    from uaeval.sweep.grid import read_grid

    user_settings: UserSettings = ctx.obj
    if sweep:
        if evaluation or output:
            raise ConfigError("--sweep reads everything from the grid file; leave the others out")
        grid = read_grid(Path(source), user_settings.options)
        title = f"What is left of the sweep takes at most ({len(grid.cells)} cells in all)"
        nothing = (
            f"The sweep calls no model any more: its {len(grid.cells)} cells are offline or done."
        )
        _show(title, [finish(partial(estimate_sweep, grid))], nothing=nothing)
        return
    model, command = (
        (EvaluationConfig, "evaluate") if evaluation else (SynthesisConfig, "synthesize")
    )
    if other_options := sorted(user_settings.options.keys() - model.model_fields.keys()):
        names = ", ".join(f"--{name.replace('_', '-')}" for name in other_options)
        raise ConfigError(f"this estimates `{command}`, which does not take {names}")
    if not evaluation:
        with tempfile.TemporaryDirectory(prefix="uaeval-") as scratch:
            _show_synthesis(_synthesis_config(source, output, user_settings, Path(scratch)))
        return
    if output:
        raise ConfigError("the estimate of an evaluation writes nothing; leave -o out")
    config = user_settings.configure(EvaluationConfig, dataset=source)
    _show("What the evaluation takes", [finish(lambda _: estimate_evaluation(config))])


def _show(
    title: str,
    ends: "Sequence[Sequence[RoleForecast]]",
    note: str = _TOKENS,
    nothing: str = "The offline engine does all of it: no calls, no cost",
) -> None:
    """Show the forecast of each role at both ends of the range; print `nothing` without calls."""
    from uaeval.report.costs import forecast_table

    if any(ends):
        show_tables(forecast_table(title, ends, note))
    else:
        say(nothing)


def _synthesis_config(
    source: str, output: Path | None, user_settings: UserSettings, scratch: Path
) -> "SynthesisConfig":
    """Return the settings of the run `source`, or of a new run over the knowledge base `source`."""
    from uaeval.config import SynthesisConfig, build
    from uaeval.run_folder import RunFolder
    from uaeval.synthesis.material import fetches

    if (Path(source) / "manifest.json").exists():
        if output:
            raise ConfigError(f"{source} is the folder of a run itself; leave -o out")
        earlier = RunFolder(Path(source)).existing_manifest().settings
        # A run refuses an option that differs from its settings.
        settings = {**earlier, **user_settings.options, "output": Path(source)}
        return build(SynthesisConfig, **settings)
    folder = output or scratch / "run"
    config = user_settings.configure(SynthesisConfig, knowledge_base=source, output=folder)
    if fetches(config, RunFolder(config.output)):
        if output is None:
            raise ConfigError(
                "the knowledge base or --news is on the web, and an estimate fetches its pages; "
                "give -o RUN, the folder of the run, to keep them for it"
            )
        say(f"Pages are fetched from the web; {output} keeps them for the run")
    return config


def _show_synthesis(config: "SynthesisConfig") -> None:
    from uaeval.synthesis.estimate import HIGHEST_ACCEPTANCE, LOWEST_ACCEPTANCE, estimate_synthesis

    forecast = finish(partial(estimate_synthesis, config))
    if not forecast.missing:
        say("The run is complete and needs no further calls")
        return
    assumed = f"at an acceptance of {LOWEST_ACCEPTANCE:.0%} to {HIGHEST_ACCEPTANCE:.0%}"
    if forecast.observed:
        names = ", ".join(category.replace("_", " ") for category in forecast.observed)
        assumed = f"At the acceptance observed for {names}; the others {assumed}"
    title = f"What {forecast.missing} of {forecast.wanted} queries take"
    _show(title, forecast.ends, f"{assumed[0].upper()}{assumed[1:]}. {_TOKENS}")
