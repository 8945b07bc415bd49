"""A folder for another tool: the data, and files that run it, rendered from `templates`."""

from collections.abc import Callable, Iterator
from pathlib import Path

from uaeval.formats.dataset import Dataset
from uaeval.formats.output import text_file
from uaeval.records import Query
from uaeval.report.text import environment

ENVIRONMENT = environment("uaeval.formats")


def tool_folder(
    tool: str, data: str, write: Callable[[Dataset, Path], None]
) -> Callable[[Dataset, Path], None]:
    """Return a writer of a folder: the file `data`, written by `write`, and the tool's files."""

    def write_folder(dataset: Dataset, place: Path) -> None:
        place.mkdir(parents=True)
        write(dataset, place / data)
        for name in ENVIRONMENT.list_templates(filter_func=lambda name: _folder(name) == tool):
            text = ENVIRONMENT.get_template(name).render(name=dataset.publication.name, data=data)
            with text_file(place / Path(name).name.removesuffix(".j2")) as file:
                file.write(text)

    return write_folder


def _folder(template: str) -> str:
    return template.rpartition("/")[0]


def data_or_folder(
    data: str, read: Callable[[Path], Iterator[Query]]
) -> Callable[[Path], Iterator[Query]]:
    """Return a reader of such a folder, or of a file like its `data` alone."""
    return lambda place: read(place / data if place.is_dir() else place)
