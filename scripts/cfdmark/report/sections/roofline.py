"""Every method against the measured ceilings of memory, cache and arithmetic, and the bound of each case."""

from __future__ import annotations

from dataclasses import replace

from collections import Counter

from cfdmark.records.records import Record
from cfdmark.records.select import BACKENDS, rank, report_order
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import quantity_with_unit, with_unit
from cfdmark.text.wording import listed, plural

from ..bounds import WORDS, flops_rate, share_of
from ..limits import ARITHMETIC, CACHE, LAUNCH, MEMORY, joined
from ..model import COUNT, Column, Section, Table, LabelledNumber
from .context import Context
from .roofline_cases import Rooflines
from .roofline_figures import figures

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


def target_text(record: Record) -> str | None:
    wanted = record.number("target", "over_plain")
    return f"{wanted:g}" if wanted else None


def table(lines: Rooflines) -> Table:
    def over_plain(r: Record) -> Quantity | None:
        speedup = lines.over_plain.of(r)
        return speedup.ratio if speedup and speedup.record is not speedup.baseline else None

    columns = [
        *lines.context.row_columns(),
        Column("bound", "bound by", of=lambda r: lines.bound(r).word),
        Column("share", "of it", "fraction", optional=True, of=lambda r: lines.bound(r).share),
        Column("why", "why", of=lambda r: lines.bound(r).sentence),
        Column("over_plain", "over plain", "ratio", "brackets", optional=True, of=over_plain),
        Column("target", "wanted", optional=True, of=target_text),
        Column("saved", "traffic saved", "ratio", optional=True, of=lines.saved),
        Column("useful", "useful traffic", "bytes_per_second", optional=True, of=lines.useful_bandwidth),
    ]
    return Table.of("roofline", "What bounds each case", columns, sorted(lines.records, key=report_order))


def limits_table(lines: Rooflines) -> Table:
    """Returns all measured ceilings, with their spread over several measurements."""
    rows = []
    for (place, precision, of, kernel), values in lines.limits.found.items():
        if of in UNITS:
            value = joined(values)
            shown = LabelledNumber(quantity_with_unit(value, UNITS[of]), value.value)
            rows.append([place.hardware, place.backend, place.threads, precision, of, kernel, shown])
    return Table("limits", "The measured limits", LIMITS, rows)


OUTCOME = {
    "launches": "{} by launches, which take most of their time",
    "cache": "{} by the cache that holds their fields",
    "memory": "{} by memory",
    "arithmetic": "{} by arithmetic",
    "none": "{} by none of these, which leaves latency",
    "unknown": "{} by what was not measured here",
}


def finding(lines: Rooflines) -> str:
    counts = Counter(lines.bound(r).word for r in lines.records)
    summary = [OUTCOME[word].format(counts[word]) for word in WORDS if counts[word]]
    return f"What bounds {plural(len(lines.records), 'case')}: {listed(summary, len(WORDS))}."


def several_sweeps(lines: Rooflines) -> str:
    """Returns why some rows lie above the memory ceiling, with the fastest of them; empty without any."""
    above = [r for r in lines.records if lines.useful_bandwidth(r) and r.regime == "memory"]
    if not above:
        return ""
    best = max(above, key=lines.useful_bandwidth)
    memory = lines.limits.memory(lines.limits.place(best), best.precision)
    useful = lines.useful_bandwidth(best)
    against = f", {share_of(useful / memory.value.value)} the roof" if memory else ""
    return (
        "Methods that make several sweeps in one pass over memory stand above its roof by their useful traffic: what one sweep a"
        f" pass would have to move. {lines.context.row_with_grid(best)} does the work of"
        f" {with_unit(useful, 'bytes_per_second')}{against}, and moves"
        f" {with_unit(best.number('rate', 'bytes_per_second'), 'bytes_per_second')}."
    )


def targets(lines: Rooflines) -> str:
    """Returns how many target speedups over plain were reached; empty if no sweep sets any."""
    wanted = [r for r in lines.records if target_text(r)]
    found = [(r, lines.over_plain.of(r)) for r in wanted]
    reached = [r for r, speedup in found if speedup and speedup.ratio.value >= r.number("target", "over_plain")]
    if not wanted:
        return ""
    have = "has" if len(reached) == 1 else "have"
    return f"{len(reached)} of {plural(len(wanted), 'case')} with a wanted speed over plain {have} it."


def absent(lines: Rooflines) -> str:
    """Returns which ceilings the records lack; empty if they have all."""
    first = {lines.limits.place(r): r for r in reversed(lines.records)}
    without = {"memory": [], "the cache": [], "arithmetic": [], "launches": []}
    for place, r in first.items():
        of = (lines.limits.memory, lines.limits.cache, lines.limits.arithmetic, lines.limits.launch)
        for names, limit in zip(without.values(), of):
            if not limit(place, r.precision):
                names.append(place.backend)
    summary = [
        f"{what} ({listed(sorted(set(names), key=lambda n: rank(n, BACKENDS)))})"
        for what, names in without.items()
        if names
    ]
    if not summary:
        return ""
    return f"Not measured in these records: {', '.join(summary)}. A run without --no-roofs measures them in its first seconds."


def note(lines: Rooflines) -> str:
    no_operations = sum(not flops_rate(r) for r in lines.records)
    summary = (
        "Roofs: memory is copy or triad on fields that leave the caches, cache is triad on fields that take half of the last"
        " one, each with its launch. Arithmetic is chains of multiply-adds in registers: fused with one rounding, an operation of"
        " the device, which is its peak; separate as two, because compilers may not fuse them. A launch is a step of 32×32"
        " cells. A case is bound by that of which it reaches most, if it reaches half."
    )
    if no_operations:
        summary += f" {plural(no_operations, 'case')} without arithmetic, such as copy, are in the table alone."
    return summary


def build(context: Context) -> Section:
    section = Section("roofline", "Roofline", summed_up=True)
    lines = Rooflines(context)
    if not lines.records:
        why = "No case has a count of bytes or operations, so none can be compared with a roof."
        return replace(section, empty=why)
    section.finding = finding(lines)
    section.text = [summary for summary in (several_sweeps(lines), targets(lines), absent(lines)) if summary]
    section.figures = figures(lines)
    section.tables = [made for made in (table(lines), limits_table(lines)) if made.rows]
    section.note = note(lines)
    return section
