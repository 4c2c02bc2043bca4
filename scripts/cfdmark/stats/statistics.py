"""Ratios of medians with their intervals, and the verdicts that rest on them."""

from __future__ import annotations

from functools import lru_cache
from math import comb, exp, hypot, log
from statistics import median

from cfdmark.records.records import Record
from cfdmark.text.numbers import brackets, rounded

from .quantity import FEWEST_FOR_INTERVAL, Quantity, count_text

CONFIDENCE = 0.95
# A ratio that differs from 1 by less is a tie (kernels/core/statistics.hpp).
SMALLEST_EFFECT = 0.01
WITHOUT_INTERVAL = 1.1  # a ratio without an interval must be this far from 1 to have a direction


@lru_cache(maxsize=None)
def median_rank(n: int) -> int:
    """Returns the greatest rank r such that the r-th least and r-th greatest of n samples enclose the median
    with 95 % confidence."""

    def confidence(rank: int) -> float:
        return 1 - 2 * sum(comb(n, k) for k in range(rank)) / 2**n

    return max((rank for rank in range(1, n // 2 + 1) if confidence(rank) >= CONFIDENCE), default=1)


def sample_interval(samples: tuple[float, ...]) -> Quantity:
    """Returns the median with its interval, or with the number of samples if these are too few."""
    if len(samples) < FEWEST_FOR_INTERVAL:
        return Quantity(median(samples), count=count_text((samples,)))
    ordered, rank = sorted(samples), median_rank(len(samples))
    return Quantity(median(ordered), ordered[rank - 1], ordered[-rank])


def summary_of(samples: tuple[float, ...]) -> dict:
    """The fields that cfdmark's records have and results of other programs lack: `median`, `ci_low` and `ci_high`."""
    time = sample_interval(samples)
    return {"median": time.value} | ({"ci_low": time.low, "ci_high": time.high} if time.has_interval else {})


def quotient(above: Quantity, below: Quantity) -> Quantity:
    """Returns a ratio. Distances to the ends of independent intervals add in quadrature, in logarithms."""
    value = above.value / below.value
    if not (above.has_interval and below.has_interval):
        return Quantity.without_interval(value, above, below)
    low = exp(-hypot(log(above.value / above.low), log(below.high / below.value)))
    high = exp(hypot(log(above.high / above.value), log(below.value / below.low)))
    return Quantity(value, value * low, value * high)


def times_faster(record: Record, baseline: Record, per_iteration: bool = True) -> Quantity:
    """Returns how many times less time `record` takes than `baseline`, for an iteration or a step, or to its
    end."""
    ratio = quotient(baseline.time, record.time)
    if not ratio.has_interval:
        fewer = min(baseline, record, key=lambda side: min(map(len, side.processes)))
        ratio = Quantity(ratio.value, count=fewer.time.count)
    return ratio.scaled(baseline.iteration_scale / record.iteration_scale) if per_iteration else ratio


def verdict(ratio: Quantity) -> str:
    """Returns faster or slower if the interval lies beyond the smallest effect, tied if not, and unsure
    without an interval."""
    if not ratio.has_interval:
        return "unsure"
    if ratio.low > 1 + SMALLEST_EFFECT:
        return "faster"
    return "slower" if ratio.high < 1 / (1 + SMALLEST_EFFECT) else "tied"


def speedup_text(ratio: Quantity, other: str) -> str:
    """Returns: 3.2 [3.1, 3.3] times as fast as cuda/plain, or that the two are tied."""
    if verdict(ratio) == "tied":
        return f"tied with {other}: {brackets(ratio)} times"
    if not ratio.has_interval:
        return f"{rounded(ratio)} times as fast as {other}, by {ratio.count or 'one sample'}"
    return f"{brackets(ratio)} times as fast as {other}"
