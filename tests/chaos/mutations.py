"""Damage files at random: their bytes, their lines, or the values of their JSON."""

import json
import random
from collections.abc import Callable, Sequence
from typing import TypeAlias

Mutation: TypeAlias = Callable[[random.Random, bytes], bytes]

TOKENS = (
    b"\0", b"\r", b"\r\n", b"\n\n", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xe2\x80\xa8",
    b"[" * 5_000, b'{"a":' * 5_000, b"9" * 5_000, b"-9" + b"9" * 400 + b".5e308", b"1e999", b"NaN",
    b"-Infinity", b"null", b"true", b"[]", b"{}", b'""', b"'", b'"', b",", b":", b"- ", b"\t",
    b"\\ud800", b"\\u0000", b"2026-99-99", b"2026-01-01 99:99:99", b"!!python/name:os.system ",
    b"&a [*a]", b"*a", b"<<: ", b"{{ a | b ", b"$", b"${", b"%", b"a" * 70_000, b"=1+1", b"\x1b[2J",
    "\u202e".encode(), b"<!DOCTYPE x [<!ENTITY a SYSTEM 'file:///etc/passwd'>]>", b"../../x",
    b"http://me:pw@[::1", b"http://[", b"//", b"?", b"\x80abc",
)  # fmt: skip
VALUES: Sequence[object] = (
    None, True, 0, -1, 10**400, 1.5, float("nan"), float("inf"), "", " ", "\ud800", "\0", [], {},
    "x" * 70_000, [None], [[]], {"": None}, "2026-99-99", "http://[", "../../x", "a\rb", ["a", "a"],
    "-1e9",
)  # fmt: skip


def mutated(chance: random.Random, data: bytes) -> bytes:
    """Return `data` with one to three damages."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        data = chance.choice(_MUTATIONS)(chance, data)
    return data


def _flip(chance: random.Random, data: bytes) -> bytes:
    if not data:
        return data
    place = chance.randrange(len(data))
    return data[:place] + bytes([data[place] ^ (1 << chance.randrange(8))]) + data[place + 1 :]


def _cut(chance: random.Random, data: bytes) -> bytes:
    return data[: chance.randrange(len(data) + 1)]


def _remove(chance: random.Random, data: bytes) -> bytes:
    start, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    return data[:start] + data[min(end, start + chance.choice((1, 8, 200))) :]


def _repeat(chance: random.Random, data: bytes) -> bytes:
    start, end = sorted(chance.randrange(len(data) + 1) for _ in range(2))
    return data[:end] + data[start:end][:100_000] * chance.choice((1, 1, 30)) + data[end:]


def _insert(chance: random.Random, data: bytes) -> bytes:
    place = chance.randrange(len(data) + 1)
    return data[:place] + chance.choice(TOKENS) + data[place:]


def _line(chance: random.Random, data: bytes) -> bytes:
    """Remove, repeat, move or replace a line."""
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    match chance.randrange(4):
        case 0:
            del lines[place]
        case 1:
            lines.insert(place, lines[place])
        case 2:
            lines.insert(0, lines.pop(place))
        case _:
            lines[place] = chance.choice(TOKENS)
    return b"\n".join(lines)


def _value(chance: random.Random, data: bytes) -> bytes:
    """Change a value of the JSON, or of one of its lines; other files are left as they are."""
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    for given in (data, lines[place]):
        try:
            changed = json.dumps(_changed(chance, json.loads(given))).encode()
        except (ValueError, RecursionError):
            continue
        return (
            changed if given is data else b"\n".join([*lines[:place], changed, *lines[place + 1 :]])
        )
    return data


def _changed(chance: random.Random, value: object) -> object:
    """Return a JSON value with one change somewhere in it."""
    inner: list[object] = []
    if isinstance(value, dict):
        inner = list(value)
    elif isinstance(value, list):
        inner = list(range(len(value)))
    if not inner or chance.random() < 0.1:
        return chance.choice(VALUES)
    assert isinstance(value, dict | list)
    key = chance.choice(inner)
    match chance.randrange(6):
        case 0:
            del value[key]  # type: ignore[arg-type]
        case 1 if isinstance(value, dict):
            value[chance.choice(("", "id", "new", "\ud800"))] = value.pop(key)
        case _:
            value[key] = _changed(chance, value[key])  # type: ignore[call-overload]
    return value


_MUTATIONS: Sequence[Mutation] = (
    _flip, _cut, _remove, _repeat, _insert, _insert, _line, _value, _value, _value,
)  # fmt: skip
