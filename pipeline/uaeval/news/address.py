"""Restrict requests to public addresses, over http and https, and to hosts that the user allows.

`GuardedNetwork` checks the URL of every request and redirect, and, before it connects, every
address that the name resolves to. It connects only to the checked addresses, without resolving the
name again.
"""

import asyncio
import re
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any, Final, TypeAlias

import httpcore
import httpx

from uaeval.config import SynthesisConfig
from uaeval.errors import ConfigError, FetchError

Address: TypeAlias = IPv4Address | IPv6Address

_NAT64: Final = IPv6Network("64:ff9b::/96")
_ISATAP: Final = 0x5EFE
"""Bits before the IPv4 address in the last half of an ISATAP address (RFC 5214), except for one."""
_UNICAST: Final = IPv6Network("2000::/3")
"""All assigned public addresses of IPv6 (RFC 4291); others are private, reserved or translated."""
_SPECIAL: Final[tuple[IPv4Network | IPv6Network, ...]] = (
    IPv4Network("192.0.0.0/24"), IPv4Network("192.88.99.0/24"), IPv4Network("168.63.129.16/32"),
    IPv6Network("3fff::/20"),
)  # fmt: skip
"""Networks for protocols and examples that `is_global` accepts in some versions of Python, and the
address of a cloud's internal service."""
_NAME: Final = re.compile(r"[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*")
_NUMBER: Final = re.compile(r"(?:0x[0-9a-f]*|[0-9]+)")
_OWN_NAMES: Final = (
    "localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private",
    "home.arpa", "arpa", "onion", "svc",
)  # fmt: skip
"""Names, and last parts of names, of the own machine or of private networks."""
Resolve: TypeAlias = Callable[[str, int], Awaitable[Sequence[str]]]
"""Returns the addresses of a name and port; raises `OSError` if there are none."""


async def system_addresses(host: str, port: int) -> Sequence[str]:
    """Return the addresses from the operating system, in the order in which to try them."""
    entries = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(entry[4][0]) for entry in entries))


def is_public(address: Address) -> bool:
    """Return whether an address, or the IPv4 address inside it, is public."""
    if isinstance(address, IPv6Address) and (inner := _wrapped(address)):
        return is_public(inner)
    if any(address in network for network in _SPECIAL) or address.is_multicast:
        return False
    return address.is_global and (address.version == 4 or address in _UNICAST)


def _wrapped(address: IPv6Address) -> IPv4Address | None:
    if inner := address.ipv4_mapped or address.sixtofour:
        return inner
    if address.teredo:
        return address.teredo[1]
    if address in _NAT64 or int(address) >> 32 & 0xFDFFFFFF == _ISATAP:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return None


_REMEDY: Final = "; add the host to allow_hosts if you trust it"


def host_of(url: httpx.URL) -> str:
    """Return a URL's host in the form that is resolved: lower case, without a last dot."""
    return url.raw_host.decode("ascii").lower().rstrip(".")


def _check_host(host: str) -> None:
    if address := _parsed(host):
        if not is_public(address):
            raise _refused(f"{host} is not a public address{_REMEDY}")
        return
    if _NUMBER.fullmatch(host.rpartition(".")[2]) or not _NAME.fullmatch(host):
        raise _refused(f"{host} is neither a name nor a plain address, but a disguised address")
    if "." not in host or any(host == name or host.endswith(f".{name}") for name in _OWN_NAMES):
        raise _refused(f"{host} is a name in a private network{_REMEDY}")


def _parsed(text: str) -> Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None


def _shown(url: httpx.URL) -> str:
    """Return the first 200 characters of a URL, without its password."""
    return str(url.copy_with(userinfo=b""))[:200] if url.host else str(url)[:200]


def _refused(message: str) -> FetchError:
    return FetchError("address", message)


