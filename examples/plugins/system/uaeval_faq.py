"""A system under test: a JSON file of questions and answers, searched by words."""

import json
from contextlib import nullcontext
from pathlib import Path

from uaeval.records import Context, Query
from uaeval.systems.kind import SystemKind
from uaeval.systems.system import Answer


class Faq:
    def __init__(self, path: str, k: int) -> None:
        self.name = f"faq:{path}"
        self._answers: dict[str, str] = json.loads(Path(path).read_text(encoding="utf-8"))
        self._k = k

    async def answer(self, query: Query) -> Answer:
        words = set(query.question.lower().split())
        shared = {known: len(words & set(known.lower().split())) for known in self._answers}
        best = sorted(shared, key=lambda known: -shared[known])[: self._k]
        text = self._answers[best[0]] if shared[best[0]] > 2 else "I do not know."
        contexts = tuple(Context(id=known, text=self._answers[known]) for known in best)
        return Answer(text=text, contexts=contexts)


KIND = SystemKind(
    name="faq",
    argument="<file.json>",
    optional=True,
    settings=frozenset({"k"}),
    open=lambda config, path, _queries: nullcontext(Faq(path or "faq.json", config.k)),
)
