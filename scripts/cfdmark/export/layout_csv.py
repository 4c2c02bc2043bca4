"""The tuned layouts as comma-separated values."""

from __future__ import annotations

import csv
import io

from cfdmark.text.printable import in_csv
from cfdmark.text.wording import settings_text

from .layouts import config_text, gains_of, grid_text, sizes_of
from .own_kernel import start_of

COLUMNS = (
    "device architecture kind name backend precision scope objective grid problem tolerance operator method config median"
    " ci_low ci_high samples default_method default_median gain gain_low gain_high ties rule current"
    " source_hash time sizes least_cells most_cells regime regret unconfirmed_regret mean_regret least_gain most_gain reason"
    " start_method start_config start_cost"
).split()


def csv_row(layout: dict) -> list[str]:
    winner, default, gain = layout["winner"], layout.get("default", {}), layout.get("gain", {})
    gains = gains_of(layout)
    start = start_of(layout)
    found = {
        **layout,
        **layout.get("workload", {}),
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
        "start_method": start.choice["method"] if start else "",
        "start_config": settings_text(start.choice["config"]) if start else "",
        "start_cost": start.cost if start else "",
    }
    return [found.get(name, "") for name in COLUMNS]


def comma_separated(layouts: list[dict]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([COLUMNS] + [list(map(in_csv, csv_row(layout))) for layout in layouts])
    return text.getvalue()
