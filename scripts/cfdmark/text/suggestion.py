"""Suggestions for misspelt words."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """Returns: ; did you mean 'jacobi'? Empty if no known word is close."""
    close = get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return f"; did you mean '{close[0]}'?" if close else ""
