"""A hostile web: no attack succeeds, takes long or takes much memory."""

import gzip
import itertools
import tracemalloc
import zlib
from collections.abc import Iterator
from pathlib import Path

import brotli
import pytest
from tests.news.newsroom import page
from tests.news.web_tools import Names, Wires, fetching, quick, refusal
from tests.servers.web import Answer, Asked, pages, site

from uaeval.errors import FetchError, KnowledgeBaseError
from uaeval.news import fetch
from uaeval.news.article import clean_text, clean_title, extract
from uaeval.news.page import Page
from uaeval.news.places import refuse_other_schemes
from uaeval.news.sources import read_feed

PRIVATE = [
    "http://127.0.0.1/", "http://127.8.9.10:8080/", "http://0.0.0.0/", "http://[::1]/",
    "http://[::]/", "http://169.254.169.254/latest/meta-data/", "http://10.0.0.1/",
    "http://172.16.0.1/", "http://192.168.1.1/", "http://100.64.0.1/", "http://192.0.0.8/",
    "http://198.18.0.1/", "http://224.0.0.251/", "http://255.255.255.255/", "http://240.0.0.1/",
    "http://[fe80::1]/", "http://[fe80::1%25eth0]/", "http://[fc00::1]/", "http://[fec0::1]/",
    "http://[ff02::1]/", "http://[2001:db8::1]/", "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/", "http://[::ffff:a9fe:a9fe]/", "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/", "http://[64:ff9b:1::7f00:1]/", "http://[2002:7f00:1::]/",
    "http://[2002:a00:1::1]/", "http://[::ffff:0:127.0.0.1]/", "http://[::1%25lo]/",
    "http://[::ffff:127.0.0.1%25lo]/", "http://[2606:4700::5efe:7f00:1]/",
    "http://[2606:4700::200:5efe:a00:1]/", "http://[2001:0:7f00:1::]/", "http://[3fff::1]/",
    "http://[5f00::1]/", "http://[100:0:0:1::1]/", "http://[fd00:ec2::254]/",
    "http://168.63.129.16/metadata/", "http://192.0.0.192/opc/v2/", "http://100.100.100.200/",
]  # fmt: skip
DISGUISED = [
    "http://2130706433/", "http://0x7f000001/", "http://017700000001/", "http://0177.0.0.1/",
    "http://0x7f.0.0.1/", "http://127.1/", "http://127.0.1/", "http://0/", "http://127.0.0.1./",
    "http://0127.0.0.1/", "http://127\u30020\u30020\u30021/", "http://\uff11\uff12\uff17.0.0.1/",
    "http://%31%32%37.0.0.1/", "http://127.0.0.1%00.example.org/", "http://127.0.0.1%2f@x.org/",
    "http://1.2.3.4.5/", "http://4294967297/", "http://127.0.0.1../", "http://0300.0250.1.1/",
    "http://192.0x00a80001/", "http://127.0.0.0x1/", "http://127.0.0.1;.example.org/",
    "http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/", "http://\u0967\u0968\u096d.0.0.1/",
    "http://127.0.0.1\u2044x.org/", "http://localhost%2eexample.org/", "http://a..example.org/",
]  # fmt: skip
OWN_NAMES = [
    "http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://printer/",
    "http://nas.local/", "http://db.internal/", "http://metadata.google.internal/",
    "http://router.lan/", "http://x.home.arpa/", "http://\u24db\u24de\u24d2\u24d0\u24db/",
    "http://\u217cocalhost/", "http://loc\u00adalhost/", "http://localho\u017ft/",
    "http://l\u043ecalhost/", "http://nas\u3002local/", "http://nas.\uff4cocal/", "http://localhost../",
    "http://nas.local\u200b/", "http://kubernetes.default.svc/", "http://a.svc.cluster.local/",
]  # fmt: skip
OTHER = [
    "file:///etc/passwd", "ftp://example.org/a", "gopher://example.org/", "data:text/html,hi",
    "javascript:alert(1)", "ws://example.org/", "//example.org/a", "http:///a", "http:example.org",
    "http://user:secret@example.org/", "http://user@example.org/", "http://a@b@127.0.0.1/",
    "http://example.org:99999/", "http://exa mple.org/", "http://[::1/", "http://[zz]/",
    "http://1.1.1.1 &@2.2.2.2# @3.3.3.3/", "http://evil.example\\@127.0.0.1/", "",
    "http://" + "a" * 300 + ".example.org/" + "b" * 70_000, "http://x.org:80\t/", "http://\x00/",
    "http://example.org:0/", "http://example.org:-1/", "http://127.0.0.1@example.org/",
    "http://example.org\uff0f@127.0.0.1/", "http:\\\\127.0.0.1/", "http:///127.0.0.1/",
]  # fmt: skip
REFUSED = [*PRIVATE, *DISGUISED, *OWN_NAMES, *OTHER]
NOBODY = Names({})


