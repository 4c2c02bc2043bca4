"""The tuned tables as a page: the layout to use for each device, kernel and precision, and its evidence."""

from __future__ import annotations

import json
from dataclasses import replace
from operator import itemgetter
from pathlib import Path

from cfdmark.export.layouts import gains_of, is_unconfirmed, objective_text, operator_text, sizes_of, sizes_text
from cfdmark.export.own_kernel import start_of
from cfdmark.history.timeline import SHORT
from cfdmark.records.records import BadInput, read_text
from cfdmark.report.model import COUNT, Column, LabelledNumber, Section, Table
from cfdmark.stats.quantity import Quantity
from cfdmark.text.wording import plural, value_text


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


def what_text(entry: dict) -> str:
    workload = entry.get("workload", {})
    problem = f", {workload['problem']} to {workload['tolerance']:g}" if "problem" in workload else ""
    return entry["name"] + (problem or operator_text(entry)) + objective_text(entry)


def grids_text(entry: dict) -> str:
    return sizes_text(entry).replace("x", "×")


def gain_of(entry: dict) -> Quantity:
    gain = entry["gain"]
    return Quantity(gain["value"], gain.get("low"), gain.get("high"))


def least_gain(entry: dict) -> float | None:
    return min(gains_of(entry), default=entry["gain"]["value"]) if len(sizes_of(entry)) > 1 else None


def start_text(entry: dict) -> str:
    start = start_of(entry)
    return layout_text(start.choice) if start else ""


def start_cost(entry: dict) -> float | None:
    start = start_of(entry)
    return start.cost if start else None


def commit_text(program: dict) -> str:
    return program.get("commit", "")[:SHORT] + "+" * bool(program.get("dirty"))


COLUMNS = [
    Column("what", "kernel or solver", of=what_text),
    Column("backend", "backend", of=itemgetter("backend")),
    Column("precision", "precision", of=itemgetter("precision")),
    Column("grid", "tuned on", of=grids_text),
    Column("layout", "layout", of=lambda entry: layout_text(entry["winner"])),
    Column("gain", "gain", "ratio", "brackets", of=gain_of),
    Column("least_gain", "least gain", "ratio", of=least_gain),
    Column("regret", "worst regret", "ratio", of=lambda entry: entry.get("range", {}).get("regret")),
    Column("unconfirmed", "unconfirmed regret", of=unconfirmed_cell),
    Column("start", "start of your own kernel", of=start_text),
    Column("start_cost", "its time over the least", "ratio", of=start_cost),
    Column("time", "time", "seconds", "plus_minus", of=lambda entry: time_of(entry["winner"])),
    Column("default", "default", of=lambda entry: layout_text(entry["default"])),
    Column("default_time", "its time", "seconds", "plus_minus", of=lambda entry: time_of(entry["default"])),
    Column("why", "why", of=itemgetter("rule")),
    Column("ties", "ties", COUNT, of=lambda entry: len(entry["ties"])),
    Column("measured", "configs measured", COUNT, of=lambda entry: entry["search"]["configs"].get("ok", 0)),
    Column("not_tried", "not tried", COUNT, of=lambda entry: entry["search"]["configs"].get("not_tried", 0)),
    Column("samples", "samples", COUNT, of=lambda entry: entry["search"]["samples"]),
    Column("strategy", "strategy", of=lambda entry: entry["search"]["strategy"]),
    Column("commit", "commit", of=lambda entry: commit_text(entry["program"])),
    Column("date", "date", of=lambda entry: entry["time"][:10]),
]


def read_table(path: Path) -> tuple[str, str, list[dict]]:
    """Returns the device, its architecture, and the entries. Raises BadInput with file and line, or entry."""
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
            Table.of("", "", COLUMNS, [entry])  # checks that no member is missing
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
    if not entries:
        return replace(section, empty="The table has no entry.")
    best = max(entries, key=lambda entry: entry["gain"]["value"])
    section.finding = (
        f"{plural(len(entries), 'layout')}. The most is gained by {what_text(best)} in {best['precision']} on"
        f" {grids_text(best)}: {best['gain']['value']:.2f} times as fast as the config that runs untuned."
    )
    if unconfirmed := sum(is_unconfirmed(entry) for entry in entries):
        section.finding += f" Of {plural(unconfirmed, 'layout')} no fresh process confirmed that nothing measured is faster."
    section.tables = [Table.of(f"layouts-{key}", "What to use, and the evidence", COLUMNS, entries)]
    section.note = (
        "Gain: the default's median over the winner's; brackets hold the far ends of both 95 % intervals. Of a layout for"
        " several sizes gain and times are those of the largest; the least gain is that of any, and the worst regret is the"
        " layout's time over the best config's, where that is the greatest, by fresh processes. The unconfirmed regret is"
        " its time over the least time that was measured at all, where that is more than 1 % above: no fresh process"
        " confirmed it. A kernel of your own starts from the best layout of one step a launch that was measured."
        " Ties are not surely slower than the best by more than 1 %."
    )
    return section
