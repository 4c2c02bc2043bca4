"""Texts of a tuned layout.

A layout is an entry of a tuned table (results/README.md) with its `device` and `architecture`, `current`:
whether the
source is still the tuned one, and `holds`: the `least_cells` and `most_cells` of the grids that it is used
for.
"""

from __future__ import annotations

import math

from cfdmark.stats.quantity import FEWEST_FOR_INTERVAL
from cfdmark.text.numbers import LONGEST_CLOCK, clock
from cfdmark.text.wording import plural, settings_text

ROUNDING = 1e-9
UNITS = ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"), (1e-12, "ps"), (1e-15, "fs"))
ROUNDS_UP = 0.9995  # rounds to 1.00 with three digits
FEW_SAMPLES = 2 * FEWEST_FOR_INTERVAL  # of two processes
SIZE_MARGIN = 1.25  # factor of cells by which a layout holds beyond its sizes (tuning/size_ranges.hpp)


def seconds_text(seconds: float) -> str:
    """Returns three digits, as cfdmark prints times: 1.23 ms; from 1000 s on 1:23:45."""
    if seconds == 0:
        return "0 s"
    if not 0 < seconds <= LONGEST_CLOCK:
        return f"{seconds:.3g} s"
    if seconds >= 1000 * ROUNDS_UP:
        return clock(seconds)
    found = next((u for u in UNITS if seconds >= u[0] * ROUNDS_UP), None)
    if not found:
        return f"{seconds:.2g} s"
    size, unit = found
    digits = f"{seconds / size:#.3g}".rstrip(".")
    return f"{digits} {unit}"


def grid_text(layout: dict) -> str:
    return "x".join(str(n) for n in layout["grid"])


def sizes_of(layout: dict) -> list[dict]:
    """Returns the tuning result at each size of the layout; the layout itself if it has a single size."""
    return layout.get("range", {}).get("sizes") or [layout]


def sizes_text(layout: dict) -> str:
    """Returns: 256x256 to 2048x2048."""
    texts = [grid_text(size) for size in sizes_of(layout)]
    return texts[0] if len(texts) == 1 else f"{texts[0]} to {texts[-1]}"


def sides_text(layout: dict) -> str:
    """Returns 230 to 1448: the sides of the squares or cubes that the layout is used for, or grids of as many
    cells."""
    least, most = (layout["holds"][key] ** (1 / len(layout["grid"])) for key in ("least_cells", "most_cells"))
    return f"{math.ceil(least * (1 - ROUNDING))} to {math.floor(most * (1 + ROUNDING))}"


def gains_of(layout: dict) -> list[float]:
    """Returns the speedup over the default at each size that has it."""
    return [size["gain"]["value"] for size in sizes_of(layout) if "value" in size.get("gain", {})]


def is_unconfirmed(layout: dict) -> bool:
    """True if no fresh process measured the best: one was faster in the search, or there was no time for any.
    """
    no_process = layout.get("confirmation", {}).get("processes") == 0
    return no_process or "unconfirmed_regret" in layout.get("range", {})


def regret_text(layout: dict) -> str:
    """Returns the layout's worst time over the best one of a size. Brackets hold the one over the least time
    measured, if no fresh process confirmed it. Empty for a single size."""
    range_ = layout.get("range", {})
    confirmed = f"{range_['regret']:.3f}" if "regret" in range_ else ""
    if not is_unconfirmed(layout):
        return confirmed
    seen = f"{range_['unconfirmed_regret']:.3f} " if "unconfirmed_regret" in range_ else ""
    return f"{confirmed} ({seen}unconfirmed)".lstrip()


def operator_text(layout: dict) -> str:
    """Returns ;operator=arrays, or nothing for the default operator."""
    operator = layout.get("workload", {}).get("operator", "constant")
    return "" if operator == "constant" else f";operator={operator}"


def name_text(layout: dict) -> str:
    """Returns jacobi, or solver jacobi: kernels and solvers share names."""
    return "solver " * (layout["kind"] == "solver") + layout["name"]


def row_text(layout: dict) -> str:
    """Returns: jacobi/cuda/fp64;operator=arrays."""
    return f"{name_text(layout)}/{layout['backend']}/{layout['precision']}{operator_text(layout)}"


def is_for_time(layout: dict) -> bool:
    """True if lookups use the layout: those chosen by energy or memory are only shown."""
    return "objective" not in layout


def objective_text(layout: dict) -> str:
    """Returns: , for energy. Empty if the layout was chosen by time."""
    return "" if is_for_time(layout) else f", for {layout['objective']}"


def config_text(layout: dict) -> str:
    """Returns: block_x=64,schedule=guided."""
    return settings_text(layout["winner"]["config"])


def choice_text(choice: dict) -> str:
    """Returns column:block_x=64,cells=4, as in `measured`."""
    config = settings_text(choice["config"])
    return f"{choice['method']}:{config}" if config else choice["method"]


def interval_text(gain: dict) -> str:
    """Returns [1.200, 1.310]; empty unless both ends are known."""
    return f"[{gain['low']:.3f}, {gain['high']:.3f}]" if "low" in gain and "high" in gain else ""


def gain_text(layout: dict) -> str:
    """Returns 1.250 [1.200, 1.310], 1.250 (by 3 samples), or 1.020 to 1.310 for several sizes; empty if
    unknown."""
    if len(sizes_of(layout)) > 1:
        gains = gains_of(layout)
        return f"{min(gains):.3f} to {max(gains):.3f}" if gains else ""
    gain = layout.get("gain", {})
    text = f"{gain['value']:.3f}" if "value" in gain else ""
    if interval := interval_text(gain):
        return f"{text} {interval}"
    fewest = min(choice.get("samples", FEW_SAMPLES) for choice in (layout["winner"], layout.get("default", {})))
    return f"{text} (by {plural(fewest, 'sample')})" if text and fewest < FEW_SAMPLES else text
