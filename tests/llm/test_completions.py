import pytest
from langchain_openai import ChatOpenAI
from openai import RateLimitError
from pydantic import SecretStr
from tests.llm.conftest import Serve
from tests.servers.openai_server import Said, rate_limited

from uaeval.llm.endpoint.chat_client import PlainCompletions

ASKED = [("system", "Be brief."), ("user", "Is it?"), ("assistant", "Maybe."), ("user", "Is it?")]
FORMAT = {"response_format": {"type": "json_object"}}


def chat_at(url: str, *, plain: bool) -> ChatOpenAI:
    key = SecretStr("sk-test")
    chat = ChatOpenAI(model="small", base_url=url, api_key=key, temperature=0, max_retries=0)
    if plain:
        chat.async_client = PlainCompletions(chat.root_async_client)
    return chat


async def test_what_is_sent_and_what_comes_back_are_those_of_the_sdk(serve: Serve) -> None:
    server = serve(lambda _: Said(content="Yes.", refusal="No."))
    replies = [
        await chat_at(server.url, plain=plain).ainvoke(ASKED, extra_body=FORMAT)
        for plain in (False, True)
    ]

    assert server.requests[0] == server.requests[1]
    assert server.requests[0]["response_format"] == {"type": "json_object"}
    assert replies[0].text == replies[1].text == "Yes."
    assert replies[0].additional_kwargs == replies[1].additional_kwargs == {"refusal": "No."}
    assert replies[0].usage_metadata == replies[1].usage_metadata


async def test_errors_are_those_of_the_sdk(serve: Serve) -> None:
    server = serve(lambda _: rate_limited(5))
    with pytest.raises(RateLimitError):
        await chat_at(server.url, plain=True).ainvoke(ASKED)
