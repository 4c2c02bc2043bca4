"""Best config so far against evaluations for each strategy, from replays by `cfdmark tune space`."""

from __future__ import annotations

from statistics import median

from cfdmark.stats.quantity import Quantity

from ..model import Axis, Figure, LinePanel, Point, Series


def best_so_far(replays: list[list[list[float]]]) -> list[tuple[float, float]]:
    """Returns the median over replays at every count of samples where one of them changes, once all have a
    best. A replay is a list of [samples, best so far over the best]."""
    counts = sorted({point[0] for replay in replays for point in replay})
    started = max(replay[0][0] for replay in replays)
    return [(n, median(value_at(replay, n) for replay in replays)) for n in counts if n >= started]


def steps(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Returns a step function: the best stays until another replaces it."""
    corners = [points[0]]
    for x, y in points[1:]:
        if y != corners[-1][1]:
            corners += [(x, corners[-1][1]), (x, y)]
    return corners + [(points[-1][0], points[-1][1])]


def value_at(replay: list[list[float]], count: float) -> float:
    return [value for samples, value in replay if samples <= count][-1]


def series_of(name: str, replays: list) -> Series:
    points = [Point(x, Quantity(y)) for x, y in steps(best_so_far([r for r in replays if r]))]
    return Series(name, f"strategy:{name}", points, markers=False)


def figure(key: str, traces: dict) -> Figure:
    """Returns the figure; `traces` maps strategies to replays."""
    panel = LinePanel(
        "Best so far",
        Axis("samples taken", "iterations"),
        Axis("recorded median over the best one", "plain", log=False),
        [series_of(name, replays) for name, replays in traces.items() if any(replays)],
        reference=1.02,
    )
    count = max(len(replays) for replays in traces.values())
    return Figure(
        f"{key}-strategies",
        f"How each strategy closes in: the median of {count} seeded replays of the recorded samples",
        [panel],
        note="Dashed: 2 % above the best. A replay draws from the recorded samples and measures nothing.",
    )
