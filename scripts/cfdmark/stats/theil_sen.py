"""Robust straight lines: the slope of Theil and Sen, with intervals by resampling."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from random import Random
from statistics import median

from .quantity import Quantity

FEWEST_POINTS = 3
RESAMPLES = 1000

Points = list[tuple[float, float]]


def line(points: Points) -> tuple[float, float]:
    """Returns intercept and slope: the medians of y - slope x and of the slopes of all pairs. Raises ValueError
    unless two points differ in x."""
    slopes = [(v - y) / (u - x) for (x, y), (u, v) in combinations(points, 2) if u != x]
    if not slopes:
        raise ValueError("a line needs two points that differ in x")
    slope = median(slopes)
    return median(y - slope * x for x, y in points), slope


def with_interval(points: Points, of: Callable[[tuple[float, float]], float]) -> Quantity | None:
    """Returns a number of the line through points, such as its slope, with the 95 % interval of resampled points; None
    for fewer than three different x. The same points give the same interval."""
    if len({x for x, _ in points}) < FEWEST_POINTS:
        return None
    random, found = Random(1), []
    while len(found) < RESAMPLES:
        drawn = random.choices(points, k=len(points))
        if len({x for x, _ in drawn}) > 1:
            found.append(of(line(drawn)))
    found.sort()
    value, low, high = of(line(points)), found[round(0.025 * RESAMPLES)], found[round(0.975 * RESAMPLES) - 1]
    return Quantity(value, min(low, value), max(high, value))
