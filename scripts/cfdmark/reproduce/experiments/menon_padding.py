"""Menon 2008, figures 3.2 and 3.3: his algorithm A.4 for the layout of vectors, run over all lengths."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Iterator, NamedTuple

from cfdmark.stats.quantity import Quantity

from ..comparison import Comparison, Line
from ..verdict import rising, within

SAMPLED = 1.02  # tolerance: he sampled lengths up to 3 million, which may miss the largest and the average a little
LONGEST = 3_000_000


class Padding(NamedTuple):
    largest: float  # additional elements over the length
    average: float


def reduced_rectangle(elements: int, rmin: int) -> int:
    """Returns the size of the rectangle that holds `elements`: nearly square, no side longer than rmin."""
    highest = 1 + math.isqrt(elements)
    while True:
        y = next((side for side in range(highest, 1, -1) if elements % side == 0), 1)
        if y >= 2 and elements // y <= rmin:
            return elements
        elements += 1


def runs(rmin: int) -> Iterator[tuple[int, int, int]]:
    """Yields (first length, last length, elements kept): all lengths from first to last get one rectangle."""
    block, first = 1, rmin**2
    while first <= LONGEST:
        reduced = 1 + (first - 1) // block**2
        if reduced >= 0.75 * rmin**2:
            block *= 2
            continue
        last = min(reduced * block**2, LONGEST)
        yield first, last, reduced_rectangle(reduced, rmin) * block**2
        first = last + 1


@lru_cache(maxsize=None)
def padding(rmin: int) -> Padding:
    """Returns the padding over all lengths from rmin^2 to 3 million. Shorter vectors are padded to several
    times their length."""
    largest, added, lengths = 0.0, 0.0, 0
    for first, last, kept in runs(rmin):
        largest = max(largest, kept / first - 1)
        # The sum of kept / n over the run, by the midpoint rule: off by less than 1e-7.
        added += kept * math.log((last + 0.5) / (first - 0.5)) - (last - first + 1)
        lengths += last - first + 1
    return Padding(largest, added / lengths)


def add(comparison: Comparison) -> None:
    table = comparison.document.data.table()
    sizes = [int(rmin) for rmin in table.column("rmin")]
    for said in ("largest", "average"):
        for rmin, stated in zip(sizes, table.column(f"{said}_padding")):
            published, here = Quantity(100 * stated), Quantity(100 * getattr(padding(rmin), said))
            verdict = within(here, published, SAMPLED)
            comparison.lines.append(Line(f"{said} padding, Rmin = {rmin}", "%", published, here, None, verdict))
    named = [(f"Rmin = {rmin}", Quantity(100 * padding(rmin).average)) for rmin in reversed(sizes)]
    comparison.lines.append(Line("a larger Rmin pads less", "%", None, named[0][1], None, rising(named)))
