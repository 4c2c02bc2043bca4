"""Every method against the measured roofs of memory, cache and arithmetic, and what bounds each case."""

from __future__ import annotations

from collections import Counter

from ..baseline import TEXTBOOK, Baselines, Selector
from ..bounds import WORDS, Bound, bound_of, drawable, flops_rate, share_of
from ..limits import ARITHMETIC, CACHE, FUSED, LAUNCH, MEMORY, SEPARATE, Limits, joined
from ..model import COUNT, Column, Figure, Roof, RooflinePanel, RoofPoint, Section, Table, Told
from ..numbers import quantity_with_unit, with_unit
from ..quantity import Quantity
from ..records import Record
from ..select import best_configs, grouped, precision_rank, rank, report_order, subject
from ..wording import grid_text, listed, plural
from .context import Context

COLUMNS = [
    Column("what", "kernel or solver"),
    Column("precision", "precision"),
    Column("grid", "grid"),
    Column("row", "row"),
    Column("bound", "bound by"),
    Column("share", "of it", "fraction", optional=True),
    Column("why", "why"),
    Column("over_plain", "over plain", "ratio", "brackets", optional=True),
    Column("target", "wanted", optional=True),
    Column("saved", "traffic saved", "ratio", optional=True),
    Column("useful", "useful traffic", "bytes_per_second", optional=True),
]
LIMITS = [
    Column("device", "device"),
    Column("backend", "backend"),
    Column("threads", "threads", COUNT),
    Column("precision", "precision"),
    Column("limit", "limit"),
    Column("by", "by"),
    Column("value", "measured"),
]
UNITS = {MEMORY: "bytes_per_second", CACHE: "bytes_per_second", ARITHMETIC: "flops_per_second", LAUNCH: "seconds"}
OPERATIONS_OF = {
    "fused": "multiply-adds with one rounding, as the stencils here have them",
    "separate": "a multiplication and an addition each, since compilers may not join them",
}
READING = (
    "Lines: what this device gave to triad and to chains of multiply-adds, bands their measured spread. A method cannot be above"
    " the line of where its fields lie, but for one reason: it makes several sweeps in one pass and so moves less than one sweep"
    " a pass has to. Its point stands at that useful traffic; the broken line leads to what it does move, which is under the"
    " roof. Of each row one point for each thing that bounds it, on the largest grid where it does. Colours: what bounds it."
)


class Rooflines:
    """What the section needs of a dataset, found once."""

    def __init__(self, context: Context):
        self.context = context
        self.limits = Limits(context.dataset)
        rated = [r for r in context.dataset.ok() if r.number("rate", "bytes_per_second") or flops_rate(r)]
        self.records = best_configs(context.dataset, rated)
        self.bounds = {id(r): bound_of(r, self.limits) for r in self.records}
        self.over_plain = Baselines(context.dataset, Selector({"method": TEXTBOOK}))
        one_pass = [r for r in context.dataset.ok("kernel") if not sweeps_at_most(r) and bytes_a_cell(r)]
        self.one_pass = {key: min(map(bytes_a_cell, group)) for key, group in grouped(one_pass, traffic_key).items()}

    def bound(self, record: Record) -> Bound:
        return self.bounds[id(record)]

    def saved(self, record: Record) -> float | None:
        """How many times less a kernel moves than one sweep a pass has to; None where it makes one a pass."""
        least, own = self.one_pass.get(traffic_key(record)), bytes_a_cell(record)
        several = record.kind == "kernel" and sweeps_at_most(record) and least and own
        return least / own if several and least > own * 1.01 and drawable(least / own) else None

    def useful_bandwidth(self, record: Record) -> float | None:
        saved, bandwidth = self.saved(record), record.number("rate", "bytes_per_second")
        return bandwidth * saved if saved and bandwidth and drawable(bandwidth * saved) else None


def sweeps_at_most(record: Record) -> bool:
    """Whether its method may make several sweeps in one pass over memory."""
    depth = record.config.get("depth")
    return isinstance(depth, (int, float)) and depth > 1


def bytes_a_cell(record: Record) -> float | None:
    moved, cells = record.number("cost", "bytes"), record.number("cost", "cells")
    return moved / cells if moved and cells and moved > 0 and cells > 0 else None


def traffic_key(record: Record) -> tuple:
    return (subject(record), record.precision)


# --- The table ------------------------------------------------------------------------------------------------------


def target_text(record: Record) -> str | None:
    wanted = record.number("target", "over_plain")
    return f"{wanted:g}" if wanted else None


