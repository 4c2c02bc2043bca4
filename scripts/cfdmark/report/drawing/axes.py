"""Readable ticks and scales."""

from __future__ import annotations

import math

from matplotlib import ticker

from cfdmark.text.numbers import power_of_ten, scale_for, short_count, with_unit

from ..model import Axis


def tick_text(kind: str, value: float) -> str:
    if kind in ("seconds", "bytes"):
        return with_unit(float(f"{value:.3g}"), kind).replace(".00 ", " ").replace(".0 ", " ")
    if kind in ("nodes", "iterations", "flops_per_second"):
        return short_count(value)
    if kind == "error":
        return power_of_ten(value)
    return f"{100 * value:.0f} %" if kind == "fraction" else f"{value:g}"


# Ratios, times and sizes get ticks at 1 and 2; errors at powers of ten.
SUBS = [(1.0, 2.0, 5.0), tuple(map(float, range(1, 10)))]
POWERS = [(1.0,), (1.0, 3.0)]


def log_subs(kind: str, low: float, high: float) -> tuple[float, ...]:
    """Returns the fewest multiples of powers of ten that give an axis two ticks; none if no multiples do."""
    powers_will_do = kind in ("error", "iterations") or high / low > 100
    choices = [*POWERS, *SUBS] if powers_will_do else SUBS
    return next((subs for subs in choices if ticks_within(subs, low, high) > 1), ())


def ticks_within(subs: tuple[float, ...], low: float, high: float) -> int:
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return sum(low <= sub * 10.0**e <= high for e in exponents for sub in subs)


def set_axis(axis, model: Axis, values: list[float]) -> None:
    """Sets readable ticks, at least two: the measured sizes if they are few, else 1, (2, 5,) 10."""

    def text(value: float, _) -> str:
        # Even ticks of a narrow range may lie at or below zero, which a logarithmic axis cannot show.
        return "" if model.log and value <= 0 else tick_text(model.kind, value)

    axis.set_major_formatter(ticker.FuncFormatter(text))
    axis.set_minor_formatter(ticker.NullFormatter())
    if not model.log:
        if model.kind == "seconds":
            axis.set_major_formatter(one_unit(model.kind, max(values)))
        return
    axis.set_minor_locator(ticker.NullLocator())
    sizes = sorted(set(values))
    if model.kind == "nodes" and len(sizes) <= 5 and all(b > 1.9 * a for a, b in zip(sizes, sizes[1:])):
        axis.set_major_locator(ticker.FixedLocator(sizes))
        return
    subs = log_subs(model.kind, sizes[0], sizes[-1])
    even = ticker.MaxNLocator(4)
    axis.set_major_locator(ticker.LogLocator(base=10, subs=subs, numticks=7) if subs else even)


def one_unit(kind: str, largest: float) -> ticker.FuncFormatter:
    """Formats an even axis, whose ticks may lie within a per cent of each other: four digits and one unit."""
    factor, unit = scale_for(kind, [largest])
    return ticker.FuncFormatter(lambda value, _: f"{value / factor:.4g} {unit}")


def with_marks(axis, low: float, high: float, wanted: list[float]) -> None:
    """Sets even ticks and the `wanted` ones; even ticks too near to a wanted one are omitted."""
    room = 0.17 * (high - low)
    marks = [mark for mark in wanted if low <= mark <= high]
    even = ticker.MaxNLocator(4).tick_values(low, high)
    kept = [t for t in even if low <= t <= high and all(abs(t - mark) > room for mark in marks)]
    axis.set_major_locator(ticker.FixedLocator(sorted([*kept, *marks])))


def set_scales(axes, x: Axis, y: Axis, points: list[tuple[float, float]]) -> None:
    axes.set_xscale("log" if x.log else "linear")
    axes.set_yscale("log" if y.log else "linear")
    for axis, model, values in (
        (axes.xaxis, x, [p[0] for p in points]),
        (axes.yaxis, y, [p[1] for p in points]),
    ):
        set_axis(axis, model, values)
    axes.set_xlabel(x.label)
