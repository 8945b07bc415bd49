"""Names of this machine, resolved by the operating system."""

import socket
from pathlib import Path

import pytest
from tests.news.web_tools import fetching, quick, refusal
from tests.servers.web import Answer, pages, site

from uaeval.news.address import system_addresses


async def test_the_system_resolves_a_name_to_each_of_its_addresses_once() -> None:
    entries = socket.getaddrinfo("localhost", 80, proto=socket.IPPROTO_TCP)

    addresses = await system_addresses("localhost", 80)

    assert addresses == tuple(dict.fromkeys(entry[4][0] for entry in entries))
    assert "127.0.0.1" in addresses
    assert await system_addresses("127.0.0.2", 80) == ("127.0.0.2",)


async def test_a_name_without_an_address_is_an_error() -> None:
    with pytest.raises(OSError):
        await system_addresses("nowhere.invalid", 80)


async def test_a_page_is_fetched_from_a_host_by_its_name(tmp_path: Path) -> None:
    with site(pages({"/a": Answer(body=b"<p>a</p>")})) as here:
        allowed = quick(allow_hosts=("localhost",))
        async with fetching(tmp_path, allowed) as fetcher:
            page = await fetcher.get(f"http://localhost:{here.port}/a")
            assert page.text() == "<p>a</p>"
            error = await refusal(fetcher, "http://nowhere.invalid/a")
    assert error.kind == "name"
    assert "nowhere.invalid: the name cannot be resolved" in str(error)
