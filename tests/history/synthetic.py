"""Invented histories of a benchmark whose true steps are known, with noise, drift and spikes around them."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

BASE = 1.7e-4  # seconds


@dataclass(frozen=True)
class Step:
    index: int  # of the first point after it
    size: float  # relative; a step of +0.05 makes the time 1.05 times as long, of -0.05 the inverse


@dataclass(frozen=True)
class History:
    seed: int
    kind: str  # of noise and of drift
    times: list[float]
    steps: list[Step]


def normal(rng: random.Random) -> float:
    return rng.gauss(0, 1)


def heavy_tailed(rng: random.Random) -> float:
    """Student's t with five degrees of freedom, scaled to variance one."""
    chi_squared = sum(rng.gauss(0, 1) ** 2 for _ in range(5))
    return rng.gauss(0, 1) / math.sqrt(chi_squared / 5) * math.sqrt(3 / 5)


def skewed(rng: random.Random) -> float:
    """A benchmark is late more often than early: a gamma distribution of shape 4, with mean zero and variance
    one."""
    return (rng.gammavariate(4, 1) - 4) / 2


def no_drift(rng, count):
    return [0.0] * count


def steady_drift(rng, count):
    total = rng.uniform(-0.05, 0.05)
    return [total * t / (count - 1) for t in range(count)]


def wandering(rng, count):
    """A random walk that after the whole history is typically 2 % away."""
    level, levels = 0.0, []
    for _ in range(count):
        level += rng.gauss(0, 0.02 / math.sqrt(count))
        levels.append(level)
    return levels


def seasons(rng, count):
    """Warm days and cold ones: a wave of up to 1.5 % and three periods at most."""
    height, periods, phase = rng.uniform(0, 0.015), rng.uniform(1, 3), rng.uniform(0, 2 * math.pi)
    return [height * math.sin(2 * math.pi * periods * t / count + phase) for t in range(count)]


NOISES = {"normal": normal, "heavy-tailed": heavy_tailed, "skewed": skewed}
DRIFTS = {"no drift": no_drift, "steady drift": steady_drift, "wandering": wandering, "seasons": seasons}
APART = 12  # points between steps, and before the first
AFTER_LAST = 8  # points that the last step has behind it


def places(rng: random.Random, count: int, wanted: int) -> list[int]:
    found: list[int] = []
    for _ in range(200):
        if len(found) == wanted:
            break
        place = rng.randrange(APART, count - AFTER_LAST)
        if all(abs(place - other) >= APART for other in found):
            found.append(place)
    return sorted(found)


def history(seed: int) -> History:
    """Each seed gives one; the noise is from 0.3 to 2.5 %, one point in thirty is a spike of up to 50 %."""
    rng = random.Random(seed)
    count = rng.randrange(50, 201)
    noise_name, drift_name = rng.choice(sorted(NOISES)), rng.choice(sorted(DRIFTS))
    noise = rng.uniform(0.003, 0.025)
    steps = [
        Step(place, rng.choice([-1, 1]) * rng.uniform(0.03, 0.20))
        for place in places(rng, count, rng.choice([0, 0, 1, 2, 3, 4]))
    ]
    logs = DRIFTS[drift_name](rng, count)
    for t in range(count):
        logs[t] += noise * NOISES[noise_name](rng)
        logs[t] += sum(math.copysign(math.log1p(abs(s.size)), s.size) for s in steps if s.index <= t)
        if rng.random() < 1 / 30:
            logs[t] += rng.uniform(0.05, 0.5)
    return History(seed, f"{noise_name}, {drift_name}", [BASE * math.exp(v) for v in logs], steps)
