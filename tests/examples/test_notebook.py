"""The notebook of `examples/` runs in a kernel of Jupyter, where an event loop already runs."""

from pathlib import Path
from time import monotonic
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient
from tests.examples.test_examples import EXAMPLES

from uaeval.resources import shipped

NOTEBOOK = EXAMPLES / "notebook.ipynb"


def _notebook() -> nbformat.NotebookNode:
    read: nbformat.NotebookNode = nbformat.read(NOTEBOOK, as_version=4)  # type: ignore[no-untyped-call]
    return read


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # those of Jupyter's own packages
def test_a_notebook_shows_datasets_scores_and_comparisons_as_tables(tmp_path: Path) -> None:
    notebook = _notebook()
    places = f"{str(shipped('knowledge_bases') / 'sample')!r}, {str(tmp_path)!r}"
    setting = next(cell for cell in notebook.cells if "knowledge_base," in cell.source)
    head, _, _ = setting.source.partition("knowledge_base,")
    setting.source = f"{head}knowledge_base, output = {places}"
    client = NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}})
    drawn: list[float] = []
    process = client.process_message

    def noted(message: dict[str, Any], *place: Any) -> nbformat.NotebookNode | None:
        if message["msg_type"] == "update_display_data":
            drawn.append(monotonic())
        return process(message, *place)

    client.process_message = noted  # type: ignore[method-assign, assignment]
    client.execute()
    assert len(drawn) <= 4 * (drawn[-1] - drawn[0]) + 6  # and at the end of each of three bars
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    bar_and_result = 2
    assert [len(cell.outputs) for cell in code] == [
        0,
        bar_and_result,
        bar_and_result,
        1,
        bar_and_result,
    ]
    _, dataset, scores, table, comparison = [
        "".join(output.data["text/html"] for output in cell.outputs) for cell in code
    ]
    assert " of 1</td>" in dataset
    assert "writing queries" in dataset
    assert ("12/12" in scores, "12/12" in comparison) == (True, True)
    assert "joint_score" in scores
    assert table.count("I do not have that information.") >= 2
    assert "acceptable_ratio" in comparison


def test_the_notebook_is_stored_without_outputs() -> None:
    for cell in _notebook().cells:
        assert not cell.get("outputs")
