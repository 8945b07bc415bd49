"""The rules as verifiers, alone: what share of bad candidates they stop, of good ones they keep."""

import pytest
from tests.verifiers.cases import read_cases

from uaeval.knowledge.index import Index
from uaeval.llm.rules.model import RuleModel
from uaeval.synthesis.verify import Proven, Verify
from uaeval.types import Category

LEAST = 0.8


@pytest.mark.parametrize("category", Category)
async def test_the_rules_stop_bad_candidates_and_keep_good_ones(
    category: Category, sample_index: Index
) -> None:
    verify = Verify(sample_index, RuleModel(), modalities="text", passages_shown=8)
    cases = read_cases(category, sample_index.chunks)
    wrong: dict[bool, list[str]] = {True: [], False: []}
    for case in cases:
        outcome = await verify(case.candidate)
        if isinstance(outcome, Proven) != case.good:
            reason = (
                "passed" if isinstance(outcome, Proven) else f"{outcome.check}: {outcome.rationale}"
            )
            wrong[case.good].append(f"{case.kind}: {case.candidate.question} [{reason}]")
    good = sum(case.good for case in cases)
    kept, stopped = 1 - len(wrong[True]) / good, 1 - len(wrong[False]) / (len(cases) - good)
    report = "\n".join(wrong[True] + ["--"] + wrong[False])
    assert good >= 15
    assert len(cases) - good >= 15
    assert kept >= LEAST, f"{category}: kept {kept:.0%} of the good\n{report}"
    assert stopped >= LEAST, f"{category}: stopped {stopped:.0%} of the bad\n{report}"
