import json

import pytest
from langchain_openai import ChatOpenAI
from openai import RateLimitError
from tests.llm.conftest import Serve
from tests.servers.openai_server import Fault, Said, completion, rate_limited

from uaeval.llm.endpoint.chat_client import chat_client

ASKED = [("system", "Be brief."), ("user", "Is it?"), ("assistant", "Maybe."), ("user", "Is it?")]
YES = json.dumps(completion(Said(content="Yes."))).encode()
FORMAT = {"response_format": {"type": "json_object"}}


async def test_requests_and_replies_equal_those_of_langchain(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    server = serve(lambda _: Said(content="Yes. é", refusal="No.", cached_tokens=3))
    chats = (
        ChatOpenAI(model="small", base_url=server.url, temperature=0, max_retries=0),
        chat_client("openai:small", server.url, 0.0, 10),
    )
    replies = [await chat.ainvoke(ASKED, extra_body=FORMAT) for chat in chats]

    assert server.requests[0] == server.requests[1]
    assert server.requests[0]["response_format"] == {"type": "json_object"}
    assert server.keys == ["Bearer sk-test"] * 2
    assert replies[0].text == replies[1].text == "Yes. é"
    assert replies[0].additional_kwargs == replies[1].additional_kwargs == {"refusal": "No."}
    assert replies[0].usage_metadata == replies[1].usage_metadata
    for name in ("finish_reason", "logprobs"):
        assert replies[0].response_metadata.get(name) == replies[1].response_metadata.get(name)


async def test_no_cookie_is_sent_back_and_no_header_describes_this_machine(serve: Serve) -> None:
    server = serve(lambda _: Fault(headers={"set-cookie": "who=1; Path=/"}, body=YES))
    chat = chat_client("openai:small", server.url, 0.0, 10)
    for _ in range(2):
        await chat.ainvoke(ASKED)
    assert len(server.headers) == 2
    for names in server.headers:
        assert {"authorization", "content-type", "user-agent"} <= names
        assert "cookie" not in names
        assert not [name for name in names if name.startswith("x-stainless")]


async def test_an_error_says_what_that_of_the_sdk_says(serve: Serve) -> None:
    server = serve(lambda _: rate_limited(5))
    errors = []
    for chat in (
        ChatOpenAI(model="m", base_url=server.url, api_key=lambda: "none", max_retries=0),
        chat_client("openai:m", server.url, 0.0, 10),
    ):
        with pytest.raises(RateLimitError) as caught:
            await chat.ainvoke(ASKED)
        errors.append(caught.value)
    assert str(errors[0]) == str(errors[1])
    assert [error.status_code for error in errors] == [429, 429]
    assert errors[0].body == errors[1].body
    assert errors[1].response.headers["retry-after-ms"] == "5"
