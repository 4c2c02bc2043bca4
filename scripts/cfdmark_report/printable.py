"""Text of others as people may see it. The same as bench/record/printable.cpp; tests/printable.json holds examples for both."""

from __future__ import annotations

import re

# Control characters, line ends among them, and characters that turn the direction of text: they would rule a terminal,
# break a table, or pass for a command of CI.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


def shown(letter: re.Match) -> str:
    code = ord(letter[0])
    return "\\n" if code == 10 else f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def printable(text: str) -> str:
    """With each of them by its number: \\x1b, \\u202e."""
    return UNPRINTABLE.sub(shown, text)
