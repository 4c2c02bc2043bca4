"""Ticks and scales that people read."""

from __future__ import annotations

import math

from matplotlib import ticker

from ..model import Axis
from ..numbers import power_of_ten, short_count, with_unit


def tick_text(kind: str, value: float) -> str:
    if kind in ("seconds", "bytes"):
        return with_unit(float(f"{value:.3g}"), kind).replace(".00 ", " ").replace(".0 ", " ")
    if kind in ("nodes", "iterations"):
        return short_count(value)
    if kind == "error":
        return power_of_ten(value)
    return f"{100 * value:.0f} %" if kind == "fraction" else f"{value:g}"


def decades(values: list[float]) -> float:
    """How many powers of ten the values span."""
    return math.log10(max(values) / min(values)) if values else 0.0


def set_axis(axis, model: Axis, values: list[float]) -> None:
    """Ticks that people read: the measured sizes where they are few, else 1, (2, 5,) 10."""
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: tick_text(model.kind, value)))
    axis.set_minor_formatter(ticker.NullFormatter())
    if not model.log:
        return
    sizes = sorted(set(values))
    if model.kind == "nodes" and len(sizes) <= 5 and all(b > 1.9 * a for a, b in zip(sizes, sizes[1:])):
        axis.set_major_locator(ticker.FixedLocator(sizes))
        axis.set_minor_locator(ticker.NullLocator())
        return
    subs = (1.0,) if model.kind in ("error", "iterations") or decades(values) > 2 else (1.0, 2.0, 5.0)
    axis.set_major_locator(ticker.LogLocator(base=10, subs=subs, numticks=7))
    axis.set_minor_locator(ticker.NullLocator())


def set_scales(axes, x: Axis, y: Axis, points: list[tuple[float, float]]) -> None:
    axes.set_xscale("log" if x.log else "linear")
    axes.set_yscale("log" if y.log else "linear")
    for axis, model, values in (
        (axes.xaxis, x, [p[0] for p in points]),
        (axes.yaxis, y, [p[1] for p in points]),
    ):
        set_axis(axis, model, values)
    axes.set_xlabel(x.label)