@pytest.mark.parametrize("address", REFUSED, ids=lambda address: repr(address[:50]))
async def test_an_address_is_refused_before_anything_is_connected(
    tmp_path: Path, address: str
) -> None:
    wires = Wires({})
    settings = quick(allow_hosts=())
    async with fetching(tmp_path, settings, resolve=NOBODY.resolve, network=wires) as fetcher:
        assert (await refusal(fetcher, address)).kind in ("address", "name")
    assert wires.made == []


async def test_redirects_to_such_addresses_are_not_followed(tmp_path: Path) -> None:
    targets = [address.replace("\x00", "").replace("\t", "") for address in REFUSED]
    moved = {
        f"/{number}": Answer(status=302, headers=(("Location", target),))
        for number, target in enumerate(targets)
    }
    with site(pages(moved)) as here:
        with_me = quick(allow_hosts=(f"{here.host}:{here.port}",))
        async with fetching(tmp_path, with_me, resolve=NOBODY.resolve) as fetcher:
            ends = {
                t: (await refusal(fetcher, here.url + path)).kind
                for path, t in zip(moved, targets, strict=True)
            }
    assert set(ends.values()) <= {"address", "name", "redirects", "status"}, ends
    assert set(here.paths) - set(moved) <= {"/robots.txt", "/a", "/", "/127.0.0.1/"}


@pytest.mark.parametrize(
    "given",
    [["127.0.0.1"], ["::1"], ["93.184.216.34", "10.0.0.1"], ["::ffff:10.0.0.1"], ["fe80::1%lo"]],
    ids=str,
)
async def test_a_name_with_one_private_address_is_refused(tmp_path: Path, given: list[str]) -> None:
    names, wires = Names({"inside.example.org": [given]}), Wires({})
    async with fetching(tmp_path, resolve=names.resolve, network=wires) as fetcher:
        assert (await refusal(fetcher, "http://inside.example.org/")).kind == "address"
    assert wires.made == []


async def test_answers_that_change_between_look_ups_gain_nothing(tmp_path: Path) -> None:
    """Each connection goes to the checked address; a later, private answer is refused."""
    hang_up = (("Connection", "close"),)
    with site(lambda _asked: Answer(status=404, headers=hang_up)) as here:
        names = Names({"flip.example.org": [["93.184.216.34"], ["127.0.0.1"]]})
        wires = Wires({"93.184.216.34": here.port, "127.0.0.1": here.port})
        settings = quick(allow_hosts=())
        async with fetching(tmp_path, settings, resolve=names.resolve, network=wires) as fetcher:
            assert (await refusal(fetcher, "http://flip.example.org/a")).kind == "address"
    assert names.looked_up == ["flip.example.org"] * 2
    assert wires.made == ["93.184.216.34"]
    assert here.paths == ["/robots.txt"]


async def test_an_allowed_host_opens_no_other(tmp_path: Path) -> None:
    with site(lambda _asked: Answer(body=b"secret"), "127.0.0.2") as inside:
        away = Answer(status=302, headers=(("Location", f"{inside.url}/x"),))
        with site(pages({"/a": away})) as here:
            with_me = quick(allow_hosts=(here.host,))
            async with fetching(tmp_path, with_me) as fetcher:
                assert (await refusal(fetcher, f"{here.url}/a")).kind == "address"
    assert inside.asked == []


def endless() -> Iterator[bytes]:
    return itertools.repeat(b"<p>more and more</p>" * 1000)


def bomb(name: str) -> bytes:
    """Return a few kilobytes that unpack to a gigabyte (brotli), or to a tenth of one."""
    if name == "br":
        packer = brotli.Compressor(quality=1)
        block = bytes(16_000_000)
        return bytes(b"".join(packer.process(block) for _ in range(64)) + packer.finish())
    data = bytes(100_000_000)
    return gzip.compress(data) if name == "gzip" else zlib.compress(data)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
