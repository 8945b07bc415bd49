"""What every command shares on the terminal: consoles, and one-line complaints."""

from rich.console import Console
from rich.text import Text

OUT = Console()
ERR = Console(stderr=True)


def complain(message: str) -> None:
    """Print one error on standard error; nothing in it is read as markup."""
    ERR.print(Text.assemble(("error: ", "bold red"), message), soft_wrap=True)


def say(message: str) -> None:
    """Print one plain line; nothing in it is read as markup."""
    OUT.print(Text(message), soft_wrap=True)
