"""A recorded tuning space as a section: heat maps, the resources of each config, and failures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cfdmark.records.records import Dataset, Record
from cfdmark.records.select import grouped
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import times_faster, verdict
from cfdmark.text.numbers import quantity_with_unit
from cfdmark.text.wording import config_text, plural

from ..ceiling import short_share_cell
from ..model import COUNT, Column, Figure, HeatPanel, Section, Table
from ..sections.blocks import axes_of, by_shape, shape_of
from ..sections.context import number
from .launch import launch_of

NOTE = (
    "Occupancy is theoretical. A wave is as many blocks as the device holds at once; the idle tail is the"
    " share of the launch in which the last wave leaves multiprocessors without work, if all blocks take as long."
)


def space_name(record: Record) -> str:
    """Returns the name that cfdmark tune space uses: jacobi/cuda/fp64@4096x4096, followed by a solver's
    problem and limits."""
    suffix = record.case.partition(";")
    grid = "x".join(str(n) for n in record.grid)
    return f"{record.name}/{record.backend}/{record.precision}@{grid}{suffix[1]}{suffix[2]}"


def label(record: Record) -> str:
    """Returns: plain, or mdrange with tile_x=64, tile_y=4."""
    return f"{record.method} with {config_text(record)}" if record.config else record.method


def heat_panels(ok: list[Record]) -> list[HeatPanel]:
    """Returns a panel for each method whose configs are shapes, relative to the best of the whole space."""
    best = min(ok, key=lambda r: r.time.value)
    panels = []
    for method, group in grouped([r for r in ok if axes_of(r)], lambda r: r.method).items():
        shapes = by_shape(group)
        if len(shapes) < 2:
            continue
        across, down = axes_of(group[0])
        relative = {shape: r.time.value / best.time.value for shape, r in shapes.items()}
        fastest_shape = shape_of(min(group, key=lambda r: r.time.value))
        notes = {shape: quantity_with_unit(r.time, "seconds") for shape, r in shapes.items()}
        heading = f"{space_name(group[0])}, {method}"
        panels.append(HeatPanel(method, across, down, relative, fastest_shape, notes, heading))
    return panels


def reasons_table(key: str, ok: list[Record], environment: dict) -> Table:
    """Returns a row for each record, with its launch; `ok` has the fastest first."""

    def of_launch(name: str) -> Callable:
        return lambda record: getattr(launch_of(record, environment), name)

    columns = [
        Column("method", "method", of="method"),
        Column("config", "config", of=config_text),
        Column("time", "time", "seconds", "plus_minus", of="time"),
        Column("over_best", "times the best", "ratio", of=lambda r: r.time.value / ok[0].time.value),
        Column("samples", "samples", COUNT, of=lambda r: len(r.samples)),
        Column("registers", "registers", COUNT, of=of_launch("registers")),
        Column("shared", "shared B", COUNT, of=of_launch("shared")),
        Column("local", "spilled B", COUNT, of=of_launch("local")),
        Column("occupancy", "occupancy", "fraction", of=of_launch("occupancy")),
        Column("waves", "waves", "ratio", of=of_launch("waves")),
        Column("idle_tail", "idle tail", "fraction", of=of_launch("idle_tail")),
        Column("bandwidth", "bandwidth", "bytes_per_second", of=number("rate", "bytes_per_second")),
        Column("roof", "of roof", "fraction", of=short_share_cell),
    ]
    return Table.of(f"{key}-reasons", "Every config and its reasons, the fastest first", columns, ok)


def ended(record: Record) -> str:
    return str(record.section("tuning").get("status", record.status)).replace("_", " ")


FAILED = [
    Column("method", "method", of="method"),
    Column("config", "config", of=config_text),
    Column("status", "ended", of=ended),
    Column("reason", "reason", of="reason"),
]


def gain_text(default: Record | None, best: Record) -> str:
    if default is None or not default.ok:
        return "The default has no time to compare with."
    if default is best:
        return "It is the default."
    gain: Quantity = times_faster(best, default, per_iteration=False)
    interval = f" [{gain.low:.2f}, {gain.high:.2f}]" if gain.has_interval else ""
    sure = "" if verdict(gain) == "faster" else ", which noise may explain"
    ratio = f"{gain.value:.2f}{interval}"
    return f"That is {ratio} times as fast as the default, {label(default)}{sure}."


def build(key: str, name: str, records: list[Record], dataset: Dataset) -> Section:
    section = Section(key, name)
    ok = sorted((r for r in records if r.ok), key=lambda r: r.time.value)
    if not ok:
        return replace(section, empty="No config of this space has a time.")
    best = ok[0]
    default = next((r for r in records if r.section("tuning").get("default") is True), None)
    gain = gain_text(default, best)
    section.finding = f"Of {plural(len(ok), 'config')} with a time the fastest is {label(best)}. {gain}"
    if panels := heat_panels(ok):
        caption = "Time of each shape, relative to the fastest config of all methods"
        note = "Framed: the method's best. Other parameters at their best."
        note += " Blank: not tried, not valid or failed."
        section.figures.append(Figure(f"{key}-heat", caption, panels, note))
    section.tables.append(reasons_table(key, ok, dataset.environments.get(best.environment, {})))
    if failed := [r for r in records if not r.ok and ended(r) != "constraint"]:
        title = "Configs without a time"
        section.tables.append(Table.of(f"{key}-failed", title, FAILED, failed, folded=True))
    section.note = NOTE
    return section
