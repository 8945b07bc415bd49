"""An endpoint that answers each shipped prompt by the rules engine and counts tokens by length."""

import asyncio
import json
import re
from html import unescape
from string import Template

from tests.servers.openai_server import Body, Said

from uaeval.llm.reading import reply_type_named
from uaeval.llm.rules.model import RuleModel
from uaeval.llm.sizing import estimated_tokens
from uaeval.prompts import Field, Prompt, PromptLibrary
from uaeval.types import Passage

_LIBRARY = PromptLibrary()
_BY_SYSTEM = {_LIBRARY.get(name).system: _LIBRARY.get(name) for name in _LIBRARY.names()}
_PASSAGE = re.compile(
    r'<passage number="(?P<number>\d+)" source="(?P<source>[^"\n]*)">\n(?P<text>.*?)\n</passage>',
    re.DOTALL,
)
_ONE = {"passage", "article"}
_SEVERAL = {"passages", "related"}


def answer_by_rules(body: Body) -> Said:
    """Read the fields back from the prompt, and answer as the rules engine would."""
    system, user = (message["content"] for message in body["messages"][:2])
    prompt = _BY_SYSTEM[system]
    kind = reply_type_named(prompt.reply.replace("...", ""))
    reply = asyncio.run(RuleModel().ask(prompt.name, kind, **_fields(prompt, user)))
    content = reply.model_dump_json()
    schema = json.dumps(body["response_format"])
    return Said(
        content=content,
        prompt_tokens=estimated_tokens(system + user + schema),
        completion_tokens=estimated_tokens(content),
    )


def _fields(prompt: Prompt, user: str) -> dict[str, Field]:
    names = [match["named"] for match in Template.pattern.finditer(prompt.user)]
    pattern = re.escape(prompt.user)
    for name in names:
        pattern = pattern.replace(re.escape(f"${name}"), f"(?P<{name}>.*?)", 1)
    found = re.fullmatch(pattern, user, re.DOTALL)
    assert found, f"{prompt.name} was rendered otherwise"
    return {name: _value(name, found[name]) for name in names}


def _value(name: str, text: str) -> Field:
    if name not in _ONE | _SEVERAL:
        return text
    passages = tuple(_passage(match) for match in _PASSAGE.finditer(text))
    return passages[0] if name in _ONE else passages


def _passage(match: re.Match[str]) -> Passage:
    title, _, heading = unescape(match["source"]).partition(" › ")
    return Passage(number=int(match["number"]), title=title, heading=heading, text=match["text"])