def table_row(lines: Rooflines, r: Record) -> list:
    bound, speedup = lines.bound(r), lines.over_plain.of(r)
    return [
        lines.context.subject(r),
        r.precision,
        grid_text(r),
        lines.context.row(r),
        bound.word,
        bound.share,
        bound.sentence,
        speedup.ratio if speedup and speedup.record is not speedup.baseline else None,
        target_text(r),
        lines.saved(r),
        lines.useful_bandwidth(r),
    ]


def limits_table(lines: Rooflines) -> Table:
    """All that was measured; of several starts with their spread."""
    rows = []
    for (place, precision, of, kernel), values in lines.limits.found.items():
        if of in UNITS:
            value = joined(values)
            shown = Told(quantity_with_unit(value, UNITS[of]), value.value)
            rows.append([place.hardware, place.backend, place.threads, precision, of, kernel, shown])
    return Table("limits", "The measured limits", LIMITS, rows)


# --- The pictures ---------------------------------------------------------------------------------------------------


def intensity(lines: Rooflines, record: Record) -> float | None:
    """Operations a byte of useful traffic."""
    flops, moved = record.number("cost", "flops"), record.number("cost", "bytes")
    if not flops or not moved or moved < 0:
        return None
    at = flops / moved / (lines.saved(record) or 1)
    return at if drawable(at) else None


def point(lines: Rooflines, record: Record) -> RoofPoint:
    bound, at, rate = lines.bound(record), intensity(lines, record), flops_rate(record)
    saved = lines.saved(record)
    told = (
        f"{lines.context.subject(record)}, {lines.context.row(record)} {record.precision} {grid_text(record)}:"
        f" {quantity_with_unit(rate, 'flops_per_second')} at {at:.2g} operations a byte; bound by {bound.word}."
        f" {bound.sentence}"
    )
    if saved:
        told += f" Moves {saved:.2g} times less than one sweep a pass."
    return RoofPoint(
        at,
        rate,
        f"bound:{bound.word}",
        record.method,
        record.name,
        told,
        at * saved if saved else None,
    )


def roof(name: str, value: Quantity, kind: str, by: str) -> Roof:
    shown = quantity_with_unit(value, kind)
    return Roof(f"{name} {with_unit(value.value, kind)}: {shown}, by {by}", value)


def roofs(lines: Rooflines, record: Record) -> tuple[list[Roof], list[Roof]]:
    """The slopes and ceilings of a record's device, lowest first."""
    limits, place, precision = lines.limits, lines.limits.place(record), record.precision
    slopes, ceilings = [], []
    for name, limit in (("memory", limits.memory(place, precision)), ("cache", limits.cache(place, precision))):
        if limit:
            slopes.append(roof(name, limit.value, "bytes_per_second", limit.by))
    for name, kernel in (("separate", SEPARATE), ("fused", FUSED)):
        if limit := limits.arithmetic(place, precision, kernel):
            ceilings.append(roof(name, limit.value, "flops_per_second", OPERATIONS_OF[name]))
    by_height = [sorted(found, key=lambda r: r.value.value) for found in (slopes, ceilings)]
    return by_height[0], by_height[1]


def drawn(lines: Rooflines, records: list[Record]) -> list[Record]:
    """Of each row and each thing that bounds it the largest grid."""
    groups = grouped(records, lambda r: (subject(r), r.method, lines.bound(r).word)).values()
    return [max(group, key=lambda r: (r.nodes, -r.iteration_time.value)) for group in groups]


def panel(lines: Rooflines, records: list[Record]) -> RooflinePanel | None:
    """Of one device and precision; None where no roof or no operation was measured. Of several numbers of threads the roofs
    are those of the most that have any."""
    counting = [r for r in records if intensity(lines, r) and flops_rate(r)]
    by_threads = sorted(counting, key=lambda r: -(lines.limits.place(r).threads or 0))
    found = next((both for r in by_threads if any(both := roofs(lines, r))), None)
    if not found:
        return None
    title = f"{records[0].backend}, {records[0].precision}"
    points = [point(lines, r) for r in drawn(lines, counting)]
    return RooflinePanel(title, *found, points)


def figures(lines: Rooflines) -> list[Figure]:
    """One a device; a panel for each backend on it and precision."""
    devices = grouped(lines.records, lambda r: lines.limits.place(r).hardware)
    made = []
    for number, (hardware, records) in enumerate(sorted(devices.items(), key=lambda d: -len(d[1]))):
        rows = grouped(sorted(records, key=precision_rank), lambda r: (r.backend, r.precision)).values()
        panels = [p for p in (panel(lines, group) for group in rows) if p]
        if panels:
            made.append(Figure(f"roofline-{number}", f"Methods under the roofs of {hardware}", panels, READING))
    return made