class GuardedNetwork(httpcore.AsyncNetworkBackend):
    """Connects only to addresses that were checked.

    TLS and the `Host` header use the name; only the connection uses the address. The hosts of
    `allowed` (`intranet.example`, `127.0.0.1`, with or without a port) need not be public.
    """

    def __init__(
        self, allowed: Iterable[str], resolve: Resolve, network: httpcore.AsyncNetworkBackend | None
    ) -> None:
        self._allowed = frozenset(host.lower() for host in allowed)
        self._resolve = resolve
        self._network = network or httpcore.AnyIOBackend()

    def check(self, url: httpx.URL) -> None:
        """Raise `FetchError` if a URL must not be requested, whatever its name resolves to."""
        if url.scheme not in ("http", "https"):
            raise _refused(f"{_shown(url)}: only http and https are supported")
        if url.userinfo:
            raise _refused(f"{_shown(url)}: addresses with a user name or password are refused")
        host = host_of(url)
        if not host:
            raise _refused(f"{_shown(url)}: it has no host")
        port = url.port if url.port is not None else {"http": 80, "https": 443}[url.scheme]
        if not 0 < port < 2**16:
            raise _refused(f"{_shown(url)}: there is no such port")
        if not self._allows(host, port):
            _check_host(host)

    def _allows(self, host: str, port: int) -> bool:
        return not self._allowed.isdisjoint((host, f"{host}:{port}"))

    async def connect_tcp(
        self, host: str, port: int, *options: Any, **named: Any
    ) -> httpcore.AsyncNetworkStream:
        """Resolve the name once, check every address, and connect to the first that answers."""
        name = host.lower().rstrip(".")
        addresses = await self._addresses(name, port)
        for address in addresses:
            parsed = _parsed(address)
            if not self._allows(name, port) and not (parsed and is_public(parsed)):
                raise _refused(f"{name} has the address {address}, which is not public{_REMEDY}")
        problem: httpcore.ConnectError | httpcore.ConnectTimeout | None = None
        for address in addresses:
            try:
                return await self._network.connect_tcp(address, port, *options, **named)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                problem = error
        raise problem or FetchError("name", f"{host} has no address")

    async def _addresses(self, host: str, port: int) -> Sequence[str]:
        if address := _parsed(host):
            return (str(address),)
        try:
            return await self._resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise FetchError("name", f"{host}: the name cannot be resolved ({error})") from error


class GuardedTransport(httpx.AsyncHTTPTransport):
    """Sends requests over guarded connections, or through a proxy, which then resolves the names.

    The connection pool is created here, because the constructor of httpx accepts no network
    backend. That constructor is not called, so there is no other pool.
    """

    def __init__(
        self, network: GuardedNetwork, config: SynthesisConfig, certificates: ssl.SSLContext | None
    ) -> None:
        """Create the pool; raise `ConfigError` if the proxy is not an HTTP address."""
        limits: dict[str, Any] = {
            "ssl_context": certificates or public_certificates(),
            "max_connections": config.fetch_concurrency,
            "max_keepalive_connections": config.fetch_concurrency,
            "keepalive_expiry": 15.0,
        }
        if not config.web_proxy:
            self._pool = httpcore.AsyncConnectionPool(network_backend=network, **limits)
            return
        try:
            url = httpx.URL(config.web_proxy)
        except httpx.InvalidURL as error:
            message = f"web_proxy: {error}; give an address such as http://host:3128"
            raise ConfigError(message) from None
        if url.scheme not in ("http", "https") or not url.host:
            raise ConfigError("web_proxy: give an address such as http://host:3128")
        login = (url.username.encode(), url.password.encode()) if url.username else None
        proxy = httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=b"/")
        self._pool = httpcore.AsyncHTTPProxy(proxy_url=proxy, proxy_auth=login, **limits)


def public_certificates() -> ssl.SSLContext:
    """Return the certificates of httpx, without those that the environment names."""
    return httpx.create_ssl_context(trust_env=False)
