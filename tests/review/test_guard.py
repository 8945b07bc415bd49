"""The guard refuses requests without a token, from another host or from another origin."""

import http.client
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from tests.review.serving import client, reviewing, write_run


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("review") / "run"
    write_run(folder)
    with reviewing(folder) as addresses:
        yield addresses["anna"]


def _raw(address: str, method: str, path: str, headers: dict[str, str]) -> tuple[int, bytes]:
    """Ask with exactly this path and these headers, whatever a client would make of them."""
    place = urlsplit(address)
    connection = http.client.HTTPConnection(place.hostname or "", place.port or 0, timeout=10)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders()
    reply = connection.getresponse()
    body = reply.read()
    connection.close()
    return reply.status, body


def _token(address: str) -> str:
    return urlsplit(address).path.strip("/")


def test_the_page_and_its_files_are_served_with_a_policy_that_allows_no_other_source(
    address: str,
) -> None:
    with client(address) as page:
        for name in ("", "app.js", "style.css", "api/review"):
            reply = page.get(name)
            assert reply.status_code == 200, name
            assert reply.headers["content-security-policy"].startswith("default-src 'none'")
            assert reply.headers["referrer-policy"] == "no-referrer"
            assert reply.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("token", ["", "x", "token", "{token}x", "%00", "..", "{half}"])
@pytest.mark.parametrize("rest", ["", "/", "/app.js", "/api/review"])
def test_without_the_right_token_there_is_nothing(address: str, token: str, rest: str) -> None:
    whole = _token(address)
    path = "/" + token.format(token=whole, half=whole[:20]) + rest
    status, body = _raw(address, "GET", path, {"Host": urlsplit(address).netloc})
    assert (status, body) == (404, b"no such page")


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:{port}", ""]
)
def test_another_host_header_is_refused(address: str, host: str) -> None:
    place = urlsplit(address)
    sent = {"Host": host.format(port=place.port)}
    assert _raw(address, "GET", place.path, sent) == (403, b"this Host is not served")


def test_localhost_with_the_port_is_ours(address: str) -> None:
    place = urlsplit(address)
    assert _raw(address, "GET", place.path, {"Host": f"localhost:{place.port}"})[0] == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "https://{host}"},
        {"Origin": "http://{host}.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_origin_is_refused(address: str, headers: dict[str, str], method: str) -> None:
    place = urlsplit(address)
    sent = {name: text.format(host=place.netloc) for name, text in headers.items()}
    path = f"{place.path}api/tasks/0/undo"
    status, body = _raw(address, method, path, {"Host": place.netloc, **sent})
    assert (status, body) == (403, b"requests from another origin are refused")


@pytest.mark.parametrize(("method", "path"), [("OPTIONS", "*"), ("GET", "*"), ("HEAD", "*")])
def test_an_invalid_path_is_refused(address: str, method: str, path: str) -> None:
    place = urlsplit(address)
    sent = {"Host": place.netloc, "Origin": f"http://{place.netloc}"}
    assert _raw(address, method, path, sent)[0] == 404


@pytest.mark.parametrize("digits", [5, 900, 4_299, 5_000, 50_000])
@pytest.mark.parametrize("form", ["{0}/items/0", "0/items/{0}", "{0}/results"])
def test_a_number_of_thousands_of_digits_is_not_found(address: str, digits: int, form: str) -> None:
    place = urlsplit(address)
    path = f"{place.path}api/tasks/{form.format('9' * digits)}"
    assert _raw(address, "GET", path, {"Host": place.netloc})[0] == 404


def test_a_change_without_an_origin_is_refused(address: str) -> None:
    place = urlsplit(address)
    path = f"{place.path}api/tasks/0/undo"
    assert _raw(address, "POST", path, {"Host": place.netloc})[0] == 403


@pytest.mark.parametrize(
    "path",
    [
        "../../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "%2e%2e/app.py",
        "../app.py",
        "page/../../app.py",
        "/etc/passwd",
        "//etc/passwd",
        "..\\app.py",
        "app.js%00.html",
        "queries.jsonl",
        "api/tasks/0/items/../../../review",
        "api/tasks/99/items/0",
        "api/tasks/0/items/99",
        "api/tasks/-1/items/0",
        "api/tasks/0/items/0%2f..",
        "api/tasks/1e1/items/0",
    ],
)
def test_path_tricks_find_nothing(address: str, path: str) -> None:
    place = urlsplit(address)
    status, body = _raw(address, "GET", place.path + path, {"Host": place.netloc})
    assert status == 404
    assert b"root:" not in body
    assert b"import" not in body


def test_a_web_socket_is_not_opened(address: str) -> None:
    place = urlsplit(address)
    upgrade = {
        "Host": place.netloc,
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    }
    assert _raw(address, "GET", place.path, upgrade)[0] != 101


def test_the_server_listens_on_this_machine_only(address: str, tmp_path: Path) -> None:
    assert urlsplit(address).hostname == "127.0.0.1"
    assert len(_token(address)) >= 40
