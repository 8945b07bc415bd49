"""The offline engine behind a chat endpoint: a rendered prompt is read back into its fields."""

import re
from collections.abc import Mapping
from functools import cache
from string import Template

from tests.servers.openai_server import Body

from uaeval.errors import ReplyError, UndecidedError
from uaeval.llm.model import Claim, Field
from uaeval.offline.model import IGNORED, TABLE
from uaeval.prompts import PromptLibrary
from uaeval.records import Passage

_PASSAGE = re.compile(
    r'<passage number="(?P<number>\d+)" source="(?P<source>.*?)">\n(?P<text>.*?)\n</passage>',
    re.DOTALL,
)
_CLAIM = re.compile(
    r'<claim number="(?P<number>\d+)">\n(?P<question>.*?)\n→ (?P<answer>.*?)\n</claim>', re.DOTALL
)
_ONE = {"passage", "article"}
_SEVERAL = {"passages", "related"}


def read_back(body: Body) -> tuple[str, Mapping[str, Field]]:
    """Return the name of the prompt that a chat request was rendered from, and its fields."""
    system, user = (message["content"] for message in body["messages"][:2])
    name, pattern = _prompts()[system]
    found = pattern.fullmatch(user)
    assert found, f"{name} cannot be read back"
    return name, _fields(found.groupdict())


def offline_answer(body: Body) -> str:
    """Answer a chat request as the offline engine answers its fields."""
    name, fields = read_back(body)
    taken = {name: value for name, value in fields.items() if name not in IGNORED}
    try:
        return TABLE[name](**taken).model_dump_json()
    except ReplyError:
        return "I cannot tell."
    except UndecidedError:  # a model always gives a score
        return '{"rationale": "There is little to tell it from.", "score": 0.0}'


@cache
def _prompts() -> dict[str, tuple[str, re.Pattern[str]]]:
    library = PromptLibrary()
    prompts = [library.get(name) for name in TABLE]
    return {each.system: (each.name, _reader(each.user)) for each in prompts}


def _reader(template: str) -> re.Pattern[str]:
    """Return what finds the fields in a rendered template."""
    escaped = re.sub(r"\\\$(\w+)", r"$\1", re.escape(template))
    groups = {name: f"(?P<{name}>.*?)" for name in Template(template).get_identifiers()}
    return re.compile(Template(escaped).substitute(groups), re.DOTALL)


def _fields(texts: Mapping[str, str]) -> dict[str, Field]:
    return {name: _field(name, text) for name, text in texts.items()}


def _field(name: str, text: str) -> Field:
    if name == "claims":
        return tuple(_claim(found) for found in _CLAIM.finditer(text))
    if name not in _ONE | _SEVERAL:
        return text
    passages = tuple(_passage(found) for found in _PASSAGE.finditer(text))
    return passages[0] if name in _ONE else passages


def _claim(found: re.Match[str]) -> Claim:
    number, question, answer = found.groups()
    return Claim(number=int(number), question=question, answer=answer)


def _passage(found: re.Match[str]) -> Passage:
    title, _, heading = found["source"].partition(" › ")
    return Passage(number=int(found["number"]), title=title, heading=heading, text=found["text"])
