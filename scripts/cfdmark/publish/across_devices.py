"""Devices side by side: which tuned layouts carry over, the cost of a wrong one, and where an untuned device
should start."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median

from cfdmark.export.across_devices import (
    CARRIES_OVER,
    Asked,
    Carried,
    Devices,
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


@dataclass(frozen=True)
class Pair:
    """The layouts of one device, used on another."""

    of: str
    to: str
    found: list[Carried]

    @property
    def known(self) -> list[Carried]:
        return [c for c in self.found if c.cost is not None]

    @property
    def median(self) -> float | None:
        return median(c.cost for c in self.known) if self.known else None

    @property
    def worst(self) -> Carried | None:
        return max(self.known, key=lambda c: c.cost, default=None)

    def that_carry_over(self, over: bool) -> int:
        return sum(c.carries_over is over for c in self.found)


def grid_text(size: tuple[int, ...]) -> str:
    return "×".join(map(str, size))


def sizes_text(sizes: tuple[tuple[int, ...], ...]) -> str:
    return grid_text(sizes[0]) if len(sizes) == 1 else f"{grid_text(sizes[0])} to {grid_text(sizes[-1])}"


def place(c: Carried) -> str:
    return f"{c.asked.text()} on {grid_text(c.size)}"


def known_text(c: Carried) -> str:
    return NOT_MEASURED if c.cost is None else "the same layout" if c.same else "measured there"


PAIRS = [
    Column("of", "layouts of", of="of"),
    Column("to", "used on", of="to"),
    Column("sizes", "sizes that both were tuned on", COUNT, of=lambda pair: len(pair.found)),
    Column("same", "the same layout", COUNT, of=lambda pair: sum(c.same for c in pair.found)),
    Column("carry", "within 2 % of the best", COUNT, of=lambda pair: pair.that_carry_over(True)),
    Column("cost", "that cost more", COUNT, of=lambda pair: pair.that_carry_over(False)),
    Column("unknown", NOT_MEASURED, COUNT, of=lambda pair: len(pair.found) - len(pair.known)),
    Column("median", "median cost", "ratio", of="median"),
    Column("worst", "worst cost", "ratio", of=lambda pair: pair.worst.cost if pair.worst else None),
    Column("where", "where", of=lambda pair: place(pair.worst) if pair.worst else ""),
]
# A pair of devices with one layout
EACH = [
    Column("of", "layout of", of=lambda each: each[0].of),
    Column("to", "used on", of=lambda each: each[0].to),
    Column("what", "kernel or solver", of=lambda each: each[1].asked.text()),
    Column("grid", "grid", of=lambda each: grid_text(each[1].size)),
    Column("layout", "layout", of=lambda each: each[1].layout),
    Column("own", "the other's own", of=lambda each: each[1].own),
    Column("cost", "its time over the best there", "ratio", of=lambda each: each[1].cost),
    Column("known", "known", of=lambda each: known_text(each[1])),
]
STARTS = [
    Column("what", "kernel or solver", of=lambda start: start.asked.text()),
    Column("backend", "backend", of=lambda start: start.asked.backend),
    Column("sizes", "grids", of=lambda start: sizes_text(start.sizes)),
    Column("layout", "start from", of="layout"),
    Column("regret", "worst regret", "ratio", of="regret"),
    Column("on", "on", of="worst_on"),
]


def finding(compared: list[Pair]) -> str:
    every = [c for pair in compared for c in pair.found]
    known = [c for pair in compared for c in pair.known]
    if not every:
        return "No two devices were tuned on the same sizes with the same source: tune them over the same ladder."
    if not known:
        return f"Of {plural(len(every), 'layout')} none was measured on the other device."
    carry = sum(c.carries_over for c in known)
    worst = max(known, key=lambda c: c.cost)
    text = f"{carry} of {plural(len(known), 'layout')} measured on the other device carry over:"
    text += f" they are within {CARRIES_OVER - 1:.0%} of the best there."
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
        why = f"Layouts can be compared once two devices were tuned; {known}."
        more = "`cfdmark tune --all` tunes another: it measures these layouts there, too."
        return replace(section, empty=f"{why} {more}")
    for path in spaces:
        add_space(devices, path)
    compared = [Pair(*pair) for pair in pairs(devices) if pair[-1]]
    each = [(pair, c) for pair in compared for c in pair.found]
    section.finding = finding(compared)
    tables = [
        Table.of("across-pairs", "Which layouts carry over", PAIRS, compared),
        Table.of("across-starts", "What another device should start from", STARTS, starts(devices)),
        Table.of("across-each", "Every size", EACH, each, collapsed=True),
    ]
    section.tables = [table for table in tables if table.rows]
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
    return Asked(record.kind, record.name, record.backend, record.precision, question, record.dims)


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
