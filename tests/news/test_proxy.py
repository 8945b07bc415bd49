"""HTTPS through the user's proxy: what it is asked for, and what it is never asked for."""

import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import trustme
from tests.news.test_hostile import DISGUISED, OTHER, OWN_NAMES, PRIVATE
from tests.news.web_tools import fetching, quick, refusal
from tests.servers.proxy import proxy
from tests.servers.web import Answer, Replies, Site, pages, site

from uaeval.errors import ConfigError

NAME = "news.example.org"
STRICT = [
    address.replace("http://", "https://", 1)
    for address in (*PRIVATE, *DISGUISED, *OWN_NAMES, *OTHER)
]
PAGE = Answer(body=b"<p>a</p>")


@dataclass(frozen=True)
class Secure:
    """A site over TLS, the names that clients asked it for, and whom to trust for it."""

    site: Site
    wanted: list[str]
    trusted: ssl.SSLContext


@contextmanager
def secure(replies: Replies, name: str = NAME) -> Iterator[Secure]:
    authority, wanted = trustme.CA(), list[str]()
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(served)
    served.sni_callback = lambda _socket, named, _context: wanted.append(named)
    trusted = ssl.create_default_context()
    authority.configure_trust(trusted)
    with site(replies, tls=served) as here:
        yield Secure(here, wanted, trusted)


def through(address: str) -> Any:
    return quick(web_proxy=address, allow_hosts=())


async def test_a_page_is_fetched_through_a_tunnel_that_ends_at_the_site(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The certificate is the site's; no name but the proxy's is resolved here."""
    looked_up: list[object] = []
    resolve = socket.getaddrinfo

    def noted(host: object, *rest: Any, **more: Any) -> Any:
        looked_up.append(host)
        return resolve(host, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(socket, "getaddrinfo", noted)
    with (
        secure(pages({"/a": PAGE})) as there,
        proxy({f"{NAME}:443": there.site.port}) as between,
    ):
        secret = between.url.replace("//", "//me:secret@")
        async with fetching(tmp_path, through(secret), certificates=there.trusted) as fetcher:
            assert (await fetcher.get(f"https://{NAME}/a")).text() == "<p>a</p>"
    assert set(between.asked) == {f"{NAME}:443"}
    assert set(between.logins) == {"me:secret"}
    assert there.wanted[0] == NAME
    assert there.site.paths == ["/robots.txt", "/a"]
    assert not any("Proxy-Authorization" in asked.headers for asked in there.site.asked)
    assert {str(host) for host in looked_up} <= {"127.0.0.1"}


async def test_addresses_are_refused_before_the_proxy_is_asked(tmp_path: Path) -> None:
    with proxy({}) as between:
        async with fetching(tmp_path, through(between.url)) as fetcher:
            kinds = {address: (await refusal(fetcher, address)).kind for address in STRICT}
    assert {address: kind for address, kind in kinds.items() if kind != "address"} == {}
    assert between.asked == []


async def test_redirects_inside_are_not_followed_through_a_proxy(tmp_path: Path) -> None:
    inside = [
        "https://10.0.0.1/", "https://[::1]/", "http://169.254.169.254/latest/", "https://nas.local/",
        "https://localhost/", "https://0x7f.1/", "//192.168.1.1/", "ftp://x.org/", "https://printer/",
        f"https://{NAME}:0/", f"https://me@{NAME}/",
    ]  # fmt: skip
    moved = {
        f"/{number}": Answer(status=302, headers=(("Location", target),))
        for number, target in enumerate(inside)
    }
    with (
        secure(pages(moved)) as there,
        proxy({f"{NAME}:443": there.site.port}) as between,
    ):
        settings = through(between.url)
        async with fetching(tmp_path, settings, certificates=there.trusted) as fetcher:
            kinds = [(await refusal(fetcher, f"https://{NAME}{path}")).kind for path in moved]
    assert kinds == ["address"] * len(inside)
    assert set(between.asked) == {f"{NAME}:443"}
    assert there.site.paths == ["/robots.txt", *moved]


async def test_a_proxy_that_answers_for_a_site_is_not_believed(tmp_path: Path) -> None:
    """Its certificate is of another name: nothing is asked through the tunnel."""
    with (
        secure(pages({"/a": PAGE}), "other.example.org") as there,
        proxy({f"{NAME}:443": there.site.port}) as between,
    ):
        settings = through(between.url)
        async with fetching(tmp_path, settings, certificates=there.trusted) as fetcher:
            problem = await refusal(fetcher, f"https://{NAME}/a")
    assert (problem.kind, "certificate" in str(problem)) == ("connect", True)
    assert there.site.asked == []


@pytest.mark.parametrize("status", [403, 407, 502])
async def test_a_proxy_that_refuses_is_an_error_and_says_so(tmp_path: Path, status: int) -> None:
    with proxy({}, refuses=status) as between:
        async with fetching(tmp_path, through(between.url)) as fetcher:
            problem = await refusal(fetcher, f"https://{NAME}/a")
    assert problem.kind == "connect"
    assert f"no connection through the proxy ({status}" in str(problem)


async def test_an_unreachable_proxy_is_named(tmp_path: Path) -> None:
    with proxy({}) as between:
        pass
    async with fetching(tmp_path, through(between.url)) as fetcher:
        problem = await refusal(fetcher, f"https://{NAME}/a")
    assert problem.kind == "connect"
    assert "no connection through the proxy" in str(problem)


@pytest.mark.parametrize("address", ["socks5://127.0.0.1:1080", "127.0.0.1:3128", "http://", "x"])
async def test_an_invalid_proxy_is_refused(tmp_path: Path, address: str) -> None:
    with pytest.raises(ConfigError, match="web_proxy"):
        async with fetching(tmp_path, through(address)):
            pass
