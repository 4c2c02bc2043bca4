"""Parses JSON of other programs and locates errors in it.

Accepts more than the standard, because Google Benchmark writes it: NaN and Infinity, control characters in
texts, bytes that are not UTF-8.
"""

from __future__ import annotations

import json
from pathlib import Path

from cfdmark.records.records import BadInput, read_bytes

LONGEST_INTEGER = 400  # digits; a longer one is a real number, as it is for C++


class Object(dict):
    """An object that keeps the first value of a repeated key. `pairs` has all values, for passing the object
    on."""

    def __init__(self, pairs: list[tuple]):
        super().__init__(reversed(pairs))
        self.pairs = pairs


def text_of(path: Path) -> str:
    """Returns the text of a file. Raises BadInput if it cannot be read or is UTF-16."""
    data = read_bytes(path)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or b"\0" in data[:4]:
        raise BadInput(f"{path}:1:1: not JSON: it is UTF-16, expected UTF-8; `iconv -f UTF-16 -t UTF-8` converts it")
    return data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", errors="surrogateescape")


def integer(text: str) -> int | float:
    return int(text) if len(text) <= LONGEST_INTEGER else float(text)


def parsed(path: Path, text: str):
    """Returns the value in a file. Raises BadInput with line and column."""
    try:
        return json.loads(text, object_pairs_hook=Object, parse_int=integer, strict=False)
    except json.JSONDecodeError as error:
        what = error.msg[:1].lower() + error.msg[1:]
        if error.msg == "Extra data":
            what = "more text begins here: expected one run a file, of several runs a folder of files"
        elif error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated"):
            what = f"{what.removesuffix(' starting at')}, and the file ends: it may be truncated"
        raise BadInput(f"{path}:{error.lineno}:{error.colno}: not JSON: {what}") from None
    except RecursionError:
        raise BadInput(f"{path}:1:1: not JSON that can be read: it is nested too deep") from None


def json_text(value) -> str:
    """Returns a value as JSON, with repeated keys."""
    if isinstance(value, Object):
        return "{" + ", ".join(f"{json.dumps(key)}: {json_text(member)}" for key, member in value.pairs) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(json_text, value)) + "]"
    return json.dumps(value)
