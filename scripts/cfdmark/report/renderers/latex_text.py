"""Text for LaTeX: escaped, with places to break long names, and with an estimate of its width."""

from __future__ import annotations

import re
import unicodedata

SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "µ": r"$\mu$",
    "–": "--",
    "·": r"$\cdot$",
    "°": r"$^\circ$",
    "…": r"\ldots{}",
    "→": r"$\to$",
    "≥": r"$\ge$",
    "≤": r"$\le$",
    "≈": r"$\approx$",
    "−": "$-$",
    "[": "{[}",
    "]": "{]}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
} | {digit: rf"\textsuperscript{{{n}}}" for n, digit in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}
LETTERS = re.compile("[ -~À-ÖØ-öø-ž]")  # those that T1 fonts have
BREAK_AFTER = "/_,;@+"
SHORT = 12  # letters of a word that stays whole
LONGEST_PIECE = 20  # letters between two places to break
# Widths of Latin Modern Roman at 8 points, which is \footnotesize, in points, as pdfTeX measures them.
WIDTHS = {
    letter: width
    for width, letters in (
        (2.8, "!',.:;[]`il|·fj- "),
        (3.4, "I()rts"),
        (4.3, 'cez?"$*/0123456789\\ago{}–°'),
        (4.8, "JkqvxySbdhnpu"),
        (5.5, "µZ^~LF"),
        (6.1, "EPBCTw"),
        (6.7, "RAHNUVXYD&+<=>@KOQ_±×G"),
    )
    for letter in letters
}
WIDEST = 8.8  # M, W, #, % and letters that are not listed
DOTS = 11.3


def escaped(text: str) -> str:
    """Returns text as LaTeX prints it. A letter that its fonts lack becomes its nearest one, or a question mark."""
    return "".join(map(letter, text.replace("\n", " ")))


def letter(character: str) -> str:
    if character in SPECIAL:
        return SPECIAL[character]
    if LETTERS.match(character):
        return character
    plain = unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode()
    return "".join(SPECIAL.get(c, c) for c in plain) or "?"


def width_of(text: str) -> float:
    """Returns the width of a line in \\footnotesize, in points; at most a tenth too large for usual texts."""
    return sum(DOTS if c == "…" else WIDTHS.get(c, WIDEST) for c in text)


def pieces(word: str) -> list[str]:
    """Splits a long word where a line may end: after the signs of BREAK_AFTER, or within a piece that is too long."""
    if len(word) <= SHORT:
        return [word]
    parts = re.findall(rf"[^{re.escape(BREAK_AFTER)}]*[{re.escape(BREAK_AFTER)}]|[^{re.escape(BREAK_AFTER)}]+", word)
    return [part[i : i + LONGEST_PIECE] for part in parts for i in range(0, len(part), LONGEST_PIECE)]


def breakable(text: str) -> str:
    """Returns escaped text whose long words may be broken."""
    return " ".join(r"\allowbreak{}".join(map(escaped, pieces(word))) for word in text.split())


def narrowest(text: str) -> float:
    """Returns the width that a paragraph of breakable text needs: that of its widest piece."""
    return max((width_of(piece) for word in text.split() for piece in pieces(word)), default=0.0)
