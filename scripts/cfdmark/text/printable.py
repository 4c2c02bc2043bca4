"""Text of others as people may see it. The same as bench/record/printable.cpp; tests/printable.json holds examples for both."""

from __future__ import annotations

import re

# Control characters, line ends among them, and characters that turn the direction of text: they would rule a terminal,
# break a table, or pass for a command of CI. Halves of surrogate pairs, which no encoding writes, and the two characters
# that XML lacks. A byte of a file name that is not UTF-8 is half of a pair in Python.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")
BYTES = range(0xDC80, 0xDD00)  # of os.fsdecode


def shown(letter: re.Match) -> str:
    code = ord(letter[0])
    if code in BYTES:
        return f"\\x{code - 0xDC00:02x}"
    return "\\n" if code == 10 else f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def printable(text: str) -> str:
    """With each of them by its number: \\x1b, \\u202e."""
    return UNPRINTABLE.sub(shown, text)


def printable_lines(text: str) -> str:
    """A message of several lines, none of which passes for a command of CI."""
    shown_lines = "\n".join(map(printable, text.split("\n")))
    return re.sub(r"\n(?=[ \n]*::)", r"\\n", shown_lines)


def in_csv(cell):
    """A cell of CSV. A spreadsheet takes text that begins so for a formula, and would run it."""
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
    """Text within Markdown that is not a code span: markup in it would be obeyed."""
    escaped = re.sub(r"([\\*`]|\](?=\())", r"\\\1", text)
    return re.sub("<(?=[A-Za-z/!?])", "&lt;", escaped).replace("\n", " ")


def code_span(text: str) -> str:
    """A name as code within Markdown, whatever backticks it holds."""
    longest = max(map(len, re.findall("`+", text)), default=0)
    fence, pad = "`" * (longest + 1), " " if text[:1] == "`" or text[-1:] == "`" else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def in_cell(markdown: str) -> str:
    """Markdown within a cell of a table: a bar would end the cell, in a code span too."""
    return markdown.replace("|", "\\|")
