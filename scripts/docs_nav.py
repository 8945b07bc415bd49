"""A hook of MkDocs: list the pages of a folder that the navigation names as `folder/`."""

from pathlib import Path
from typing import Any


def on_config(config: Any) -> Any:
    """Replace each navigation entry `folder/` by the Markdown files of that folder, by name."""
    docs = Path(config["docs_dir"])
    config["nav"] = [
        {title: _pages(docs, place) if str(place).endswith("/") else place}
        for entry in config["nav"]
        for title, place in entry.items()
    ]
    return config


def _pages(docs: Path, folder: str) -> list[str]:
    return [f"{folder}{page.name}" for page in sorted((docs / folder).glob("*.md"))]
