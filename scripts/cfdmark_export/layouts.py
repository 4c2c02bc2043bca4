"""The tuned layouts as a table and as comma-separated values.

A layout is an entry of a tuned table (results/README.md) with the `device` and `architecture` that it was
tuned on, `current`: whether the source is still the one that was tuned, and `holds`: the `least_cells` and
`most_cells` of the grids that it is used for.
"""

from __future__ import annotations

import csv
import io
import math
from itertools import groupby

from cfdmark_report import schema_1
from cfdmark_report.printable import in_csv
from cfdmark_report.numbers import LONGEST_CLOCK, clock

ROUNDING = 1e-9
UNITS = ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"), (1e-12, "ps"), (1e-15, "fs"))
ROUNDS_UP = 0.9995  # three digits of it are 1.00
HEADS = ["", "row", "tuned on", "for sides of", "method", "layout", "time", "gain over the default", "regret", "as good"]
COLUMNS = (
    "device architecture kind name backend precision scope objective grid problem tolerance operator method config median"
    " ci_low ci_high samples default_method default_median gain gain_low gain_high ties rule current"
    " source_hash time sizes least_cells most_cells regime regret mean_regret least_gain most_gain reason"
).split()


def seconds_text(seconds: float) -> str:
    """Three digits, as cfdmark writes times on a terminal: 1.23 ms; from 1000 s on 1:23:45."""
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
    """What is known at each size that the layout rests on: itself, where it is of one and from before ranges."""
    return layout.get("range", {}).get("sizes") or [layout]


def sizes_text(layout: dict) -> str:
    """256x256 to 2048x2048"""
    texts = [grid_text(size) for size in sizes_of(layout)]
    return texts[0] if len(texts) == 1 else f"{texts[0]} to {texts[-1]}"


def sides_text(layout: dict) -> str:
    """230 to 1448: the sides of the squares or cubes that it is used for, and of grids of as many cells."""
    least, most = (layout["holds"][key] ** (1 / len(layout["grid"])) for key in ("least_cells", "most_cells"))
    return f"{math.ceil(least * (1 - ROUNDING))} to {math.floor(most * (1 + ROUNDING))}"


def gains_of(layout: dict) -> list[float]:
    """Over the default, of each size where it is known."""
    return [size["gain"]["value"] for size in sizes_of(layout) if "value" in size.get("gain", {})]


def regret_text(layout: dict) -> str:
    """The layout's time over the best one's, the worst of its sizes; empty where only one size is known."""
    regret = layout.get("range", {}).get("regret")
    return "" if regret is None else f"{regret:.3f}"


def operator_text(layout: dict) -> str:
    """;operator=arrays, or nothing for the usual one."""
    operator = layout.get("question", {}).get("operator", "constant")
    return "" if operator == "constant" else f";operator={operator}"


def name_text(layout: dict) -> str:
    """jacobi, or solver jacobi: kernels and solvers have names in common."""
    return "solver " * (layout["kind"] == "solver") + layout["name"]


def row_text(layout: dict) -> str:
    """jacobi/cuda/fp64;operator=arrays"""
    return f"{name_text(layout)}/{layout['backend']}/{layout['precision']}{operator_text(layout)}"


def is_for_time(layout: dict) -> bool:
    """Whether lookups use it: one that was chosen by energy or memory is told, and used by none."""
    return "objective" not in layout


def objective_text(layout: dict) -> str:
    """, for energy; nothing where it was chosen by time."""
    return "" if is_for_time(layout) else f", for {layout['objective']}"


def config_text(layout: dict) -> str:
    """block_x=64,schedule=guided"""
    return schema_1.config_text(layout["winner"]["config"])


def gain_text(layout: dict) -> str:
    """1.250 [1.200, 1.310], of several sizes 1.020 to 1.310; empty if it is not known."""
    if len(sizes_of(layout)) > 1:
        gains = gains_of(layout)
        return f"{min(gains):.3f} to {max(gains):.3f}" if gains else ""
    gain = layout.get("gain", {})
    text = f"{gain['value']:.3f}" if "value" in gain else ""
    return f"{text} [{gain['low']:.3f}, {gain['high']:.3f}]" if "low" in gain and "high" in gain else text


def table_row(layout: dict) -> list[str]:
    winner = layout["winner"]
    return [
        "" if layout["current"] else "*",
        row_text(layout) + objective_text(layout),
        sizes_text(layout),
        sides_text(layout),
        winner["method"],
        config_text(layout),
        seconds_text(winner["median"]) if "median" in winner else "",
        gain_text(layout),
        regret_text(layout),
        str(len(layout.get("ties", []))),
    ]


def padded(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip(" ") + "\n" for row in rows
    )


def table(layouts: list[dict]) -> str:
    parts = []
    for (device, architecture), group in groupby(layouts, lambda l: (l["device"], l["architecture"])):
        parts.append(f"{device} ({architecture})\n" + padded([HEADS] + [table_row(l) for l in group]))
    notes = ""
    if any(not layout["current"] for layout in layouts):
        notes += "* tuned with another source: not used until it is tuned again\n"
    if any(len(sizes_of(layout)) > 1 for layout in layouts):
        notes += "of several sizes: the time at the largest, the gains from least to most, and the worst regret, the time over the best one's\n"
    return "\n".join(parts) + notes


def csv_row(layout: dict) -> list[str]:
    winner, default, gain = layout["winner"], layout.get("default", {}), layout.get("gain", {})
    gains = gains_of(layout)
    found = {
        **layout,
        **layout.get("question", {}),
        **{key: value for key, value in layout.get("range", {}).items() if key != "sizes"},
        **layout["holds"],
        **winner,
        "sizes": " ".join(map(grid_text, sizes_of(layout))),
        "least_gain": min(gains, default=""),
        "most_gain": max(gains, default=""),
        "grid": grid_text(layout),
        "objective": layout.get("objective", "time"),
        "config": config_text(layout),
        "default_method": default.get("method", ""),
        "default_median": default.get("median", ""),
        "gain": gain.get("value", ""),
        "gain_low": gain.get("low", ""),
        "gain_high": gain.get("high", ""),
        "ties": len(layout.get("ties", [])),
        "current": "yes" if layout["current"] else "no",
    }
    return [found.get(name, "") for name in COLUMNS]


def comma_separated(layouts: list[dict]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS] + [list(map(in_csv, csv_row(layout))) for layout in layouts])
    return text.getvalue()
