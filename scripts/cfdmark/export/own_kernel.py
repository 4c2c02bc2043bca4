"""Layouts for a user's own kernel: the best of one method at the sizes of a tuned layout, or the best of the
methods with one step a launch.

A tuned layout may win by a method that such a kernel cannot use: several steps in one launch, or reordered
arrays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from .across_devices import Tuned, asked_of, tuned_of
from .layouts import SIZE_MARGIN, is_for_time, sizes_of

# A thread of these methods updates cells of the usual arrays once a launch; a test compares them with the catalog.
ONE_STEP = ("plain", "column", "vector", "chunked", "mdrange")


def number_or_word(text: str) -> int | float | str:
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            pass
    return text


def choice_of(text: str) -> dict:
    """Returns the method and config of column:block_x=64,cells=4."""
    method, _, settings = text.partition(":")
    pairs = (setting.partition("=") for setting in settings.split(",") if setting)
    return {"method": method, "config": {name: number_or_word(value) for name, _, value in pairs}}


@dataclass(frozen=True)
class Measured:
    """A layout with its times at the sizes where it was measured."""

    text: str
    seconds: tuple[float | None, ...]  # seconds a step, at each size of the range
    cost: float  # worst time over the least time measured

    @property
    def sizes(self) -> int:
        return sum(seconds is not None for seconds in self.seconds)

    @property
    def choice(self) -> dict:
        return choice_of(self.text)

    def cost_text(self) -> str:
        """Returns 1.310, or 1.310 at 2 of 3 sizes."""
        where = "" if self.sizes == len(self.seconds) else f" at {self.sizes} of {len(self.seconds)} sizes"
        return f"{self.cost:.3f}{where}"


def measured(text: str, at: list[Tuned]) -> Measured:
    costs = [cost for tuned in at if (cost := tuned.cost(text)) is not None]
    return Measured(text, tuple(tuned.seconds.get(text) for tuned in at), max(costs))


def best_of(layout: dict, methods: tuple[str, ...]) -> Measured | None:
    """Returns the layout measured at most of the sizes with the least worst cost; None if no such method was
    measured."""
    at = [tuned_of(layout, size) for size in sizes_of(layout)]
    texts = {text for tuned in at for text in tuned.seconds if text.partition(":")[0] in methods}
    found = [measured(text, at) for text in texts]
    return min(found, key=lambda m: (-m.sizes, m.cost, m.text), default=None)


def start_of(layout: dict) -> Measured | None:
    """Returns the start for a user's own kernel; none for a solver, whose methods are algorithms."""
    return best_of(layout, ONE_STEP) if layout["kind"] == "kernel" and is_for_time(layout) else None


def cells_of(size: dict) -> int:
    return math.prod(size["grid"])


def as_layout(layout: dict, best: Measured) -> dict:
    """Returns the layout with `best` as its winner, at the sizes where it was measured."""
    sizes = []
    for size, seconds in zip(sizes_of(layout), best.seconds):
        if seconds is None:
            continue
        default = size.get("default", {}).get("median")
        gain = {"value": default / seconds} if default else {}
        sizes.append({**size, "winner": {**best.choice, "median": seconds}, "gain": gain})
    range_ = {**layout.get("range", {}), "sizes": sizes, "regret": best.cost}
    range_.pop("unconfirmed_regret", None)  # the cost is over the least time measured
    holds = {
        "least_cells": max(layout["holds"]["least_cells"], cells_of(sizes[0]) / SIZE_MARGIN),
        "most_cells": min(layout["holds"]["most_cells"], cells_of(sizes[-1]) * SIZE_MARGIN),
    }
    return {
        **layout,
        "grid": sizes[-1]["grid"],
        "holds": layout["holds"] if best.sizes == len(best.seconds) else holds,
        "range": range_,
        "winner": sizes[-1]["winner"],
        "default": sizes[-1].get("default", {}),
        "gain": sizes[-1]["gain"],
        "rule": f"the best of method {best.choice['method']} among the configs measured",
        "ties": {},
    }


def is_within(layout: dict, other: dict) -> bool:
    """True if the other layout covers all sizes of this one."""
    holds = other["holds"]
    return (layout["device"], asked_of(layout)) == (other["device"], asked_of(other)) and all(
        holds["least_cells"] <= cells_of(size) <= holds["most_cells"] for size in sizes_of(layout)
    )


def of_method(layouts: list[dict], method: str) -> list[dict]:
    """Returns for each range the best layout of this method: from a search over it alone if there was one,
    otherwise from all measured configs."""
    searched = [layout for layout in layouts if layout["scope"] == method and is_for_time(layout)]
    found = []
    for layout in layouts:
        if layout in searched:
            found.append(layout)
        elif layout["scope"] == "all" and is_for_time(layout):
            best = best_of(layout, (method,))
            if best and not any(is_within(layout, other) for other in searched):
                found.append(as_layout(layout, best))
    return found


def methods_of(layouts: list[dict]) -> list[str]:
    """Returns the methods with a measured layout."""
    at = (tuned_of(layout, size) for layout in layouts if is_for_time(layout) for size in sizes_of(layout))
    return sorted({text.partition(":")[0] for tuned in at for text in tuned.seconds})
