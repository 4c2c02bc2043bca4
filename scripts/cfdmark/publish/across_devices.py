"""Devices side by side: which tuned layouts carry over, the cost of a wrong one, and where an untuned device
should start."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from cfdmark.export.across_devices import (
    CARRIES_OVER,
    Asked,
    Carried,
    Devices,
    Start,
    add_measured,
    devices_of,
    pairs,
    starts,
)
from cfdmark.export.layouts import choice_text
from cfdmark.records.records import Record, read_files
from cfdmark.report.model import COUNT, Column, Section, Table
from cfdmark.text.wording import plural, settings_text

NOT_MEASURED = "not measured"
PAIRS = [
    Column("of", "layouts of"),
    Column("to", "used on"),
    Column("sizes", "sizes that both were tuned on", COUNT),
    Column("same", "the same layout", COUNT),
    Column("carry", "within 2 % of the best", COUNT),
    Column("cost", "that cost more", COUNT),
    Column("unknown", NOT_MEASURED, COUNT),
    Column("median", "median cost", "ratio"),
    Column("worst", "worst cost", "ratio"),
    Column("where", "where"),
]
EACH = [
    Column("of", "layout of"),
    Column("to", "used on"),
    Column("what", "kernel or solver"),
    Column("grid", "grid"),
    Column("layout", "layout"),
    Column("own", "the other's own"),
    Column("cost", "its time over the best there", "ratio"),
    Column("known", "known"),
]
STARTS = [
    Column("what", "kernel or solver"),
    Column("backend", "backend"),
    Column("sizes", "grids"),
    Column("layout", "start from"),
    Column("regret", "worst regret", "ratio"),
    Column("on", "on"),
]


def grid_text(size: tuple[int, ...]) -> str:
    return "×".join(map(str, size))


def sizes_text(sizes: tuple[tuple[int, ...], ...]) -> str:
    return grid_text(sizes[0]) if len(sizes) == 1 else f"{grid_text(sizes[0])} to {grid_text(sizes[-1])}"


def place(c: Carried) -> str:
    return f"{c.asked.text()} on {grid_text(c.size)}"


def pair_row(of: str, to: str, found: list[Carried]) -> list:
    costs = [c.cost for c in found if c.cost is not None]
    worst = max((c for c in found if c.cost is not None), key=lambda c: c.cost, default=None)
    return [
        of,
        to,
        len(found),
        sum(c.same for c in found),
        sum(c.carries_over is True for c in found),
        sum(c.carries_over is False for c in found),
        sum(c.cost is None for c in found),
        median(costs) if costs else None,
        worst.cost if worst else None,
        place(worst) if worst else "",
    ]


def each_row(of: str, to: str, c: Carried) -> list:
    known = NOT_MEASURED if c.cost is None else "the same layout" if c.same else "measured there"
    return [of, to, c.asked.text(), grid_text(c.size), c.layout, c.own, c.cost, known]


def start_row(start: Start) -> list:
    return [start.asked.text(), start.asked.backend, sizes_text(start.sizes), start.layout, start.regret, start.worst_on]


def finding(compared: list[tuple[str, str, list[Carried]]]) -> str:
    every = [c for _, _, found in compared for c in found]
    known = [c for c in every if c.cost is not None]
    if not every:
        return "No two devices were tuned on the same sizes with the same source: tune them over the same ladder."
    if not known:
        return f"Of {plural(len(every), 'layout')} none was measured on the other device."
    carry = sum(c.carries_over for c in known)
    worst = max(known, key=lambda c: c.cost)
    text = f"{carry} of {plural(len(known), 'layout')} measured on the other device carry over: they are within {CARRIES_OVER - 1:.0%} of the best there."
    if worst.cost > CARRIES_OVER:
        text += f" The wrong one costs the most for {place(worst)}: {worst.cost:.2f} times the best time."
    if len(known) < len(every):
        text += f" {plural(len(every) - len(known), 'other was', 'others were')} not measured there."
    return text


def section_of(layouts: list[dict], spaces: list[Path] = ()) -> Section:
    """Returns the section. `layouts` are those of `cfdmark tune layouts --json`; `spaces` are files of
    recorded spaces, which fill gaps of the table. Raises BadInput for a file that cannot be read."""
    section = Section("across-devices", "Devices side by side")
    devices = devices_of(layouts)
    if len(devices) < 2:
        known = f"only those of {next(iter(devices))} are known" if devices else "none are known"
        section.empty = (
            f"Layouts can be compared once two devices were tuned; {known}. `cfdmark tune --all` tunes another: it measures these layouts there, too."
        )
        return section
    for path in spaces:
        add_space(devices, path)
    compared = [(of, to, found) for of, to, found in pairs(devices) if found]
    section.finding = finding(compared)
    if compared:
        section.tables.append(Table("across-pairs", "Which layouts carry over", PAIRS, [pair_row(*pair) for pair in compared]))
    if begin := starts(devices):
        section.tables.append(Table("across-starts", "What another device should start from", STARTS, [start_row(s) for s in begin]))
    if compared:
        rows = [each_row(of, to, c) for of, to, found in compared for c in found]
        section.tables.append(Table("across-each", "Every size", EACH, rows, collapsed=True))
    section.note = (
        "A cost is the layout's time over the best that the device itself measured at that size, by its fresh processes, or"
        " where these did not measure it by the samples of its search. Only answers of one source are compared. A device"
        " measures the layouts of other tables in addition to its own finalists; of two that were tuned before they knew each"
        " other some costs are not known. To start from: of the layouts measured on all devices that were tuned on a size,"
        " the one whose worst cost is the least."
    )
    return section


def asked_of_record(record: Record) -> Asked:
    question = settings_text(record.section("workload"))
    return Asked(record.kind, record.name, record.backend, record.precision, question, len(record.grid))


def add_space(devices: Devices, path: Path) -> None:
    dataset = read_files([path])
    found: dict[tuple, dict[str, float]] = {}
    for record in dataset.records:
        if record.ok and record.time is not None and record.backend == "cuda":
            device = dataset.environments.get(record.environment, {}).get("gpu", {}).get("name", "")
            layout = choice_text({"method": record.method, "config": record.config})
            found.setdefault((device, asked_of_record(record), tuple(record.grid)), {})[layout] = record.time.value
    for (device, asked, size), seconds in found.items():
        add_measured(devices, device, asked, size, None, seconds)
