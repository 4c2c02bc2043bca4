"""Velocities along the centrelines of the lid-driven cavity, and published ones."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from cfdmark.places import CAVITY_PROFILES

# Wall values of u at both ends of x = 1/2, and of v at those of y = 1/2.
WALLS = {"u": (0.0, 1.0), "v": (0.0, 0.0)}
# Known errors of sources; the others are exact within the resolution of a plot.
KNOWN_ERRORS = {"Ghia, Ghia and Shin 1982": "up to 3 % short of later solutions"}


@dataclass(frozen=True)
class Profile:
    at: list[float]
    value: list[float]


def references(reynolds: float, dimensions: int = 2) -> dict[str, dict[str, Profile]]:
    """Returns published profiles by source and component for a square or a cube at this Reynolds number."""
    found: dict[str, dict[str, Profile]] = {}
    lines = CAVITY_PROFILES.read_text(encoding="utf-8").splitlines()
    for row in csv.DictReader(line for line in lines if not line.startswith("#")):
        if float(row["reynolds"]) == reynolds and int(row["dimensions"]) == dimensions:
            profile = found.setdefault(row["source"], {}).setdefault(row["component"], Profile([], []))
            profile.at.append(float(row["at"]))
            profile.value.append(float(row["value"]))
    return found


def on_the_centreline(component: str, field) -> Profile:
    """Returns the profile of a field, given as rows of the cells of a unit square. Between two cells, where
    no centre lies, it uses the cubic through the four nearest, of error h^4."""
    rows = field if component == "u" else list(zip(*field))
    wide, long = len(rows[0]), len(rows)
    middle = wide // 2
    if wide % 2 or wide < 4:
        inside = [row[middle] for row in rows]
    else:
        inside = [
            (9 * (row[middle - 1] + row[middle]) - row[middle - 2] - row[middle + 1]) / 16 for row in rows
        ]
    first, last = WALLS[component]
    return Profile([0.0, *((n + 0.5) / long for n in range(long)), 1.0], [first, *inside, last])


def value_at(profile: Profile, x: float) -> float:
    """Returns the cubic through the four nearest points."""
    right = next((n for n, at in enumerate(profile.at) if at >= x), len(profile.at) - 1)
    first = min(max(right - 2, 0), len(profile.at) - 4)
    at, value = profile.at[first : first + 4], profile.value[first : first + 4]
    total = 0.0
    for n in range(4):
        weight = 1.0
        for m in range(4):
            if m != n:
                weight *= (x - at[m]) / (at[n] - at[m])
        total += weight * value[n]
    return total


def largest_difference(mine: Profile, theirs: Profile) -> tuple[float, float]:
    """Returns the largest difference from published values, as a share of the lid's speed, and its place."""
    return max((abs(value_at(mine, x) - v), x) for x, v in zip(theirs.at, theirs.value))
