"""What the terminal shows of an evaluation that has just ended, beside its scores."""

from collections.abc import Iterator

from rich.console import Group

from uaeval.evaluation.run import Evaluation
from uaeval.report.additional_metrics import attribution_sheet
from uaeval.report.agreement import others_sheet
from uaeval.report.tables import latency_told, stopped_told
from uaeval.report.terminal import draw
from uaeval.report.undecided import undecided_text


def agreement_table(evaluation: Evaluation) -> Group:
    """Show how far several judges agree; nothing if there is one."""
    sheets = [others_sheet(evaluation.others)] if evaluation.others else []
    return Group(*map(draw, sheets))


def attribution_table(evaluation: Evaluation) -> Group:
    """Show which part of the system bad responses are laid to; nothing if there are none."""
    sheet = attribution_sheet(evaluation)
    return Group(*([draw(sheet)] if sheet.rows else []))


def system_lines(evaluation: Evaluation) -> Iterator[str]:
    """Yield what the judge could not tell, the latency, and the RAG's parts that did nothing."""
    if evaluation.undecided:
        yield f"Undecided by the judge: {undecided_text(evaluation.undecided_counts)}"
    if evaluation.latency:
        yield f"Latency: {latency_told(evaluation.latency)}"
    if evaluation.stopped_parts:
        yield f"Parts of the RAG that did nothing: {stopped_told(evaluation.stopped_parts)}"
