"""Measure how well the queries of a category can be told from their twins by words alone."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import fmean, median

from uaeval.categories.names import category_names
from uaeval.records import Category, Query
from uaeval.run_folder import Leakage
from uaeval.text.telling_apart import FEWEST_PAIRS, bag_of_words_auc

_WORD = re.compile(r"\w+")
_OPENING = 4


def leakage(queries: Iterable[Query], *, seed: int = 0) -> list[Leakage]:
    """Return the figures of each category with queries; `None` for fewer than 10 pairs."""
    ordered = sorted(queries, key=lambda query: query.id)
    twins, known = {query.id: query for query in ordered if query.answerable}, category_names()
    members = {name: [query for query in ordered if query.category == name] for name in known}
    frames = Counter(query.frame for query in ordered if query.frame)
    return [_measure(name, members[name], twins, frames, seed) for name in known if members[name]]


def _measure(
    category: Category,
    queries: Sequence[Query],
    twins: dict[str, Query],
    frames: Counter[str],
    seed: int,
) -> Leakage:
    pairs = [
        (query.question, twins[query.pair_id].question)
        for query in queries
        if query.pair_id in twins
    ]
    enough = pairs if len(pairs) >= FEWEST_PAIRS else []
    opening, share = commonest_opening([query for query, _ in enough]) if enough else (None, None)
    framed = [query.frame for query in queries if query.frame]
    hardness = [query.hardness for query in queries if query.hardness is not None]
    return Leakage(
        category=category,
        pairs=len(pairs),
        auc=bag_of_words_auc(enough, seed=seed) if enough else None,
        opening=opening,
        opening_share=share,
        length_ratio=length_ratio(enough),
        easy=sum(bool(query.easy) for query in queries),
        repeated_frames=fmean(frames[frame] > 1 for frame in framed) if framed else None,
        hardness_mean=fmean(hardness) if hardness else None,
        hardness_median=median(hardness) if hardness else None,
        hardness_min=min(hardness, default=None),
        hardness_max=max(hardness, default=None),
    )


def commonest_opening(questions: Sequence[str]) -> tuple[str, float]:
    """Return the most frequent first four words (or fewer) and their share."""
    words = (_WORD.findall(question.casefold()) for question in questions)
    openings = Counter(" ".join(each[:_OPENING]) for each in words)
    opening, count = min(openings.items(), key=lambda entry: (-entry[1], entry[0]))
    return opening, count / len(questions)


def length_ratio(pairs: Sequence[tuple[str, str]]) -> float | None:
    """Return the mean length of the queries divided by that of their twins."""
    twins = sum(len(twin) for _, twin in pairs)
    return sum(len(query) for query, _ in pairs) / twins if twins else None
