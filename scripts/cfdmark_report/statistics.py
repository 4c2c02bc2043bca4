"""How sure: ratios of medians with their intervals."""

from __future__ import annotations

from functools import lru_cache
from math import comb, exp, hypot, log
from statistics import median

from .quantity import Quantity
from .records import Record

CONFIDENCE = 0.95
# Below six samples no interval of order statistics of the median reaches 95 % (2 / 2^5 > 5 %): the whole range
# of the ratios is given instead.
FEWEST_FOR_INTERVAL = 6


@lru_cache(maxsize=None)
def median_rank(n: int) -> int:
    """The greatest r for which the r-th least and the r-th greatest of n samples enclose the median surely enough."""

    def confidence(rank: int) -> float:
        return 1 - 2 * sum(comb(n, k) for k in range(rank)) / 2**n

    return max((rank for rank in range(1, n // 2 + 1) if confidence(rank) >= CONFIDENCE), default=1)


def median_interval(samples: tuple[float, ...]) -> tuple[float, float, float]:
    ordered, rank = sorted(samples), median_rank(len(samples))
    return ordered[rank - 1], median(ordered), ordered[-rank]


def median_ratio(above: tuple[float, ...], below: tuple[float, ...]) -> Quantity:
    """median(above) / median(below) with its interval; without one where a side has a single sample.

    tuning/selection.hpp names the rule, and tests/examples/median_ratio.json holds both to it.
    """
    (a_low, a, a_high), (b_low, b, b_high) = median_interval(above), median_interval(below)
    fewest = min(len(above), len(below))
    if fewest == 1:
        return Quantity(a / b)
    if fewest < FEWEST_FOR_INTERVAL:
        return Quantity(a / b, a_low / b_high, a_high / b_low)
    low = exp(-hypot(log(a / a_low), log(b_high / b)))
    high = exp(hypot(log(a_high / a), log(b / b_low)))
    return Quantity(a / b, a / b * low, a / b * high)


def times_faster(record: Record, baseline: Record, per_iteration: bool = True) -> Quantity:
    """How many times less time `record` takes than `baseline`: an iteration (a step), or to the end."""
    ratio = median_ratio(baseline.samples, record.samples)
    return ratio.scaled(baseline.iteration_scale / record.iteration_scale) if per_iteration else ratio


def verdict(ratio: Quantity) -> str:
    """faster, slower, tied (the interval holds 1) or unsure (no interval)."""
    if not ratio.has_interval:
        return "unsure"
    if ratio.low > 1:
        return "faster"
    return "slower" if ratio.high < 1 else "tied"