async def test_bombs_are_not_unpacked(
    tmp_path: Path, coding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "LARGEST_PAGE", 1_000_000)
    answer = Answer(body=bomb(coding), headers=(("Content-Encoding", coding),))
    with site(pages({"/a": answer})) as here:
        async with fetching(tmp_path) as fetcher:
            tracemalloc.start()
            assert (await refusal(fetcher, f"{here.url}/a")).kind == "size"
            _, most = tracemalloc.get_traced_memory()
            tracemalloc.stop()
    assert most < 12_000_000


FLOODS = {
    "an endless body": (Answer(body=endless()), "size"),
    "an endless compressed body": (
        Answer(
            body=itertools.chain([gzip.compress(b"x")], itertools.repeat(gzip.compress(b"") * 500)),
            headers=(("Content-Encoding", "gzip"),),
        ),
        "size",
    ),
    "a body that is announced as huge": (Answer(body=b"x", missing=10**12), "size"),
    "a length that is no number": (
        Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 1e9\r\n\r\n"), "broken",
    ),
    "two lengths": (
        Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 9\r\n\r\nabc"),
        "broken",
    ),
    "nested compressions": (
        Answer(body=gzip.compress(b"x"), headers=(("Content-Encoding", "gzip, gzip, gzip"),)),
        "encoding",
    ),
    "an unknown compression": (
        Answer(body=b"x", headers=(("Content-Encoding", "zip"),)), "encoding",
    ),
    "a flood of headers": (
        Answer(
            raw=itertools.chain(
                [b"HTTP/1.1 200 OK\r\n"],
                (b"X-%d: %s\r\n" % (n, b"y" * 500) for n in itertools.count()),
            )
        ),
        "broken",
    ),
    "one endless header": (
        Answer(raw=itertools.chain([b"HTTP/1.1 200 OK\r\nX: "], itertools.repeat(b"y" * 9999))),
        "broken",
    ),
    "endless hints": (
        Answer(raw=itertools.repeat(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 9)), "time",
    ),
    "an endless chunk header": (
        Answer(
            raw=itertools.chain(
                [b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"],
                itertools.repeat(b"0" * 999),
            )
        ),
        "broken",
    ),
    "a drop a second": (Answer(body=b"<p>slow</p>" * 99, trickle_s=0.2), "time"),
    "a switch of protocols": (
        Answer(raw=b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n"), "broken",
    ),
    "an executable": (Answer(body=b"MZ\x90\0" * 99, kind="application/x-msdownload"), "type"),
}  # fmt: skip


@pytest.mark.parametrize("flood", FLOODS)
async def test_a_flood_ends_at_a_limit(
    tmp_path: Path, flood: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetch, "LARGEST_PAGE", 200_000)
    answer, kind = FLOODS[flood]
    with site(lambda asked: None if asked.path == "/robots.txt" else answer) as here:
        async with fetching(tmp_path, quick(page_timeout=1.5)) as fetcher:
            assert (await refusal(fetcher, f"{here.url}/a")).kind == kind


async def test_ten_thousand_redirects_are_not_followed(tmp_path: Path) -> None:
    def onwards(asked: Asked) -> Answer | None:
        if not asked.path[1:].isdigit():
            return None
        return Answer(status=302, headers=(("Location", f"/{int(asked.path[1:]) + 1}"),))

    with site(onwards) as here:
        async with fetching(tmp_path) as fetcher:
            assert (await refusal(fetcher, f"{here.url}/1")).kind == "redirects"
    assert len(here.asked) == 10


async def test_a_page_that_redirects_to_itself_ends(tmp_path: Path) -> None:
    with site(pages({"/a": Answer(status=301, headers=(("Location", "/a"),))})) as here:
        async with fetching(tmp_path) as fetcher:
            assert (await refusal(fetcher, f"{here.url}/a")).kind == "redirects"


LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
FEED = (
    "<rss version='2.0'><channel><item><title>{}</title><link>http://x.org/</link></item>"
    "</channel></rss>"
)
DOCTYPE = "<!DOCTYPE r [{}]>"
BOMBS = {
    "a billion laughs": f"<!DOCTYPE r [<!ENTITY l0 'ha'>{LAUGHS}]>" + FEED.format("&l9;"),
    "a quadratic blow-up": DOCTYPE.format(f"<!ENTITY a '{'a' * 50_000}'>")
    + FEED.format("&a;" * 50_000),
    "a file by entity": DOCTYPE.format("<!ENTITY f SYSTEM 'file:///etc/passwd'>")
    + FEED.format("&f;"),
    "a page by entity": DOCTYPE.format("<!ENTITY f SYSTEM 'http://127.0.0.1/'>")
    + FEED.format("&f;"),
    "a parameter entity": DOCTYPE.format("<!ENTITY % p SYSTEM 'http://127.0.0.1/'> %p;")
    + FEED.format("x"),
    "an attribute bomb": "<rss version='2.0'><channel><item "
    + " ".join(f"a{n}=''" for n in range(50_000)) + "/></channel></rss>",
    "a million tags": "<rss version='2.0'><channel>" + "<item>" * 1_000_000,
    "a million escapes": FEED.format("&lt;" * 1_000_000),
}  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_in_feeds_do_not_go_off(name: str, encoding: str) -> None:
    with pytest.raises(FetchError) as caught:
        read_feed(_feed(BOMBS[name].encode(encoding)))
    assert caught.value.kind == "feed"


def _feed(body: bytes) -> Page:
    return Page(url="http://x.org/f", content_type="application/xml", body=body)


def test_a_document_type_by_address_is_not_fetched() -> None:
    text = "<!DOCTYPE rss SYSTEM 'http://127.0.0.1:1/rss.dtd'>" + FEED.format("Boats")
    assert [lead.title for lead in read_feed(_feed(text.encode()))] == ["Boats"]


@pytest.mark.parametrize(
    "title",
    [
        "<script>alert(1)</script>Boats", "&lt;script&gt;alert(1)&lt;/script&gt;Boats",
        "&amp;lt;script&amp;gt;alert(1)&amp;lt;/script&amp;gt;Boats",
        "<![CDATA[<script>alert(1)</script>Boats]]>", "<img src=x onerror=alert(1)>Boats",
        "<svg><script>alert(1)</script></svg>Boats", "<style>*{}</style>Boats", "Bo\u202eats",
        "Bo\u200bat\U000e0041s", "<iframe srcdoc='&lt;script&gt;'></iframe>Boats",
    ],
)  # fmt: skip
def test_titles_contain_no_script_and_no_invisible_characters(title: str) -> None:
    (lead,) = read_feed(_feed(FEED.format(title).encode()))
    assert lead.title == "Boats"
    assert clean_title(lead.title) == "Boats"


def test_text_of_pages_contains_no_script_and_no_invisible_characters() -> None:
    told = ["The harbour master opened the quay to \u202eevil\u202c boats\u200b again today. " * 9]
    html = page("Boats<script>alert(1)</script>", told, head="<script>alert('x')</script>")
    read = extract(
        html.decode().replace("again", "<script>alert(2)</script>again"), "http://x.org/a"
    )
    assert "alert(2)" not in read.text
    assert "opened the quay to evil boats again" in read.text
    assert clean_text("\x1b[31mred\x07") == "[31mred"


def test_a_page_cannot_claim_the_address_of_another_host() -> None:
    told = ["The harbour master opened the quay to boats again today, she said. " * 9]
    for claimed in ("https://bank.example/", "file:///etc/passwd", "javascript:alert(1)"):
        html = page("Boats", told, head=f'<link rel="canonical" href="{claimed}">').decode()
        assert extract(html, "http://x.org/a").url == "http://x.org/a"


@pytest.mark.parametrize(
    "html",
    [
        "<br>" * 500_000, "<p>a b c</p>" * 200_000, "<ul>" + "<li><a href=x>y</a>" * 100_000,
        "<div>" * 49_000, "<p>" + "<span>" * 49_000, "<table><tr><td>" * 16_000,
        "<p " + "a " * 300_000 + ">x", "<!--" * 40_000, "&amp;lt;" * 300_000,
    ],
    ids=lambda html: html[:12],
)  # fmt: skip
def test_pages_built_to_be_slow_are_read_or_refused(html: str) -> None:
    try:
        extract(f"<html><body>{html}</body></html>", "http://x.org/a")
    except FetchError as error:
        assert error.kind == "extract"


@pytest.mark.parametrize("entry", ["file:///etc/passwd", "ftp://example.org/feed", "gopher://x/"])
def test_other_schemes_are_no_sources(entry: str) -> None:
    with pytest.raises(KnowledgeBaseError, match="http"):
        refuse_other_schemes(entry)
