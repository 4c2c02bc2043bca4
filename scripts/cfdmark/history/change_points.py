"""Change points: where the level of a noisy, drifting series with spikes jumps, and how sure the place is.

The model of P. Fearnhead and G. Rigaill, Changepoint Detection in the Presence of Outliers, J. Am. Stat.
Assoc. 114 (2019): minimise over all levels m_t the sum of min(((y_t - m_t) / noise)^2, bound), plus a penalty
for each jump. The bounded (biweight) loss keeps single spikes from looking like jumps. Between jumps the
level may drift as in G. Romano, G. Rigaill, V. Runge and P. Fearnhead, Detecting Abrupt Changes in the
Presence of Local Fluctuations and Autocorrelated Noise, J. Am. Stat. Assoc. 117 (2022): moving by d in one
step costs (d / drift)^2. The papers follow the cost as a function of the last level by its pieces; here it is
tabulated on a fine grid of levels, which dynamic programming searches completely.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy

SMALLEST_EFFECT = 0.03  # of the time; smaller jumps are not reported
FEWEST_POINTS = 8  # with fewer points noise cannot be separated from a level
BOUND = 9.0  # largest cost of a point, reached three deviations away
DRIFT = 0.0015  # of the time, from one point to the next: slower changes are not jumps
LEAST_NOISE = 0.002  # of the time: no machine repeats better over weeks
LEVELS_PER_NOISE = 8
MOST_LEVELS = 3000
PLACE_CONFIDENCE = 0.95


@dataclass(frozen=True)
class ChangePoint:
    index: int  # first point on the new level
    first: int  # the new level begins at a point from `first` to `last`, with 95 % confidence
    last: int
    before: float  # the level just before and just after, in the unit of the series
    after: float

    @property
    def ratio(self) -> float:
        return self.after / self.before


def noise_of(logs: numpy.ndarray) -> float:
    """Returns the standard deviation of the noise, from the median absolute difference of neighbours. Jumps,
    drift and a few spikes do not affect it. 1.4826 makes it that of a normal distribution."""
    spread = 1.4826 * float(numpy.median(numpy.abs(numpy.diff(logs)))) / math.sqrt(2)
    return max(spread, LEAST_NOISE)


def penalty_of(count: int) -> float:
    """Returns the penalty of a jump: 2 log n for its place and 2 log n for its size and for noise with
    heavier tails than the normal distribution's. It exceeds the cost of two points, so that two spikes in
    a row are not a new level."""
    return max(4 * math.log(count), 2 * BOUND + 1)


def grid_of(logs: numpy.ndarray, noise: float) -> numpy.ndarray:
    low, high = float(logs.min()), float(logs.max())
    count = min(MOST_LEVELS, int((high - low) / noise * LEVELS_PER_NOISE) + 2)
    return numpy.linspace(low, max(high, low + noise), count)


def drifted(cost: numpy.ndarray, spacing: float) -> tuple[numpy.ndarray, numpy.ndarray]:
    """Returns the least cost of each level after a small move, and the number of levels moved."""
    best, moves = cost.copy(), numpy.zeros(len(cost), dtype=numpy.int64)
    for move in range(1, min(len(cost), max(2, int(4 * DRIFT / spacing)) + 1)):
        price = (move * spacing / DRIFT) ** 2
        for shifted, where, sign in (
            (cost[:-move], slice(move, None), move),
            (cost[move:], slice(None, -move), -move),
        ):
            better = shifted + price < best[where]
            best[where][better] = shifted[better] + price
            moves[where][better] = sign
    return best, moves


def best_path(logs: numpy.ndarray, levels: numpy.ndarray, noise: float) -> tuple[list[int], list[int]]:
    """Returns the level of every point, as an index, and the points at which it jumped."""
    penalty, spacing = penalty_of(len(logs)), float(levels[1] - levels[0])
    loss = numpy.minimum(((logs[:, None] - levels[None, :]) / noise) ** 2, BOUND)
    cost, came_from, jumped = loss[0], [], []
    for row in loss[1:]:
        stay, moves = drifted(cost, spacing)
        cheapest = int(cost.argmin())
        jump = stay > cost[cheapest] + penalty
        came_from.append(numpy.where(jump, cheapest, numpy.arange(len(levels)) - moves))
        jumped.append(jump)
        cost = numpy.where(jump, cost[cheapest] + penalty, stay) + row
    path, jumps = [int(cost.argmin())], []
    for t in range(len(logs) - 1, 0, -1):
        if jumped[t - 1][path[-1]]:
            jumps.append(t)
        path.append(int(came_from[t - 1][path[-1]]))
    return path[::-1], jumps[::-1]


def place_of(logs, noise: float, start: int, index: int, end: int, before: float, after: float):
    """Returns the shortest stretch around `index` that contains the jump with 95 % confidence. Every place
    between the neighbouring jumps is equally likely beforehand; its likelihood is that of the points under
    the bounded loss."""
    to_before = numpy.minimum(((logs[start:end] - before) / noise) ** 2, BOUND)
    to_after = numpy.minimum(((logs[start:end] - after) / noise) ** 2, BOUND)
    # The new level begins at point start + k: k points before it, k >= 1.
    costs = numpy.cumsum(to_before)[:-1] + (to_after.sum() - numpy.cumsum(to_after)[:-1])
    weights = numpy.exp(-(costs - costs.min()) / 2)
    weights /= weights.sum()
    first = last = index - start - 1
    while weights[first : last + 1].sum() < PLACE_CONFIDENCE:
        left = weights[first - 1] if first > 0 else -1.0
        right = weights[last + 1] if last + 1 < len(weights) else -1.0
        if max(left, right) < 0:
            break
        first, last = (first - 1, last) if left >= right else (first, last + 1)
    return start + 1 + first, start + 1 + last


@dataclass(frozen=True)
class Fit:
    levels: list[float]  # level of each point, in the unit of the series, without noise and spikes
    changes: list[ChangePoint]


def fit(series, smallest_effect: float = SMALLEST_EFFECT) -> Fit:
    """Returns levels and jumps of a series of positive numbers. Omits jumps below `smallest_effect`; a short
    series has none."""
    if len(series) < FEWEST_POINTS:
        return Fit([], [])
    logs = numpy.log(numpy.asarray(series, dtype=float))
    noise = noise_of(logs)
    levels = grid_of(logs, noise)
    path, jumps = best_path(logs, levels, noise)
    fitted = levels[path]
    bounds = [0, *jumps, len(logs)]
    found = []
    for start, index, end in zip(bounds, bounds[1:-1], bounds[2:]):
        before, after = float(fitted[index - 1]), float(fitted[index])
        if abs(after - before) >= math.log1p(smallest_effect):
            first, last = place_of(logs, noise, start, index, end, before, after)
            found.append(ChangePoint(index, first, last, math.exp(before), math.exp(after)))
    return Fit([math.exp(level) for level in fitted], found)


def change_points(series, smallest_effect: float = SMALLEST_EFFECT) -> list[ChangePoint]:
    return fit(series, smallest_effect).changes