# --- In words -------------------------------------------------------------------------------------------------------

OUTCOME = {
    "launches": "{} by launches, which take most of their time",
    "cache": "{} by the cache that holds their fields",
    "memory": "{} by memory",
    "arithmetic": "{} by arithmetic",
    "none": "{} by none of these, so that latency is left",
    "unknown": "{} by what was not measured here",
}


def finding(lines: Rooflines) -> str:
    counts = Counter(lines.bound(r).word for r in lines.records)
    told = [OUTCOME[word].format(counts[word]) for word in WORDS if counts[word]]
    return f"What bounds {plural(len(lines.records), 'case')}: {listed(told, len(WORDS))}."


def several_sweeps(lines: Rooflines) -> str:
    """Why some stand above the roof of memory, with the fastest of them; empty without any."""
    above = [r for r in lines.records if lines.useful_bandwidth(r) and r.regime == "memory"]
    if not above:
        return ""
    best = max(above, key=lines.useful_bandwidth)
    memory = lines.limits.memory(lines.limits.place(best), best.precision)
    useful = lines.useful_bandwidth(best)
    against = f", {share_of(useful / memory.value.value)} the roof" if memory else ""
    return (
        "Methods that make several sweeps in one pass over memory stand above its roof by their useful traffic: what one sweep a"
        f" pass would have to move. {lines.context.subject(best)} on {lines.context.row(best)} ({best.precision},"
        f" {grid_text(best)}) does the work of {with_unit(useful, 'bytes_per_second')}{against}, and moves"
        f" {with_unit(best.number('rate', 'bytes_per_second'), 'bytes_per_second')}."
    )


def targets(lines: Rooflines) -> str:
    """Which of the wanted speeds over plain were reached; empty where no sweep wanted any."""
    wanted = [r for r in lines.records if target_text(r)]
    found = [(r, lines.over_plain.of(r)) for r in wanted]
    reached = [r for r, speedup in found if speedup and speedup.ratio.value >= r.number("target", "over_plain")]
    if not wanted:
        return ""
    have = "has" if len(reached) == 1 else "have"
    return f"{len(reached)} of {plural(len(wanted), 'case')} with a wanted speed over plain {have} it."


def absent(lines: Rooflines) -> str:
    """What the records do not tell; empty where they tell all."""
    first = {lines.limits.place(r): r for r in reversed(lines.records)}
    without = {"memory": [], "the cache": [], "arithmetic": [], "launches": []}
    for place, r in first.items():
        of = (lines.limits.memory, lines.limits.cache, lines.limits.arithmetic, lines.limits.launch)
        for names, limit in zip(without.values(), of):
            if not limit(place, r.precision):
                names.append(place.backend)
    told = [
        f"{what} ({listed(sorted(set(names), key=lambda n: rank(n, ['serial', 'openmp', 'kokkos', 'cuda'])))})"
        for what, names in without.items()
        if names
    ]
    if not told:
        return ""
    return f"Not measured in these records: {', '.join(told)}. A run without --no-roofs measures them in its first seconds."


def note(lines: Rooflines) -> str:
    no_operations = sum(not flops_rate(r) for r in lines.records)
    told = (
        "Roofs: memory is copy or triad on fields that leave the caches, cache is triad on fields that take half of the last"
        " one, each with its launch. Arithmetic is chains of multiply-adds in registers: fused with one rounding, an operation of"
        " the device, which is its peak; separate as two, because the compilers are told to join none. A launch is a step of 32×32"
        " cells. A case is bound by that of which it reaches most, if it reaches half."
    )
    if no_operations:
        told += f" {plural(no_operations, 'case')} without arithmetic, such as copy, are in the table alone."
    return told


def build(context: Context) -> Section:
    section = Section("roofline", "Roofline", summed_up=True)
    lines = Rooflines(context)
    if not lines.records:
        section.empty = "No case tells what it moves or computes, so nothing can be held against a roof."
        return section
    section.finding = finding(lines)
    section.text = [told for told in (several_sweeps(lines), targets(lines), absent(lines)) if told]
    section.figures = figures(lines)
    rows = [table_row(lines, r) for r in sorted(lines.records, key=report_order)]
    section.tables = [Table("roofline", "What bounds each case", COLUMNS, rows)]
    limits = limits_table(lines)
    section.tables += [limits] if limits.rows else []
    section.note = note(lines)
    return section
