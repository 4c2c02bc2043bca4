"""Compares tuned layouts of several devices: which carry over, the cost of a wrong one, and where another
device should start.

layouts.py describes a layout. Devices are compared at sizes that both were tuned on, with the same source, by
their own
times: of the fastest, the finalists and the other devices' layouts (results/README.md, `measured`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import permutations

from cfdmark.text.wording import settings_text

from .layouts import choice_text, is_for_time, sizes_of

CARRIES_OVER = 1.02  # times the best time there, as for the sizes of one range (tuning/size_ranges.hpp)
SHARES_A_START = 1.05  # times the best time on each device: limit for neighbouring sizes to share a start


@dataclass(frozen=True, order=True)
class Asked:
    """Identity of a layout, except for the size."""

    kind: str
    name: str
    backend: str
    precision: str
    question: str
    dims: int

    def text(self) -> str:
        name = f"{self.name} ({self.kind})" if self.kind == "solver" else self.name
        usual = self.question in ("", "operator=constant")
        return f"{name}/{self.precision}" + ("" if usual else f";{self.question}")


@dataclass
class Tuned:
    """Tuning result of one device at one size."""

    layout: str  # the tuned layout
    source: str
    seconds: dict[str, float] = field(default_factory=dict)  # seconds a step, by layout

    def cost(self, layout: str) -> float | None:
        """Returns the layout's time over the best one; None if it was not measured, at least 1. Samples of a
        search may lie slightly below those of fresh processes."""
        if layout not in self.seconds:
            return None
        return max(1.0, self.seconds[layout] / min(self.seconds.values()))


Sizes = dict[tuple[int, ...], Tuned]
Devices = dict[str, dict[Asked, Sizes]]


def asked_of(layout: dict) -> Asked:
    question = settings_text(layout.get("workload", {}))
    words = (layout[key] for key in ("kind", "name", "backend", "precision"))
    return Asked(*words, question, len(layout["grid"]))


def tuned_of(layout: dict, size: dict) -> Tuned:
    seconds = dict(size.get("measured", {}))
    choices = [size.get(key) for key in ("winner", "default", "against")]
    for choice in choices:
        if choice and "median" in choice:
            seconds.setdefault(choice_text(choice), choice["median"])
    if size["grid"] == layout["grid"]:
        seconds = {**layout.get("ties", {}), **seconds}
    return Tuned(choice_text(layout["winner"]), layout["source_hash"], seconds)


def devices_of(layouts: list[dict]) -> Devices:
    """Returns results of searches over all methods by time. The later of two results for one size counts."""
    devices: Devices = {}
    for layout in layouts:
        if layout["scope"] == "all" and is_for_time(layout):
            sizes = devices.setdefault(layout["device"], {}).setdefault(asked_of(layout), {})
            for size in sizes_of(layout):
                sizes[tuple(size["grid"])] = tuned_of(layout, size)
    return devices


def add_measured(devices: Devices, device: str, asked: Asked, size: tuple, source: str | None, seconds: dict):
    """Adds times of a recorded space if the device was tuned on that size, with the same source if it is
    known."""
    tuned = devices.get(device, {}).get(asked, {}).get(size)
    if tuned and source in (None, tuned.source):
        tuned.seconds = {**seconds, **tuned.seconds}


@dataclass(frozen=True)
class Carried:
    """Layout of one device on another, at one size."""

    asked: Asked
    size: tuple[int, ...]
    layout: str
    own: str  # the other device's layout
    cost: float | None  # time over the best there; None if not measured there

    @property
    def same(self) -> bool:
        return self.layout == self.own

    @property
    def carries_over(self) -> bool | None:
        return None if self.cost is None else self.cost <= CARRIES_OVER


def carried(devices: Devices, of: str, to: str) -> list[Carried]:
    """Returns comparisons at each size that both devices were tuned on with the same source."""
    found = []
    for asked, sizes in devices[of].items():
        others = devices[to].get(asked, {})
        for size, here in sizes.items():
            there = others.get(size)
            if there and there.source == here.source:
                found.append(Carried(asked, size, here.layout, there.layout, there.cost(here.layout)))
    return sorted(found, key=lambda c: (c.asked, len(c.size), c.size))


def pairs(devices: Devices) -> list[tuple[str, str, list[Carried]]]:
    return [(of, to, carried(devices, of, to)) for of, to in permutations(devices, 2)]


@dataclass(frozen=True)
class Start:
    """Layout that an unknown device should start from, for neighbouring sizes."""

    asked: Asked
    sizes: tuple[tuple[int, ...], ...]
    layout: str
    regret: float  # worst time over the best, over all known devices and these sizes
    worst_on: str  # device with the worst regret


def worst_regrets(known: dict[str, Tuned]) -> dict[str, tuple[float, str]]:
    """Returns the worst cost at one size, and its device, of each layout that all devices measured."""
    common = set.intersection(*(set(tuned.seconds) for tuned in known.values()))
    return {layout: max((tuned.cost(layout), device) for device, tuned in known.items()) for layout in sorted(common)}


def joined(one: dict, other: dict) -> dict:
    return {layout: max(one[layout], other[layout]) for layout in one if layout in other}


def starts(devices: Devices) -> list[Start]:
    """Returns the layouts of least worst regret for sizes that at least two devices were tuned on.
    Neighbouring sizes share a start that is close to the best on each device. Sizes without a layout
    measured on all devices have none."""
    found = []
    for asked in sorted({asked for known in devices.values() for asked in known}):
        on = {device: known[asked] for device, known in devices.items() if asked in known}
        runs: list[tuple[tuple, dict]] = []  # neighbouring sizes, and regrets of the layouts measured at all
        for size in sorted({size for sizes in on.values() for size in sizes}):
            known = {device: sizes[size] for device, sizes in on.items() if size in sizes}
            if len(known) < 2 or len({tuned.source for tuned in known.values()}) > 1:
                continue
            here = worst_regrets(known)
            both = joined(runs[-1][1], here) if runs else {}
            if both and min(both.values())[0] <= SHARES_A_START:
                runs[-1] = ((*runs[-1][0], size), both)
            else:
                runs.append(((size,), here))
        for run, regrets in runs:
            if regrets:
                layout, (regret, device) = min(regrets.items(), key=lambda item: (item[1][0], item[0]))
                found.append(Start(asked, run, layout, regret, device))
    return found
