"""Spoils a text: as JSON, member by member, or character by character. Equal seeds give equal results."""

from __future__ import annotations

import copy
import json
import random

ODD_VALUES = [
    None, True, False, 0, -1, 1, 1.5, -0.0, 2**31, 2**63, 2**64, 10**30, 1e308, 5e-324, "", " ", "x", "ok", "8x8", "-1",
    "NaN", "é", "\u202e", "\x1b[31m", "\n", "\u0000", "a" * 3000, "{}", "${HOME}", "<b>", "|", "../../x", [], [None], [[]], ["x"],
    [1, 2, 3], [0], [-1], [1e300] * 3, {}, {"x": 1}, {"": None},
    "max", "9" * 5000, "\uffff", "=1+1", "@x", "0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-13-99", "fp16", [7, 7],
]  # fmt: skip
ODD_BYTES = [b"\x00", b"\xff", b"\xc3", b"\x1b", b"\\", b'"', b"{", b"}", b"[", b"]", b",", b":", b"-", b"1e999", b"NaN",
             b"null", b"\\ud800", b"\\udfff", b"9" * 5000, b"\n", b"  ", b"\t", b"#", b"&a", b"*a", b"!!python/object:os.system"]  # fmt: skip


def places(value, found: list | None = None) -> list:
    """Every container below with each of its keys."""
    found = [] if found is None else found
    members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, member in members:
        found.append((value, key))
        places(member, found)
    return found


def spoil_member(random: random.Random, value) -> None:
    container, key = random.choice(places(value))
    kind = random.randrange(6)
    if kind == 0:
        del container[key]
    elif kind == 1:
        other, its = random.choice(places(value))
        container[key] = copy.deepcopy(other[its])
    elif kind == 2 and isinstance(container[key], (int, float)):
        container[key] = container[key] * random.choice([-1, 0.5, 2, 1e9, 1e-9])
    elif kind == 3 and isinstance(container[key], str):
        container[key] = container[key][: random.randrange(len(container[key]) + 1)] + random.choice("é\n|;:=@/,\x1b\"'")
    else:
        container[key] = copy.deepcopy(random.choice(ODD_VALUES))


def spoiled_json(random: random.Random, value) -> str:
    value = copy.deepcopy(value)
    for _ in range(random.choice([1, 1, 1, 2, 3, 8])):
        if places(value):
            spoil_member(random, value)
    return json.dumps(value, ensure_ascii=random.random() < 0.5)


def spoiled_bytes(random: random.Random, text: bytes) -> bytes:
    for _ in range(random.choice([1, 1, 2, 5])):
        at = random.randrange(len(text) + 1)
        length = random.choice([0, 0, 1, 1, 5, 50])
        kind = random.randrange(4)
        if kind == 0:
            text = text[:at] + random.choice(ODD_BYTES) + text[at + length :]
        elif kind == 1:
            start = random.randrange(len(text) + 1)
            text = text[:at] + text[start : start + random.randrange(40)] + text[at:]
        elif kind == 2:
            text = text[:at] + text[at + length + 1 :]
        else:
            text = text[:at] + bytes([random.randrange(256)]) + text[at + 1 :]
    return text


def spoiled_line(random: random.Random, line: str) -> bytes:
    """A line of JSON that stays a line."""
    if random.random() < 0.75:
        return spoiled_json(random, json.loads(line)).encode("utf-8", "replace")
    return spoiled_bytes(random, line.encode("utf-8")).replace(b"\n", b" ")
