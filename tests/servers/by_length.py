"""Tokens of an endpoint, counted by the rule that estimates go by."""

import json
from collections.abc import Callable

from tests.servers.openai_server import Body, Said

from uaeval.llm.sizing import estimated_tokens


def counted_by_length(answer: Callable[[Body], str]) -> Callable[[Body], Said]:
    """Return a function that answers likewise, and reports the tokens of request and reply."""

    def counted(body: Body) -> Said:
        content = answer(body)
        asked = "".join(message["content"] for message in body["messages"])
        return Said(
            content=content,
            prompt_tokens=estimated_tokens(asked + json.dumps(body["response_format"])),
            completion_tokens=estimated_tokens(content),
        )

    return counted
