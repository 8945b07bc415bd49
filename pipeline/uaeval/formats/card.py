"""The card of a published dataset: metadata for Hugging Face, counts, provenance."""

import re
from collections.abc import Iterator

import yaml

from uaeval.categories.names import category_names
from uaeval.categories.registry import categories
from uaeval.formats.dataset import Dataset, Publication, Summary
from uaeval.formats.tool_folder import ENVIRONMENT
from uaeval.model_names import is_offline
from uaeval.report.tables import UNRELIABLE_NOTE, interval, percent
from uaeval.report.text import markdown, visible
from uaeval.run_folder import Count, Manifest
from uaeval.storage import stream_journal
from uaeval.types import Query

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
OWN = "own"
"""Folder and config of controls that belong to no category."""
_UNFIT_FOR_CODE = re.compile(r"[`{}<>\\]")
"""Would end a code block or a field of BibTeX, or look like HTML."""


def card(dataset: Dataset) -> str:
    """Return `README.md`."""
    summary, manifest = dataset.summary(), dataset.manifest
    header = _header(summary, dataset.publication)
    written = manifest.stages.get("generate", {}).values()
    return ENVIRONMENT.get_template("hf/README.md.j2").render(
        header=yaml.safe_dump(header, sort_keys=False, allow_unicode=True),
        publication=dataset.publication,
        title=_UNFIT_FOR_CODE.sub("", visible(dataset.publication.name)),
        summary=summary,
        categories=[
            spec
            for spec in categories()
            if any(category == spec.name for category, _ in summary.counts)
        ],
        annotators=len({label.annotator for label in dataset.labels}),
        validity=_validity(dataset),
        unreliable=UNRELIABLE_NOTE,
        invalid=dataset.invalid,
        manifest=manifest,
        offline=any(count.by_offline for count in written)
        or any(map(is_offline, manifest.models.values())),
        yields=list(_yields(manifest)),
        with_passages=dataset.with_passages,
    )


def _validity(dataset: Dataset) -> list[tuple[str, ...]]:
    """Return the rows of the table of validity; none if people have labelled nothing."""
    if not dataset.labels:
        return []
    from uaeval.evaluation.labels.annotators import validity  # loads scikit-learn

    labelled = {label.query_id for label in dataset.labels}
    queries = stream_journal(dataset.run.queries_path, Query)
    scores = validity([query for query in queries if query.id in labelled], dataset.labels)
    return [
        (score.group, percent(score.value), interval(score), str(score.n), str(score.errors))
        for score in scores
    ]


def _header(summary: Summary, publication: Publication) -> dict[str, object]:
    languages = [name for name in summary.languages if name != "und"]
    size = next((name for most, name in SIZES if summary.queries < most), "n>1M")
    return {
        "pretty_name": publication.name,
        "license": publication.required_license(),
        **({"language": languages} if languages else {}),
        "task_categories": ["question-answering"],
        "size_categories": [size],
        "tags": ["rag", "unanswerable", "refusal", "evaluation", "synthetic", "uaeval"],
        "configs": _configs(summary),
    }


def _configs(summary: Summary) -> list[dict[str, object]]:
    """Return the config `all`, then one a category; all read the same files."""
    known = [*category_names(), None]
    kinds = sorted(summary.counts, key=lambda kind: (known.index(kind[0]), kind[1]))
    by_config: dict[str, dict[str, str]] = {"all": {}}
    for category, answerable in kinds:
        for name, folder in (("all", "*"), (category or OWN, category or OWN)):
            split = "answerable" if answerable else "unanswerable"
            by_config.setdefault(name, {})[split] = f"data/{folder}/{split}.parquet"
    return [
        {
            "config_name": name,
            **({"default": True} if name == "all" else {}),
            "data_files": [{"split": split, "path": path} for split, path in splits.items()],
        }
        for name, splits in by_config.items()
    ]


def _yields(manifest: Manifest) -> Iterator[tuple[object, ...]]:
    """Yield the cells of each category's row in the table of yields."""
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
