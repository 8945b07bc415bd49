"""Write the dataset card for the Hugging Face Hub."""

import re
from collections.abc import Iterator, Sequence

import yaml

from uaeval.categories.names import category_names
from uaeval.categories.registry import categories
from uaeval.formats.dataset import Dataset, Summary
from uaeval.formats.tools import ENVIRONMENT
from uaeval.llm.names import is_offline
from uaeval.records import Query, Score
from uaeval.report.tables import UNRELIABLE_NOTE, interval, percent
from uaeval.report.text import markdown, visible
from uaeval.run_folder import Count, Manifest
from uaeval.storage import stream_journal

OWN = "own"
"""Folder and config of controls without a category."""
_SPLITS = {"unanswerable": False, "answerable": True}
SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_UNFIT_FOR_CODE = re.compile(r"[`{}<>\\]")
"""Characters that would end a code block or a BibTeX field, or look like HTML."""


def card(dataset: Dataset) -> str:
    """Return the text of `README.md`."""
    summary, manifest = dataset.summary(), dataset.manifest
    languages = [name for name in summary.languages if name != "und"]
    present = {category for category, _ in summary.counts}
    written = manifest.stages.get("generate", {}).values()
    named: dict[str, object] = {"pretty_name": dataset.name, "license": dataset.required_license()}
    if languages:
        named["language"] = languages
    return ENVIRONMENT.get_template("hf/README.md.j2").render(
        named=yaml.safe_dump(named, sort_keys=False, allow_unicode=True),
        dataset=dataset,
        title=_UNFIT_FOR_CODE.sub("", visible(dataset.name)),
        size=next((name for most, name in SIZES if summary.counts.total() < most), "n>1M"),
        configs=_configs(summary),
        summary=summary,
        categories=[spec for spec in categories() if spec.name in present],
        annotators=len({label.annotator for label in dataset.labels}),
        validity=_validity(dataset),
        interval=interval,
        percent=percent,
        unreliable=UNRELIABLE_NOTE,
        offline=any(count.by_offline for count in written)
        or any(map(is_offline, manifest.models.values())),
        yields=list(_yield_rows(manifest)),
    )


def _validity(dataset: Dataset) -> Sequence[Score]:
    if not dataset.labels:
        return ()
    from uaeval.evaluation.labels.annotators import validity

    labelled = {label.query_id for label in dataset.labels}
    queries = stream_journal(dataset.run.queries_path, Query)
    return validity([query for query in queries if query.id in labelled], dataset.labels)


def _configs(summary: Summary) -> list[tuple[str, str, list[str]]]:
    """Return name, folder and splits of the config `all`, then of each category's config."""
    kinds = {
        category or OWN: [name for name, side in _SPLITS.items() if summary.counts[category, side]]
        for category in (*category_names(), None)
    }
    all_splits = [split for split in _SPLITS if any(split in splits for splits in kinds.values())]
    of_categories = [(name, name, splits) for name, splits in kinds.items() if splits]
    return [("all", "*", all_splits), *of_categories]


def _yield_rows(manifest: Manifest) -> Iterator[tuple[object, ...]]:
    """Yield the cells of the table of yields, one row per category."""
    for category, asked in manifest.asked.items():
        stages = {
            name: counts[category] for name, counts in manifest.stages.items() if category in counts
        }
        written, proven = (stages.get(name, Count()).kept for name in ("generate", "verify"))
        failed = sum(count.failed + count.blocked for count in stages.values())
        reasons = "; ".join(
            f"{stage}: " + ", ".join(f"{markdown(name)} {n}" for name, n in count.reasons.items())
            for stage, count in stages.items()
            if count.reasons
        )
        released = manifest.chosen.get(category, 0)
        yield f"`{category}`", asked, written, proven, released, failed, reasons
