"""The tuned tables as a page: the layout to use for each device, kernel and precision, and its evidence."""

from __future__ import annotations

import json
from pathlib import Path

from cfdmark.export.layouts import gains_of, is_unconfirmed, objective_text, operator_text, sizes_of, sizes_text
from cfdmark.export.own_kernel import start_of
from cfdmark.history.timeline import SHORT
from cfdmark.records.records import BadInput, read_text
from cfdmark.report.model import COUNT, Column, LabelledNumber, Section, Table
from cfdmark.stats.quantity import Quantity
from cfdmark.text.wording import plural, value_text

COLUMNS = [
    Column("what", "kernel or solver"),
    Column("backend", "backend"),
    Column("precision", "precision"),
    Column("grid", "tuned on"),
    Column("layout", "layout"),
    Column("gain", "gain", "ratio", "brackets"),
    Column("least_gain", "least gain", "ratio"),
    Column("regret", "worst regret", "ratio"),
    Column("unconfirmed", "unconfirmed regret"),
    Column("start", "start of your own kernel"),
    Column("start_cost", "its time over the least", "ratio"),
    Column("time", "time", "seconds", "plus_minus"),
    Column("default", "default"),
    Column("default_time", "its time", "seconds", "plus_minus"),
    Column("why", "why"),
    Column("ties", "ties", COUNT),
    Column("measured", "configs measured", COUNT),
    Column("not_tried", "not tried", COUNT),
    Column("samples", "samples", COUNT),
    Column("strategy", "strategy"),
    Column("commit", "commit"),
    Column("date", "date"),
]
GAIN = [column.key for column in COLUMNS].index("gain")


def layout_text(found: dict) -> str:
    settings = ", ".join(f"{key}={value_text(value)}" for key, value in found["config"].items())
    return f"{found['method']}: {settings}" if settings else found["method"]


def time_of(found: dict) -> Quantity:
    """Returns the time, with the number of samples if these are too few for an interval."""
    if "ci_low" in found or "samples" not in found:
        return Quantity(found["median"], found.get("ci_low"), found.get("ci_high"))
    return Quantity(found["median"], count=plural(found["samples"], "sample"))


def unconfirmed_cell(entry: dict) -> LabelledNumber | str:
    """Returns the regret that no fresh process confirmed; words if none measured anything."""
    seen = entry.get("range", {}).get("unconfirmed_regret")
    if seen is not None:
        return LabelledNumber(f"{seen:.2f}", seen)
    return "not confirmed" if is_unconfirmed(entry) else ""


def row(entry: dict) -> list:
    winner, default, gain, search = (entry[key] for key in ("winner", "default", "gain", "search"))
    asked = entry.get("workload", {})
    start = start_of(entry)
    problem = f", {asked['problem']} to {asked['tolerance']:g}" if "problem" in asked else ""
    return [
        entry["name"] + (problem or operator_text(entry)) + objective_text(entry),
        entry["backend"],
        entry["precision"],
        sizes_text(entry).replace("x", "×"),
        layout_text(winner),
        Quantity(gain["value"], gain.get("low"), gain.get("high")),
        Quantity(min(gains_of(entry), default=gain["value"])) if len(sizes_of(entry)) > 1 else None,
        Quantity(entry["range"]["regret"]) if "range" in entry else None,
        unconfirmed_cell(entry),
        layout_text(start.choice) if start else "",
        Quantity(start.cost) if start else None,
        time_of(winner),
        layout_text(default),
        time_of(default),
        entry["rule"],
        len(entry["ties"]),
        search["configs"].get("ok", 0),
        search["configs"].get("not_tried", 0),
        search["samples"],
        search["strategy"],
        entry["program"].get("commit", "")[:SHORT] + "+" * bool(entry["program"].get("dirty")),
        entry["time"][:10],
    ]


def read_table(path: Path) -> tuple[str, str, list[dict]]:
    """Its device, that one's architecture, and its entries. Raises BadInput naming file and
    line, or entry."""
    try:
        table = json.loads(read_text(path))
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path}:{getattr(error, 'lineno', 1)}: not JSON: {error}") from error
    if not isinstance(table, dict) or table.get("type") != "cfdmark tuned":
        raise BadInput(f"{path}:1: no tuned table: `type` must be \"cfdmark tuned\"")
    entries = []
    try:
        device = table["device"]
        for entry in table["entries"]:
            row(entry)  # checks that no member is missing
            entries.append(entry)
        return device["name"], device["architecture"], entries
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        place = f"{path}: entry {len(entries) + 1}"
        raise BadInput(f"{place} is not as results/README.md has it: {error!r}") from error


def files_of(tuned: Path) -> list[tuple[str, list[Path]]]:
    """Returns the name of each device's folder and its tables."""
    folders = sorted(path for path in tuned.glob("*") if path.is_dir())
    return [(folder.name, files) for folder in folders if (files := sorted(folder.glob("*.json")))]


def section_of(path: Path) -> Section:
    """Returns the section of one table. Raises BadInput."""
    return section_of_entries(path.stem, *read_table(path))


def section_of_entries(key: str, device: str, architecture: str, entries: list[dict]) -> Section:
    section = Section(f"layouts-{key}", f"{device}, {architecture}")
    rows = [row(entry) for entry in entries]
    if not rows:
        section.empty = "The table has no entry."
        return section
    best = max(rows, key=lambda cells: cells[GAIN].value)
    section.finding = (
        f"{plural(len(rows), 'layout')}. The most is gained by {best[0]} in {best[2]} on {best[3]}: "
        f"{best[GAIN].value:.2f} times as fast as the config that runs untuned."
    )
    if unconfirmed := sum(is_unconfirmed(entry) for entry in entries):
        section.finding += f" Of {plural(unconfirmed, 'layout')} no fresh process confirmed that nothing measured is faster."
    section.tables = [Table(f"layouts-{key}", "What to use, and the evidence", COLUMNS, rows)]
    section.note = (
        "Gain: the default's median over the winner's; brackets hold the far ends of both 95 % intervals. Of a layout for"
        " several sizes gain and times are those of the largest; the least gain is that of any, and the worst regret is the"
        " layout's time over the best config's, where that is the greatest, by fresh processes. The unconfirmed regret is"
        " its time over the least time that was measured at all, where that is more than 1 % above: no fresh process"
        " confirmed it. A kernel of your own starts from the best layout of one step a launch that was measured."
        " Ties are not surely slower than the best by more than 1 %."
    )
    return section
