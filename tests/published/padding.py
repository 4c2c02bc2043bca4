"""The padding of vectors laid out as rectangles: algorithm A.4 of Menon 2008, over all lengths at once."""

from __future__ import annotations

import math
from typing import Iterator, NamedTuple

LONGEST = 3_000_000


class Padding(NamedTuple):
    largest: float  # additional elements over the length
    average: float


def reduced_rectangle(elements: int, rmin: int) -> int:
    """Elements of a rectangle that holds so many: close to a square, no side longer than rmin."""
    highest = 1 + math.isqrt(elements)
    while True:
        y = next((side for side in range(highest, 1, -1) if elements % side == 0), 1)
        if y >= 2 and elements // y <= rmin:
            return elements
        elements += 1


def runs(rmin: int) -> Iterator[tuple[int, int, int]]:
    """(first length, last length, elements kept): all lengths from first to last get one rectangle."""
    block, first = 1, rmin**2
    while first <= LONGEST:
        reduced = 1 + (first - 1) // block**2
        if reduced >= 0.75 * rmin**2:
            block *= 2
            continue
        last = min(reduced * block**2, LONGEST)
        yield first, last, reduced_rectangle(reduced, rmin) * block**2
        first = last + 1


def padding(rmin: int) -> Padding:
    """Over all lengths from rmin^2 to 3 million; shorter vectors are padded to several times their length."""
    largest, added, lengths = 0.0, 0.0, 0
    for first, last, kept in runs(rmin):
        largest = max(largest, kept / first - 1)
        # The sum of kept / n over the run, by the midpoint rule: off by less than 1e-7.
        added += kept * math.log((last + 0.5) / (first - 0.5)) - (last - first + 1)
        lengths += last - first + 1
    return Padding(largest, added / lengths)
