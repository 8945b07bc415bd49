"""Measure how well the queries of a category can be told from their twins by words alone."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean, median

from uaeval.categories.names import category_names
from uaeval.records import Category, Query
from uaeval.run_folder import Leakage
from uaeval.text.telling_apart import FEWEST_PAIRS, bag_of_words_auc


def leakage(queries: Iterable[Query]) -> list[Leakage]:
    """Return the figures of each category with queries; `None` for fewer than 10 pairs."""
    ordered = sorted(queries, key=lambda query: query.id)
    twins, known = {query.id: query for query in ordered if query.answerable}, category_names()
    members = {name: [query for query in ordered if query.category == name] for name in known}
    frames = Counter(query.frame for query in ordered if query.frame)
    return [_measure(name, members[name], twins, frames) for name in known if members[name]]


def _measure(
    category: Category, queries: Sequence[Query], twins: dict[str, Query], frames: Counter[str]
) -> Leakage:
    paired = [(query, twins[query.pair_id]) for query in queries if query.pair_id in twins]
    pairs = [(query.question, twin.question) for query, twin in paired]
    enough = pairs if len(pairs) >= FEWEST_PAIRS else []
    lengths = [sum(map(len, questions)) for questions in zip(*enough, strict=True)]
    opening, share = commonest_opening([query for query, _ in enough]) if enough else (None, None)
    framed = [query.frame for query in queries if query.frame]
    hardness = [query.hardness for query in queries if query.hardness is not None]
    return Leakage(
        category=category,
        pairs=len(pairs),
        auc=bag_of_words_auc(enough) if enough else None,
        opening=opening,
        opening_share=share,
        length_ratio=lengths[0] / lengths[1] if lengths and lengths[1] else None,
        easy=sum(bool(query.easy) for query in queries),
        repeated_frames=fmean(frames[frame] > 1 for frame in framed) if framed else None,
        hardness_mean=fmean(hardness) if hardness else None,
        hardness_median=median(hardness) if hardness else None,
        hardness_min=min(hardness, default=None),
        hardness_max=max(hardness, default=None),
    )


def commonest_opening(questions: Sequence[str]) -> tuple[str, float]:
    """Return the most frequent first four words (or fewer) and their share."""
    openings = Counter(" ".join(re.findall(r"\w+", text.casefold())[:4]) for text in questions)
    opening, count = min(openings.items(), key=lambda entry: (-entry[1], entry[0]))
    return opening, count / len(questions)
