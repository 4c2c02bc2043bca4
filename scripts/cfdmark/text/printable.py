"""Makes text from outside safe to print, as bench/text/printable.cpp does; tests/printable.json holds
examples for both."""

from __future__ import annotations

import re

# Control characters and direction marks would control a terminal, break a table or look like a CI command. Halves of
# surrogate pairs cannot be encoded; XML lacks the last two. Python holds bytes of a file name that are not UTF-8 as halves.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
BYTES = range(0xDC80, 0xDD00)  # of os.fsdecode


def shown(letter: re.Match) -> str:
    code = ord(letter[0])
    if code in BYTES:
        return f"\\x{code - 0xDC00:02x}"
    return "\\n" if code == 10 else f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def printable(text: str) -> str:
    r"""Replaces each unprintable character by its number: \x1b, \u202e."""
    return UNPRINTABLE.sub(shown, text)


def printable_lines(text: str) -> str:
    """Makes a message of several lines printable; none of them can look like a CI command."""
    shown_lines = "\n".join(map(printable, text.split("\n")))
    return re.sub(r"\n(?=[ \n]*::)", r"\\n", shown_lines)


def in_csv(cell):
    """Returns a CSV cell. A spreadsheet would run text that starts like a formula."""
    if not isinstance(cell, str) or cell.strip() == "-" or is_number(cell):
        return cell
    return f"'{cell}" if cell.lstrip().startswith(("=", "+", "-", "@")) else cell


def is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def in_markdown(text: str) -> str:
    """Escapes text within Markdown outside of code spans."""
    escaped = re.sub(r"([\\*`]|\](?=\())", r"\\\1", text)
    return re.sub("<(?=[A-Za-z/!?])", "&lt;", escaped).replace("\n", " ")


def code_span(text: str) -> str:
    """Returns a name as a Markdown code span, whatever backticks it holds."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence, pad = "`" * (longest + 1), " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def in_cell(markdown: str) -> str:
    """Escapes bars, which would end a table cell even in a code span."""
    return markdown.replace("|", "\\|")
