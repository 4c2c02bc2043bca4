"""A number with its interval, in SI units."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

# Below six samples no interval of order statistics of the median reaches 95 % (2 / 2^5 > 5 %).
FEWEST_FOR_INTERVAL = 6


def count_text(processes: tuple[tuple[float, ...], ...]) -> str:
    """Returns the number of samples of each process: one sample, 3 samples, 2×3 samples, 3 and 4 samples."""
    counts = [len(samples) for samples in processes]
    if len(set(counts)) > 1:
        return " and ".join(map(str, counts)) + " samples"
    if len(counts) > 1:
        return f"{len(counts)}×{counts[0]} samples"
    return "one sample" if counts == [1] else f"{counts[0]} samples"


@dataclass(frozen=True)
class Quantity:
    """A value with its 95 % interval, or with the number of samples where these are too few for one."""

    value: float
    low: float | None = None
    high: float | None = None
    count: str = ""  # "3 samples", where these are too few for an interval

    @classmethod
    def without_interval(cls, value: float, *of: Quantity) -> Quantity:
        """Returns a value derived from others of which some have no interval, with the count of the first of
        these."""
        return cls(value, count=next((q.count for q in of if q.count), ""))

    @property
    def has_interval(self) -> bool:
        return self.low is not None and self.high is not None

    @property
    def uncertainty(self) -> float | None:
        """Length of the interval's longer arm."""
        if not self.has_interval:
            return None
        return max(self.high - self.value, self.value - self.low)

    def scaled(self, factor: float) -> Quantity:
        """Returns the quantity in another unit; `factor` is positive."""
        if not self.has_interval:
            return Quantity(self.value * factor, count=self.count)
        return Quantity(self.value * factor, self.low * factor, self.high * factor)

    def per_second(self, work: float) -> Quantity:
        """Returns the rate at which `work` is done, if this quantity is the time of that work."""
        if not self.has_interval or self.low <= 0:
            return Quantity.without_interval(work / self.value, self)
        return Quantity(work / self.value, work / self.high, work / self.low)


def process_samples(time: dict) -> tuple[tuple[float, ...], ...]:
    """Returns the samples of a record's `time`, grouped by process."""
    samples = time["samples"]
    counts = time.get("processes") or [len(samples)]
    return tuple(tuple(samples[end - count : end]) for count, end in zip(counts, accumulate(counts)))


def time_of(time: dict) -> Quantity:
    """Returns the median and interval of a record's `time`, without an interval if a process took too few
    samples."""
    processes = process_samples(time)
    if min(map(len, processes)) < FEWEST_FOR_INTERVAL:
        return Quantity(time["median"], count=count_text(processes))
    return Quantity(time["median"], time.get("ci_low"), time.get("ci_high"))
