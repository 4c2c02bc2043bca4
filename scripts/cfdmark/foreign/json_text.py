"""Parses JSON of other programs and locates errors in it.

Accepts more than the standard: NaN and Infinity in every spelling of printf, control characters and single
backslashes in texts, bytes that are not UTF-8. Google Benchmark has written all of them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from cfdmark.records.records import BadInput

# A text, or a number that JSON does not have: nan, -nan(ind), inf, -Infinity.
TEXT_OR_NUMBER = re.compile(r'"(?:[^"\\]|\\.)*"?|(-?)\b(?:(nan)\b(?:\(\w*\))?|inf(?:inity)?\b)', re.IGNORECASE | re.DOTALL)
ESCAPE = re.compile(r'\\(["\\/bfnrt]|u[0-9a-fA-F]{4}|)')
LONGEST_INTEGER = 400  # digits; a longer one is a real number, as it is for C++


class Object(dict):
    """An object that keeps the first value of a repeated key. `pairs` has all values, for passing the object
    on."""

    def __init__(self, pairs: list[tuple]):
        super().__init__()
        self.pairs = pairs
        for key, value in pairs:
            self.setdefault(key, value)


def text_of(path: Path) -> str:
    """Returns the text of a file. Raises BadInput if it cannot be read or is UTF-16."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror or error}") from error
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
        raise BadInput(f"{path}:1:1: not JSON: it is UTF-16, expected UTF-8; `iconv -f UTF-16 -t UTF-8` converts it")
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="backslashreplace")


def standard_text(text: str) -> str:
    r"""Escapes backslashes that JSON does not know, such as those of C:\\users."""
    return ESCAPE.sub(lambda found: found[0] if found[1] else r"\\", text)


class Standard:
    """A text made valid JSON, with the original position of each part."""

    def __init__(self, text: str):
        self.moved: list[tuple[int, int]] = []  # ends of parts that changed their length, here and in the original
        parts, at, length = [], 0, 0
        for found in TEXT_OR_NUMBER.finditer(text):
            old = found[0]
            new = standard_text(old) if old[0] == '"' else "NaN" if found[2] else f"{found[1]}Infinity"
            if new != old:
                parts += [text[at : found.start()], new]
                length += found.start() - at + len(new)
                at = found.end()
                self.moved.append((length, at))
        self.text = "".join([*parts, text[at:]])

    def original(self, place: int) -> int:
        before = max((move for move in self.moved if move[0] <= place), default=(0, 0))
        return place - before[0] + before[1]


def integer(text: str) -> int | float:
    return int(text) if len(text) <= LONGEST_INTEGER else float(text)


def place_text(text: str, place: int) -> str:
    """Returns LINE:COLUMN, each from 1."""
    return f"{text.count(chr(10), 0, place) + 1}:{place - text.rfind(chr(10), 0, place)}"


def parsed(path: Path, text: str):
    """Returns the value in a file. Raises BadInput with line and column."""
    standard = Standard(text)
    try:
        return json.loads(standard.text, object_pairs_hook=Object, parse_int=integer, strict=False)
    except json.JSONDecodeError as error:
        place, what = standard.original(error.pos), error.msg[:1].lower() + error.msg[1:]
        if error.msg == "Extra data":
            what = "more text begins here: expected one run a file, of several runs a folder of files"
        elif place >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
            what = f"{what.removesuffix(' starting at')}, and the file ends: it may be truncated"
        raise BadInput(f"{path}:{place_text(text, place)}: not JSON: {what}") from None
    except RecursionError:
        raise BadInput(f"{path}:1:1: not JSON that can be read: it is nested too deep") from None


def json_text(value) -> str:
    """Returns a value as JSON, with repeated keys."""
    if isinstance(value, Object):
        return "{" + ", ".join(f"{json.dumps(key)}: {json_text(member)}" for key, member in value.pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(json_text, value)) + "]"
    return json.dumps(value)
