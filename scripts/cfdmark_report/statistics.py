"""How sure: ratios of medians with bootstrap intervals."""

from __future__ import annotations

import zlib
from functools import lru_cache
from statistics import median

import numpy

from .quantity import Quantity
from .records import Record

CONFIDENCE = 0.95
RESAMPLES = 2000
SEED = 20200
# Below six samples no order-statistic interval of the median reaches 95 % (2 / 2^5 > 5 %), and the bootstrap
# is too narrow. The full range of the ratios is given instead.
FEWEST_FOR_BOOTSTRAP = 6


@lru_cache(maxsize=None)
def bootstrap_medians(samples: tuple[float, ...], name: str) -> numpy.ndarray:
    """Medians of resamples. Seeded by the name: a report repeats, and two cases are independent."""
    random = numpy.random.RandomState(
        [SEED, zlib.crc32(name.encode())]
    )  # its stream is the same in every numpy
    picks = random.randint(0, len(samples), size=(RESAMPLES, len(samples)))
    return numpy.median(numpy.asarray(samples)[picks], axis=1)


def median_ratio(above: tuple[float, ...], below: tuple[float, ...], names=("above", "below")) -> Quantity:
    """median(above) / median(below) with its interval; without one where a side has a single sample."""
    value = median(above) / median(below)
    fewest = min(len(above), len(below))
    if fewest == 1:
        return Quantity(value)
    if fewest < FEWEST_FOR_BOOTSTRAP:
        return Quantity(value, min(above) / max(below), max(above) / min(below))
    ratios = bootstrap_medians(above, names[0]) / bootstrap_medians(below, names[1])
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = numpy.percentile(ratios, [tail, 100 - tail])
    return Quantity(value, float(low), float(high))


def times_faster(record: Record, baseline: Record, per_iteration: bool = True) -> Quantity:
    """How many times less time `record` takes than `baseline`: an iteration (a step), or to the end."""
    names = (
        f"{baseline.environment} {baseline.case} {baseline.problem}",
        f"{record.environment} {record.case} {record.problem}",
    )
    ratio = median_ratio(baseline.samples, record.samples, names)
    return ratio.scaled(baseline.iteration_scale / record.iteration_scale) if per_iteration else ratio


def verdict(ratio: Quantity) -> str:
    """faster, slower, tied (the interval holds 1) or unsure (no interval)."""
    if not ratio.has_interval:
        return "unsure"
    if ratio.low > 1:
        return "faster"
    return "slower" if ratio.high < 1 else "tied"
