"""What the rules engine would reply to a rendered prompt, so that a chat endpoint makes sense."""

import re
from functools import cache
from string import Template

from tests.servers.openai_server import Body

from uaeval.llm.rules.model import RULES
from uaeval.prompts import Field, Prompt, PromptLibrary
from uaeval.types import Passage

_PASSAGE = re.compile(
    r'<passage number="(?P<number>\d+)" source="(?P<source>[^"]*)">\n(?P<text>.*?)\n</passage>',
    re.DOTALL,
)
_LISTS = {"passages", "related"}


def by_rules(body: Body) -> str:
    """Return the reply to the first question of a request; a repair gets the same."""
    return _reply(body["messages"][0]["content"], body["messages"][1]["content"])


@cache
def _reply(system: str, user: str) -> str:
    prompt = next(each for each in _prompts() if system.startswith(each.system))
    found = _pattern(prompt.user).fullmatch(user)
    assert found, f"{prompt.name} was rendered in another way than it is read here"
    fields = {name: _field(name, text) for name, text in found.groupdict().items()}
    return RULES[prompt.name](**fields).model_dump_json()


@cache
def _prompts() -> tuple[Prompt, ...]:
    library = PromptLibrary()
    return tuple(library.get(name) for name in library.names())


@cache
def _pattern(template: str) -> re.Pattern[str]:
    literal = re.escape(template).replace(r"\$", "$")
    return re.compile(re.sub(r"\$(\w+)", r"(?P<\1>.*?)", literal), re.DOTALL)


def _field(name: str, text: str) -> Field:
    passages = tuple(
        Passage(
            number=int(match["number"]),
            title=match["source"].partition(" › ")[0],
            heading=match["source"].partition(" › ")[2],
            text=match["text"],
        )
        for match in _PASSAGE.finditer(text)
    )
    if name in _LISTS:
        return passages
    return passages[0] if passages else text


assert not any(Template(prompt.system).get_identifiers() for prompt in _prompts())
