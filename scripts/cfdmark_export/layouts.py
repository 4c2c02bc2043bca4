"""The tuned layouts as a table and as comma-separated values.

A layout is an entry of a tuned table (results/README.md) with the `device` and `architecture` that it was
tuned on, and `current`: whether the source is still the one that was tuned.
"""

from __future__ import annotations

import csv
import io
from itertools import groupby

from cfdmark_report import schema_1

HEADS = ["", "row", "grid", "method", "layout", "time", "gain over the default", "as good"]
COLUMNS = (
    "device architecture kind name backend precision scope grid problem tolerance operator method config median"
    " ci_low ci_high samples default_method default_median gain gain_low gain_high ties rule current"
    " source_hash time"
).split()


def seconds_text(seconds: float) -> str:
    """Three digits, as cfdmark writes times on a terminal: 1.23 ms."""
    units = ((1, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns"))
    size, unit = next((u for u in units if seconds >= u[0]), units[-1])
    digits = f"{seconds / size:#.3g}".rstrip(".")
    return f"{digits} {unit}"


def grid_text(layout: dict) -> str:
    return "x".join(str(n) for n in layout["grid"])


def operator_text(layout: dict) -> str:
    """;operator=arrays, or nothing for the usual one."""
    operator = layout.get("question", {}).get("operator", "constant")
    return "" if operator == "constant" else f";operator={operator}"


def config_text(layout: dict) -> str:
    """block_x=64,schedule=guided"""
    return schema_1.config_text(layout["winner"]["config"])


def gain_text(layout: dict) -> str:
    """1.250 [1.200, 1.310]; empty if it is not known."""
    gain = layout.get("gain", {})
    text = f"{gain['value']:.3f}" if "value" in gain else ""
    return f"{text} [{gain['low']:.3f}, {gain['high']:.3f}]" if "low" in gain and "high" in gain else text


def table_row(layout: dict) -> list[str]:
    winner = layout["winner"]
    return [
        "" if layout["current"] else "*",
        f"{layout['name']}/{layout['backend']}/{layout['precision']}{operator_text(layout)}",
        grid_text(layout),
        winner["method"],
        config_text(layout),
        seconds_text(winner["median"]) if "median" in winner else "",
        gain_text(layout),
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
    stale = any(not layout["current"] for layout in layouts)
    return "\n".join(parts) + ("* tuned with another source: not used until it is tuned again\n" if stale else "")


def csv_row(layout: dict) -> list[str]:
    winner, default, gain = layout["winner"], layout.get("default", {}), layout.get("gain", {})
    found = {
        **layout,
        **layout.get("question", {}),
        **winner,
        "grid": grid_text(layout),
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
    csv.writer(text, lineterminator="\n").writerows([COLUMNS] + [csv_row(layout) for layout in layouts])
    return text.getvalue()
