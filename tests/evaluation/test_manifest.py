"""An evaluation goes on only with the prompts that it began with."""

from pathlib import Path

import pytest

from uaeval.errors import StorageError
from uaeval.evaluation.manifest import EvaluationManifest


def _manifest(**prompts: str) -> EvaluationManifest:
    return EvaluationManifest(
        status="complete",
        settings={},
        dataset="d",
        versions={},
        prompts=prompts,
        models={},
        queries=1,
    )


def test_a_metric_that_is_added_or_left_out_brings_or_takes_its_own_prompts() -> None:
    plain, more = _manifest(verdict="1"), _manifest(verdict="1", politeness="2")
    more.refuse_other(plain, Path("rag"))
    plain.refuse_other(more, Path("rag"))


def test_a_changed_prompt_is_refused() -> None:
    with pytest.raises(StorageError, match="prompts have changed"):
        _manifest(verdict="2").refuse_other(_manifest(verdict="1"), Path("rag"))
