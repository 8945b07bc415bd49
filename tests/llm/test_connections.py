import asyncio
import gc
import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
import trustme
from tests.llm.conftest import Serve
from tests.scripted import identity
from tests.servers.chat_server import ChatServer, Plan
from tests.servers.openai_server import OpenAIServer

from uaeval.errors import ModelError
from uaeval.llm.endpoint.langchain import LangChainModel
from uaeval.llm.replies import YesNoJudgement
from uaeval.prompts import PromptLibrary

YES = '{"rationale": "It is.", "label": "yes"}'


@pytest.fixture(scope="module")
def chat_server() -> Iterator[ChatServer]:
    with ChatServer() as server:
        yield server


@pytest.fixture(autouse=True)
def _no_proxies_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


async def judge(model: LangChainModel, question: str = "Is it?") -> YesNoJudgement:
    return await model.ask("test/judge", YesNoJudgement, identity, question=question)


def built(prompts: PromptLibrary, url: str) -> LangChainModel:
    return LangChainModel("openai:small", prompts, base_url=url, max_retries=0)


async def several(model: LangChainModel, calls: int) -> None:
    for _ in range(calls):
        await judge(model)


def test_a_connection_is_kept_within_a_loop_and_closed_with_it(
    prompts: PromptLibrary, chat_server: ChatServer
) -> None:
    chat_server.follow(Plan())
    models = [built(prompts, chat_server.url) for _ in range(2)]
    for loops in (1, 2):
        asyncio.run(several(models[0], 5))
        assert chat_server.counts().connections == loops
    asyncio.run(several(models[1], 5))
    gc.collect()  # what was left open warns now, and a warning is an error here
    counts = chat_server.counts()
    assert (counts.calls, counts.connections) == (15, 3)


async def test_a_deleted_model_leaves_no_connection_open(
    prompts: PromptLibrary, chat_server: ChatServer
) -> None:
    chat_server.follow(Plan())
    await several(built(prompts, chat_server.url), 2)
    gc.collect()
    await several(built(prompts, chat_server.url), 2)
    assert chat_server.counts().connections == 1


async def test_hundreds_of_calls_are_in_flight_at_once(
    prompts: PromptLibrary, chat_server: ChatServer
) -> None:
    chat_server.follow(Plan(latency_s=3.0))
    model = built(prompts, chat_server.url)
    await asyncio.gather(*(judge(model) for _ in range(110)))
    assert chat_server.counts().peak > 100


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("drop", "Connection error. (ServerDisconnectedError"),
        ("garbage", "not a chat completion"),
        ("503", "HTTP 503"),
    ],
)
async def test_what_goes_wrong_on_the_way_is_named(
    prompts: PromptLibrary, chat_server: ChatServer, fault: str, says: str
) -> None:
    chat_server.follow(Plan(faults={fault: 1}))
    with pytest.raises(ModelError) as caught:
        await judge(built(prompts, chat_server.url))
    assert says in str(caught.value)
    assert chat_server.counts().faults == {fault: 1}


async def test_a_proxy_is_taken_from_the_environment(
    prompts: PromptLibrary, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = serve(lambda _: YES)
    monkeypatch.setenv("HTTP_PROXY", proxy.url.removesuffix("/v1"))
    assert (await judge(built(prompts, "http://model.invalid/v1"))).label == "yes"
    assert len(proxy.requests) == 1


async def test_a_host_may_be_kept_from_the_proxy(
    prompts: PromptLibrary, serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy, server = serve(lambda _: YES), serve(lambda _: YES)
    monkeypatch.setenv("ALL_PROXY", proxy.url.removesuffix("/v1"))
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    await judge(built(prompts, server.url))
    assert (len(proxy.requests), len(server.requests)) == (0, 1)


async def test_an_unreachable_proxy_is_an_error_without_advice(
    prompts: PromptLibrary,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with pytest.raises(ModelError, match=r"Connection error\. \(ConnectionRefusedError"):
        await judge(built(prompts, "http://model.invalid/v1"))
    assert caplog.text == ""


async def test_a_socks_proxy_names_the_package_that_it_needs(
    prompts: PromptLibrary, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = built(prompts, "http://model.invalid/v1")
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    with pytest.raises(ModelError, match=r"pip install httpx\[socks\]"):
        await judge(model)


async def test_a_certificate_authority_of_the_users_own_is_trusted_when_it_is_named(
    prompts: PromptLibrary, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = trustme.CA()
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(tls)
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
    with OpenAIServer(lambda _: YES, tls=tls) as server:
        assert (await judge(built(prompts, server.url))).label == "yes"


async def test_a_certificate_of_an_unknown_authority_is_refused(prompts: PromptLibrary) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(tls)
    with OpenAIServer(lambda _: YES, tls=tls) as server:
        with pytest.raises(ModelError, match="CERTIFICATE_VERIFY_FAILED"):
            await judge(built(prompts, server.url))
        assert server.requests == []
