"""Arguments and options that several commands have."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

OneEvaluation: TypeAlias = Annotated[
    Path,
    typer.Argument(help="A folder DATASET/evaluations/<name>; or DATASET, if it has only one."),
]
Annotators: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--annotator", help="An annotator; may be given several times. [your user name]"),
]
Port: TypeAlias = Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free port.")]
WithoutPassages: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--without-passages",
        help="Leave out the text of the knowledge base, and verifiers' rationales, which quote it.",
    ),
]
License: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--license",
        help="License by its name on the Hub, such as `cc-by-4.0`; `hf` and push need it.",
    ),
]
PrettyName: TypeAlias = Annotated[
    str | None, typer.Option("--name", help="Name on the card. [the run's folder]")
]
