"""Reading a grid, and refusing what is not one."""

from pathlib import Path

import pytest

from uaeval.errors import ConfigError
from uaeval.sweep.grid import Grid, read_grid


def grid(tmp_path: Path, text: str) -> Grid:
    path = tmp_path / "first.yaml"
    path.write_text(text)
    return read_grid(path)


def test_every_combination_is_a_cell_and_shared_retrievals_stay_together(tmp_path: Path) -> None:
    found = grid(
        tmp_path,
        "dataset: run\njudge: openai:judge\nweights: [0.5, 0.5]\n"
        "grid:\n  answer-prompt: [default, by_case]\n  model: [openai:a/b, openai:a-b]\n"
        "  retriever: [bm25, vector]\n",
    )
    assert found.name == "first"
    assert found.folder == Path("run/sweeps/first")
    assert [cell.config.name for cell in found.cells] == [
        "first.bm25_openai-a-b_default",
        "first.bm25_openai-a-b_by_case",
        "first.bm25_openai-a-b_default-2",
        "first.bm25_openai-a-b_by_case-2",
        "first.vector_openai-a-b_default",
        "first.vector_openai-a-b_by_case",
        "first.vector_openai-a-b_default-2",
        "first.vector_openai-a-b_by_case-2",
    ]
    last = found.cells[-1]
    assert last.values == {"retriever": "vector", "model": "openai:a-b", "answer_prompt": "by_case"}
    assert (last.config.retriever, last.config.model) == ("vector", "openai:a-b")
    assert (last.config.judge, last.config.weights) == ("openai:judge", (0.5, 0.5))


def test_judges_and_prompts_vary_as_well(tmp_path: Path) -> None:
    text = "dataset: run\ngrid:\n  model: [openai:a, openai:b]\n  judge: [offline, openai:j]\n"
    found = grid(tmp_path, f"{text}  prompts: [first, second]\n")
    assert len(found.cells) == 8
    assert {cell.config.judge_name for cell in found.cells} == {"offline", "openai:j"}
    assert {str(cell.config.prompts) for cell in found.cells} == {"first", "second"}
    assert len({cell.config.name for cell in found.cells}) == 8


RETRIEVER = "grid:\n  retriever: [bm25, fused]\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("dataset: run\n", "should hold `grid:` with lists"),
        (RETRIEVER, "name the `dataset`"),
        ("dataset: run\ngrid:\n  retriver: [bm25]\n", "did you mean 'retriever'?"),
        ("dataset: run\ngrid:\n  policy: [strict]\n", "'policy' cannot vary; the axes are"),
        ("dataset: run\ngrid:\n  retriever: bm25\n", "grid.retriever: give a list of values"),
        ("dataset: run\ngrid:\n  retriever: []\n", "grid.retriever: give a list"),
        ("dataset: run\ngrid:\n  k: [3, 3]\n", "grid.k: each value may occur only once"),
        (
            "dataset: run\ngrid:\n  model: [offline, offline]\n",
            "each value may occur only once",
        ),
        ("dataset: run\ngrid:\n  k: [3, 3.0]\n", "grid.k: each value may occur only once"),
        ("dataset: run\ngrid:\n  k: [[3]]\n", "grid.k: values should be texts or numbers"),
        ("dataset: run\ngrid:\n  k: [0]\n", "k: input should be greater than or equal to 1"),
        ("dataset: run\ngrid:\n  retriever: [magic]\n", "retriever: input should be 'vector'"),
        ("dataset: run\nretriever: bm25\n" + RETRIEVER, "is given both in the grid and beside it"),
        (
            "dataset: run\nsystem: http\nurl: http://host/ask\n" + RETRIEVER,
            "retriever: the system http takes no such setting",
        ),
        ("dataset: run\ngrid:\n  system: [rag, magic]\n", "unknown system 'magic'"),
        (
            "dataset: run\njudge: openai:a\ngrid:\n  system: [rag, http]\n  model: [offline]\n",
            "grid.model: only the built-in rag has a model that can vary",
        ),
        ("dataset: run\nmode: batch\n" + RETRIEVER, "a sweep calls its models live"),
        ("dataset: run\nname: a/b\n" + RETRIEVER, "should be a plain name"),
        ("dataset: run\njugde: rules\n" + RETRIEVER, "did you mean 'judge'?"),
        (
            "dataset: run\ngrid:\n  model: [openai:a, openai:b]\n",
            "judge: name a judge, otherwise each model would judge itself",
        ),
        ("dataset: run\ngrid:\n  rewriting: [hyde]\n", "the offline engine cannot write passages"),
        (f"dataset: run\ngrid:\n  k: {list(range(1, 502))}\n", "the grid has 501 cells"),
        ("dataset: run\nsystem: [rag]\n" + RETRIEVER, "system: input should be a valid string"),
        ("- 1\n", "should hold `setting: value` lines"),
    ],
)
def test_an_invalid_grid_gets_one_sentence(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(ConfigError) as refused:
        grid(tmp_path, text)
    assert told in str(refused.value)
    assert str(refused.value).startswith(str(tmp_path / "first.yaml"))
