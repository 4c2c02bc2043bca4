"""A number with its interval, in SI units."""

from __future__ import annotations

from dataclasses import dataclass

# Below six samples no interval of order statistics of the median reaches 95 % (2 / 2^5 > 5 %).
FEWEST_FOR_INTERVAL = 6


def count_text(processes: tuple[tuple[float, ...], ...]) -> str:
    """How many samples each process took: one sample, 3 samples, 2×3 samples, 3 and 4 samples."""
    counts = [len(samples) for samples in processes]
    if len(set(counts)) > 1:
        return " and ".join(map(str, counts)) + " samples"
    if len(counts) > 1:
        return f"{len(counts)}×{counts[0]} samples"
    return "one sample" if counts == [1] else f"{counts[0]} samples"


@dataclass(frozen=True)
class Quantity:
    value: float
    low: float | None = None
    high: float | None = None
    count: str = ""  # "3 samples", where these are too few for an interval

    @classmethod
    def without_interval(cls, value: float, *of: Quantity) -> Quantity:
        """A value made of others, of which some have no interval: with the count of the first of these."""
        return cls(value, count=next((q.count for q in of if q.count), ""))

    @property
    def has_interval(self) -> bool:
        return self.low is not None and self.high is not None

    @property
    def uncertainty(self) -> float | None:
        """The longer arm of the interval."""
        if not self.has_interval:
            return None
        return max(self.high - self.value, self.value - self.low)

    def scaled(self, factor: float) -> Quantity:
        """The same quantity in another unit; `factor` is positive."""
        if not self.has_interval:
            return Quantity(self.value * factor, count=self.count)
        return Quantity(self.value * factor, self.low * factor, self.high * factor)
