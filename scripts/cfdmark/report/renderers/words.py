"""Glossary of a page: the terms that it uses, with their meanings."""

from __future__ import annotations

import re
from dataclasses import asdict

from ..model import VERDICT_WORDS, Section

WORDS = {
    "row": "one way to do something: a kernel or a solver on one backend, in one precision, by one method",
    "backend": "what the code is written in: serial C++, OpenMP, Kokkos or CUDA",
    "method": "one way to do a kernel or a solver on a backend, such as plain, fused or tiled",
    "config": "the values of a method's settings, such as block_x=64",
    "case": "a row on one grid with one config: what is verified and timed",
    "step": "one repetition of a kernel; everything that is chosen was chosen before",
    "mixed": "stored in 32 bits and computed in 64; of a solver, 32-bit work inside and 64-bit residuals",
    "roof": "the bandwidth of copy or triad, whichever is higher, measured on this device when the run began",
    "useful traffic": "what one sweep a pass over memory would have to move, for a method that makes several in a pass",
    "regime": "where the fields of a case lie: cache, memory, or transition, which is partly the one and partly the other",
    "contest": "all rows that do the same thing on the same grid, compared by their time",
    "tie": "the interval of the ratio does not lie clear of 1 by more than a per cent: neither is faster for sure",
    "clear": "the whole 95 % interval of the ratio says that one is faster, by more than a per cent",
    "too few samples": "fewer than six in some process: no interval of the median reaches 95 %, so nothing is called clear",
    "no rival": "no other row did the same thing on the same grid",
    "interval": "holds the median of the processes that were measured in 95 of 100 cases, from six samples a process on (below these their number is given); a third process's median lay within that of two processes in 66 of 100 cases on an H200; written [low, high], or ± where it is narrow",
    "unsteady": "of a case: verified, but the interval of its time is wider than the time; measure again on an idle machine",
    "baseline": "what a speedup is held against: the table names it in each row",
    "occupancy": "how many threads a multiprocessor holds, of the most that it can",
    "verdict": "the result of a comparison: clear or tie, or of a published result agrees, same direction or differs",
    "level": "what the times of a case lie around, between two changes",
}
FORMS = {"tie": r"ties?|tied", "regime": r"regimes?|transition|fields in", "mixed": "mixed"}


def texts(value):
    """Yields all strings within sections, tables and cards."""
    if isinstance(value, str):
        yield VERDICT_WORDS.get(value, value)
    elif isinstance(value, dict):
        for inner in value.values():
            yield from texts(inner)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from texts(inner)


def words_of(sections: list[Section], page) -> list[tuple[str, str]]:
    """Returns each term that the page uses, with its meaning."""
    said = "\n".join(texts([page.title, page.summary, page.footer, [asdict(s) for s in sections]]))
    return [
        (word, meaning)
        for word, meaning in WORDS.items()
        if re.search(rf"\b(?:{FORMS.get(word, word + 's?')})\b", said, flags=re.I)
    ]
