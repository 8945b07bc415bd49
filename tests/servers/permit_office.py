"""An invented permit office for benchmarks: its documents, and a model that writes from them.

The model answers at once and by rule, so that what is measured is the caller. It rejects a fifth
of all candidates, told from their words.
"""

import itertools
import json
import random
import zlib
from collections.abc import Mapping
from pathlib import Path

from tests.servers.offline_answers import read_back
from tests.servers.openai_server import Body

from uaeval.records import Passage

_FIRST = """amber birch cedar copper coral delta ember fern flint garnet hazel indigo ivory jade
juniper larch lilac maple marble meadow onyx opal pearl pine quartz raven ruby sable saffron silver
slate spruce teal thistle topaz umber violet walnut willow zinc""".split()
_SECOND = """anchor barge beacon bridge canal castle chapel cliff cove dock ferry field forge fort
garden gate grove harbor hill inlet island lake market mill orchard pier pond quay ridge river
shore spring square station tower tunnel valley village well wharf""".split()
_CHATTER = """about again almost along already although always among another anyway around ask
away back because before behind below beside between beyond both bring busy call came carry change
clear close cold come coming could cover cross daily dark deep does done door down drive during
each early either else end enough even ever every face fall far feel few find fine first follow
found four free full gave give glad going gone good great grow half hand hard have head hear heavy
held help here hold home hope hour house idea into just keep kept kind knew know large last late
lead learn least left less life light like line list little live long look lost loud made main
make many mean meet might mind miss month more most move much must name near need never new next
night none north note nothing now off often old once only onto open order other our out over own
page part past pay people place plain plan play point quick quiet quite rain reach read ready real
rest right road room round run said same saw say sea see seem seen send set shall short show side
sign since sit six size slow small soft some soon sound south space spend stand start stay step
still stop store street strong such sure table take talk tell ten than that their them then there
these they thing think third those though three through thus time today together told took top
toward town tree true try turn two under until upon use very view visit wait walk wall want warm
watch water week went were west what wheel when where which while white whole wide wind window
wish with word work world would write year yet young""".split()
_SYLLABLES = [start + end for start in "bdfgklmnprtvz" for end in ("a", "o", "u")]
_ROWS = 50_000
"""Of a file."""
_REJECTED = 5
"""One candidate of so many is rejected."""


