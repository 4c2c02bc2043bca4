"""A number with its interval, in SI units."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Quantity:
    value: float
    low: float | None = None
    high: float | None = None

    @property
    def has_interval(self) -> bool:
        return self.low is not None and self.high is not None

    @property
    def uncertainty(self) -> float | None:
        """The longer arm of the interval."""
        if not self.has_interval:
            return None
        return max(self.high - self.value, self.value - self.low)

    def scaled(self, factor: float) -> "Quantity":
        """The same quantity in another unit; `factor` is positive."""
        if not self.has_interval:
            return Quantity(self.value * factor)
        return Quantity(self.value * factor, self.low * factor, self.high * factor)
