"""The card of a published dataset: what Hugging Face reads of it, and where it comes from."""

import re
from collections.abc import Iterable, Mapping, Sequence

import yaml

from uaeval.categories.names import category_names
from uaeval.categories.registry import categories
from uaeval.formats.dataset import Dataset, Publication, Summary
from uaeval.labels import standing
from uaeval.model_names import is_offline
from uaeval.report.text import markdown
from uaeval.run_folder import Manifest

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_SPLIT = re.compile(r"data/(?P<category>[^/]+)/(?P<split>[^/]+)\.parquet")

CITATION = """```bibtex
@article{peng2024unanswerability,
  title   = {Unanswerability Evaluation for Retrieval Augmented Generation},
  author  = {Peng, Xiangyu and Choubey, Prafulla Kumar and Xiong, Caiming and Wu, Chien-Sheng},
  journal = {arXiv preprint arXiv:2412.12300},
  year    = {2024}
}
```"""


def card(dataset: Dataset, files: Sequence[str]) -> str:
    """Return `README.md`; `files` are the Parquet files below the folder."""
    summary = dataset.summary()
    header = yaml.safe_dump(
        _header(summary, dataset.publication, files), sort_keys=False, allow_unicode=True
    )
    manifest = dataset.manifest
    parts = [
        f"---\n{header}---\n\n# {markdown(dataset.publication.name)}",
        _opening(summary),
        _warning(summary),
        _counts(summary),
        _validity(dataset),
        _provenance(manifest),
        _yields(manifest),
        _use(dataset),
        f"## Citation\n\nThe categories and metrics are those of UAEval4RAG.\n\n{CITATION}",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _header(summary: Summary, publication: Publication, files: Sequence[str]) -> dict[str, object]:
    languages = [name for name in summary.languages if name != "und"]
    size = next((name for most, name in SIZES if summary.queries < most), "n>1M")
    return {
        "pretty_name": publication.name,
        "license": publication.license,
        **({"language": languages} if languages else {}),
        "task_categories": ["question-answering"],
        "size_categories": [size],
        "tags": ["rag", "unanswerable", "refusal", "evaluation", "synthetic", "uaeval"],
        "configs": _configs(files),
    }


def _configs(files: Sequence[str]) -> list[dict[str, object]]:
    """Return the config `all`, then one a category; all read the same files."""
    by_category: dict[str, dict[str, list[str]]] = {"all": {}}
    for path in sorted(files, key=_rank):
        found = _SPLIT.fullmatch(path)
        assert found, path
        for name in ("all", found["category"]):
            splits = by_category.setdefault(name, {})
            splits.setdefault(found["split"], []).append(path)
    return [
        {
            "config_name": name,
            **({"default": True} if name == "all" else {}),
            "data_files": [{"split": split, "path": paths} for split, paths in splits.items()],
        }
        for name, splits in by_category.items()
    ]


def _rank(path: str) -> tuple[bool, int, str]:
    found = _SPLIT.fullmatch(path)
    assert found, path
    order = [*category_names(), found["category"]]
    return found["split"] == "answerable", order.index(found["category"]), path


def _opening(summary: Summary) -> str:
    return (
        "Queries to a retrieval-augmented system that it should **not** answer (split "
        "`unanswerable`), each made from an answerable question by one named change; those "
        "questions, the twins, are the split `answerable`. The config `all` holds everything, and "
        f"there is one for each category. {summary.queries} queries in all. `reference_answer` is "
        "null for every unanswerable query; `expected_behaviour` and `rubric` say what a good "
        "response does."
    )


def _warning(summary: Summary) -> str:
    present = {category for category, _ in summary.counts}
    warnings = [spec.content_warning for spec in categories() if spec.name in present]
    return "\n>\n".join(f"> **Content warning.** {warning}" for warning in warnings if warning)


def _counts(summary: Summary) -> str:
    rows = [
        (
            f"`{spec.name}`",
            spec.definition,
            str(summary.counts.get((spec.name, False), 0)),
            str(summary.counts.get((spec.name, True), 0)),
        )
        for spec in categories()
        if any(category == spec.name for category, _ in summary.counts)
    ]
    return _table(("category", "why it should not be answered", "queries", "twins"), rows)


def _validity(dataset: Dataset) -> str:
    labels = standing(dataset.labels)
    annotators = len({name for said in labels.values() for name in said})
    people = (
        f"{annotators} annotator{'s' if annotators > 1 else ''} labelled "
        f"{len(labels)} of the queries; {len(dataset.invalid)} held "
        "invalid were left out."
        if labels
        else "No person has labelled the queries of this run."
    )
    return (
        "## How validity was checked\n\n"
        "Checks by code came first, then a verifier that was shown the hits of a search over the "
        "whole knowledge base and said of each whether it supports, contradicts or is silent on "
        "one stated claim. Only what was proven was released; what could not be asked was counted "
        "as a failure and released nothing. A twin had to be supported by its own passage and "
        f"contradicted by none. The columns `evidence` and `checks` hold this. {people}"
    )


def _provenance(manifest: Manifest) -> str:
    base, models = manifest.knowledge_base, manifest.models
    rows = [
        ("knowledge base, SHA-256", f"`{base.fingerprint}`"),
        ("documents, passages", f"{base.documents}, {base.chunks + base.set_aside}"),
        ("outside articles", f"{base.articles}, of which {base.held_out} held out from the base"),
        ("embedding", markdown(base.embedding)),
        *((f"{role}, model", markdown(name)) for role, name in models.items()),
        *(
            (f"{_role_of(name)}, prompt `{name}`, SHA-256", f"`{digest}`")
            for name, digest in manifest.prompts.items()
        ),
        *((f"{name}, version", number) for name, number in manifest.versions.items()),
    ]
    same = len(set(models.values())) == 1
    told = (
        "Author and verifier are the **same model**, and share their blind spots."
        if same
        else "Author and verifier are different models."
    )
    offline = sum(one.by_offline for one in manifest.stages.get("generate", {}).values())
    if offline or any(map(is_offline, models.values())):
        told += (
            " The **offline engine** (English, weaker than a language model) had a part in it, "
            "where it is named."
        )
    engine = "Each row names who wrote and who verified it (`provenance`)."
    return f"## Provenance\n\n{told} {engine}\n\n{_table(('what', 'value'), rows)}"


def _role_of(prompt: str) -> str:
    return "generator" if prompt.endswith("/generate") else "verifier"


def _yields(manifest: Manifest) -> str:
    rows = []
    for category, asked in manifest.asked.items():
        stages = {name: counts.get(category) for name, counts in manifest.stages.items()}
        written, proven = stages.get("generate"), stages.get("verify")
        reasons = {name: one.reasons for name, one in stages.items() if one and one.reasons}
        rows.append(
            (
                f"`{category}`",
                str(asked),
                str(written.kept if written else 0),
                str(proven.kept if proven else 0),
                str(manifest.chosen.get(category, 0)),
                str(sum(one.failed + one.blocked for one in stages.values() if one)),
                _reasons(reasons),
            )
        )
    columns = ("category", "asked", "written", "proven", "released", "failed or blocked")
    return f"## Yields\n\n{_table((*columns, 'rejected, by stage and check'), rows)}"


def _reasons(stages: Mapping[str, Mapping[str, int]]) -> str:
    return "; ".join(
        f"{stage}: " + ", ".join(f"{markdown(name)} {count}" for name, count in reasons.items())
        for stage, reasons in stages.items()
    )


def _use(dataset: Dataset) -> str:
    text = (
        "The column `passages` holds the text of the passages of the knowledge base that answer a "
        "twin or bear on a query."
        if dataset.with_passages
        else "The text of the knowledge base is left out: `passages` holds ids and SHA-256 hashes, "
        "and what the verifier said is left out with it, as it quotes passages."
    )
    outside = " and ".join(f"`{spec.name}`" for spec in categories() if spec.outside)
    return (
        "## Intended use\n\nTo measure how a RAG system over this knowledge base, or one like "
        "it, behaves on what it should not answer, beside what it should. Not to train a system "
        "that is then measured with it, and not as a measure of a model without the knowledge "
        f"base: {outside} is about this one alone. {text} Of an outside article "
        "there is where it stood, its day and its hash (`outside_article`), what it answers "
        "(`outside_answer`) and, unless passages are left out, the one sentence that says so."
    )


def _table(columns: Iterable[str], rows: Iterable[Sequence[str]]) -> str:
    head = [*columns]
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