def write_documents(folder: Path, count: int) -> None:
    """Write `count` documents, each on one permit."""
    folder.mkdir(parents=True)
    for number in range(count):
        first, second = _FIRST[number % len(_FIRST)], _SECOND[number // len(_FIRST)]
        name, days = f"{first} {second}", 3 + number % 89
        text = (
            f"# {name.title()} permit\n\nThe {name} permit is issued within {days} days. "
            f"Applications for the {name} permit go to desk {number}. "
            f"The {name} permit costs {10 + number} dollars, to be paid at the counter.\n"
        )
        (folder / f"{first}-{second}.md").write_text(text, encoding="utf-8")


def write_rows(folder: Path, count: int, length: int) -> None:
    """Write `count` rows of about `length` characters, each on one permit of its own name."""
    folder.mkdir(parents=True)
    for start in range(0, count, _ROWS):
        rows = (json.dumps(_row(number, length)) for number in range(start, start + _ROWS))
        path = folder / f"{start:07d}.jsonl"
        path.write_text("\n".join(itertools.islice(rows, count - start)), encoding="utf-8")


def _row(number: int, length: int) -> dict[str, str]:
    chance, left, parts = random.Random(number), number, []
    for _ in range(4):
        left, place = divmod(left, len(_SYLLABLES))
        parts.append(_SYLLABLES[place])
    name = f"{_FIRST[number % len(_FIRST)]} {''.join(parts)}"
    text = f"The {name} permit is issued within {3 + number % 89} days. "
    while len(text) < length - 50:
        text += f"We {' '.join(chance.choices(_CHATTER, k=12))}. "
    text += f"The {name} permit costs {10 + number} dollars."
    return {"_id": f"p{number:07d}", "title": f"{name.title()} permit", "text": text}


def answer(body: Body) -> str:
    """Answer a request as a model that follows its prompt."""
    prompt, fields = read_back(body)
    category, _, task = prompt.partition("/")
    if task == "generate":
        return json.dumps({"declined": None, "draft": _draft(category, fields)})
    return json.dumps(_verdict(prompt, fields))


# --- the author ---------------------------------------------------------------------------------


def _facts(passage: Passage) -> tuple[str, str, str]:
    """Return a permit's name, its days as an answer, and the sentence that states them."""
    quote = passage.text.split(". ")[0] + "."
    name, _, days = quote.removeprefix("The ").removesuffix(".").partition(" permit is issued ")
    return name, days, quote


def _draft(category: str, fields: Mapping[str, object]) -> dict[str, object]:
    passage = fields["passage"]
    assert isinstance(passage, Passage)
    name, days, quote = _facts(passage)
    kind = fields.get("subtype")
    chatter = random.Random(f"{category} {name} {kind} {fields.get('turn')}")
    said = " ".join(chatter.sample(_CHATTER, 12))
    twin = {"question": _asked(name), "answer": days, "quote": quote}
    draft: dict[str, object] = {"twin": twin, "reason": "It is made up for a benchmark."}
    match category:
        case "underspecified":
            return draft | _left_out(said, passage, fields)
        case "false_presupposition":
            fact = passage.text.strip().split(". ")[-1]
            premise = f"The {name} permit costs nothing."
            return {"need": "a permit"} | {
                **draft,
                "question": f"{said} the free {name} permit",
                "premise": premise,
                "fact": fact,
            }
        case _:
            return draft | {
                "question": f"{said} {name} permit",
                "subtype": fields.get("subtype"),
            }


def _asked(name: str) -> str:
    return f"How many days until the {name} permit is issued?"


def _left_out(said: str, passage: Passage, fields: Mapping[str, object]) -> dict[str, object]:
    related = fields["related"]
    assert isinstance(related, tuple)
    own = _facts(passage)
    other = next(one for one in related if _facts(one)[1] != own[1])
    readings = [
        {"question": _asked(name), "value": name, "passage": one.number, "answer": days}
        for one in (passage, other)
        for name, days, _ in [_facts(one)]
    ]
    return {"question": f"{said} my permit", "readings": readings, "subtype": "entity"}


# --- the verifier -------------------------------------------------------------------------------

_PASSING = {
    "underspecified": "several_readings",
    "false_presupposition": "takes_for_granted",
    "nonsensical": "no_coherent_reading",
    "modality_limited": "needs_other_modality",
    "safety_concerned": "harmful",
}
_FAILING = {
    "underspecified": "one_answer",
    "false_presupposition": "not_in_query",
    "nonsensical": "repair_is_unanswered",
    "modality_limited": "text_would_serve",
    "safety_concerned": "harmless",
}


def _check(question: str, fields: Mapping[str, object]) -> dict[str, object]:
    passages = fields["passages"]
    assert isinstance(passages, tuple)
    found = [one.number for one in passages if f"the {_facts(one)[0]} permit" in question]
    return {"stands_alone": True, "supports": found, "contradicts": []}


def _verdict(prompt: str, fields: Mapping[str, object]) -> dict[str, object]:
    category = prompt.partition("/")[0]
    reply: dict[str, object] = {"rationale": "It is told by rule."}
    if prompt == "underspecified/verify_readings":
        claims = fields["claims"]
        assert isinstance(claims, tuple)
        checks = [_check(one.question, fields) | {"claim": one.number} for one in claims]
        return reply | {"claims": checks}
    twin = _check(str(fields.get("twin_question")), fields)
    found = twin["supports"]
    rejected = zlib.crc32(str(fields["question"]).encode()) % _REJECTED == 0
    reply["label"] = (_FAILING if rejected else _PASSING)[category]
    reply["natural"] = "likely"
    if category == "underspecified":
        return reply
    reply["twin"] = twin
    if category == "false_presupposition":
        reply["premise"] = {"supports": [], "contradicts": found}
    if category == "nonsensical":
        reply["repair"] = "How many days?" if rejected else None
    if category == "safety_concerned":
        reply |= {"twin_is_harmless": True, "one_subject": True}
    return reply
