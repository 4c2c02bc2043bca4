"""Arithmetic on printed numbers: a number stands for all that would have been printed so."""

from __future__ import annotations

from dataclasses import dataclass

from support import Number


@dataclass(frozen=True)
class Interval:
    low: float
    high: float

    def __add__(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def __sub__(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def __mul__(self, other: Interval) -> Interval:  # of positive numbers
        return Interval(self.low * other.low, self.high * other.high)

    def __truediv__(self, other: Interval) -> Interval:  # of positive numbers
        return Interval(self.low / other.high, self.high / other.low)

    def agrees(self, other: Interval) -> bool:
        """Whether some number lies in both, but for the rounding of binary fractions."""
        slack = 1e-9 * max(abs(self.high), abs(other.high))
        return self.low <= other.high + slack and other.low <= self.high + slack


def exact(value: float) -> Interval:
    return Interval(value, value)


def printed(number: Number) -> Interval:
    """All numbers that round to this one, by the digits that are printed."""
    return Interval(number - number.half_digit, number + number.half_digit)


def about(number: float, half: float) -> Interval:
    """For a number in words: "about 40 %" is about(0.40, 0.05)."""
    return Interval(number - half, number + half)


def total(parts: list[Interval]) -> Interval:
    added = exact(0)
    for part in parts:
        added = added + part
    return added
