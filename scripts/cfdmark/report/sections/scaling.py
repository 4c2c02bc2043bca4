"""Cases on several ranks: strong scaling on one grid, weak scaling on a grid that grows with the ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from cfdmark.records.ranks import OneRank, method_of, partition, problem_of, seconds_of_parts, work_imbalance
from cfdmark.records.records import Record
from cfdmark.records.select import grouped, name_rank, precision_rank
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import times_faster
from cfdmark.text.numbers import brackets, rounded, with_unit
from cfdmark.text.wording import grid_text, plural

from .. import lines
from ..model import COUNT, Axis, BarPanel, Column, Figure, LinePanel, Part, Point, Section, Series, Table
from .context import Context

RANKS, TIME = Axis("ranks", "nodes"), Axis("time per iteration", "seconds")
STRONG = "Both axes are logarithmic. Bars: 95 % intervals. The broken line: the time of one rank over the number of ranks."
WEAK = "Each rank has the same grid at every number of ranks. Bars: 95 % intervals. The broken line: the time of one rank."
NOTE = (
    "Efficiency of P ranks: the time of one rank over P times that of P ranks (strong), or over that of P ranks (weak);"
    " of medians, with a 95 % interval. Against itself: the same method and config on one rank. Against the best: the fastest"
    " method of one rank in these records. OpenMP: its fastest method with as many threads. A speedup above the number of ranks"
    " shows another regime: each rank has a part of the fields only. Parts of the time are medians of a rank; exchange and sums"
    " include waiting for other ranks. A step begins with all ranks idle and ends with the last one."
)
PART_TEXTS = {"work": "work", "exchange": "exchange", "sums": "sums"}
REST = "between"  # starting the ranks and waiting for the last one


@dataclass(frozen=True)
class Ranked:
    """A record of several ranks, with those of one rank."""

    record: Record
    itself: Record | None = None
    best: Record | None = None
    openmp: Record | None = None
    part: Record | None = None  # one rank on the grid of a rank

    def against(self, other: Record | None) -> Quantity | None:
        return times_faster(self.record, other) if other else None

    @property
    def speedup(self) -> Quantity | None:
        return self.against(self.itself)

    def efficiency(self, other: Record | None) -> Quantity | None:
        ratio = self.against(other)
        return ratio.scaled(1 / self.record.ranks) if ratio else None

    @property
    def lost(self) -> float | None:
        """Seconds of an iteration beyond the time of one rank, shared by all."""
        if self.itself is None:
            return None
        return self.record.iteration_time.value - self.itself.iteration_time.value / self.record.ranks

    @cached_property
    def shares(self) -> dict[str, float]:
        """Share of each part in the time of a step."""
        whole = self.record.time.value
        return {name: seconds / whole for name, seconds in seconds_of_parts(self.record).items()}


def order(record: Record) -> tuple:
    return (*name_rank(record), precision_rank(record), record.nodes, record.method, partition(record), record.ranks)


def ranked(context: Context) -> list[Ranked]:
    one = OneRank(context.dataset)
    several = sorted((r for r in context.dataset.ok() if r.ranks > 1), key=order)
    return [Ranked(r, one.itself(r), one.best(r), one.openmp(r), one.part(r)) for r in several]


def where_columns(context: Context) -> list[Column]:
    what, precision, grid, row = context.row_columns(lambda each: each.record)
    return [
        what, precision, grid, row,
        Column("partition", "partition", of=lambda each: partition(each.record)),
        Column("ranks", "ranks", COUNT, of=lambda each: each.record.ranks),
        Column("time", "time per iteration", "seconds", "plus_minus", of=lambda each: each.record.iteration_time),
    ]


def share(name: str) -> Callable:
    return lambda each: each.shares.get(name)


def strong_table(context: Context, found: list[Ranked]) -> Table:
    columns = [
        *where_columns(context),
        Column("speedup", "times as fast as one rank", "ratio", "brackets", of="speedup"),
        Column("efficiency", "efficiency against itself", "fraction", "brackets", of=lambda each: each.efficiency(each.itself)),
        Column("efficiency_best", "against the best", "fraction", of=lambda each: each.efficiency(each.best)),
        Column("openmp", "times as fast as OpenMP", "ratio", "brackets", of=lambda each: each.against(each.openmp)),
        Column("lost", "lost", "seconds", of="lost"),
        Column("exchange", "exchange", "fraction", optional=True, of=share("exchange")),
        Column("sums", "sums", "fraction", optional=True, of=share("sums")),
        Column("imbalance", "imbalance of work", "fraction", optional=True, of=lambda each: work_imbalance(each.record)),
    ]
    return Table.of("scaling-strong", "Strong scaling: one grid on more ranks", columns, found)


def weak_table(context: Context, found: list[Ranked]) -> Table:
    columns = [
        *where_columns(context),
        Column("grid_of_one", "grid of a rank", of=lambda each: grid_text(each.part)),
        Column("efficiency", "efficiency", "fraction", "brackets", of=lambda each: each.against(each.part)),
        Column("openmp", "times as fast as OpenMP", "ratio", "brackets", of=lambda each: each.against(each.openmp)),
        Column("exchange", "exchange", "fraction", optional=True, of=share("exchange")),
        Column("sums", "sums", "fraction", optional=True, of=share("sums")),
    ]
    return Table.of("scaling-weak", "Weak scaling: a grid that grows with the ranks", columns, found)


def point(context: Context, ranks: int, record: Record) -> Point:
    note = f"{plural(ranks, 'rank')}: {context.case(record)}: {with_unit(record.iteration_time.value, 'seconds')}"
    return Point(ranks, record.iteration_time, note)


def ideal(one: Record, most: int, strong: bool) -> Series:
    time = one.iteration_time.value
    ends = [Point(1, Quantity(time)), Point(most, Quantity(time / most if strong else time))]
    return Series("ideal", "part:rest", ends, "dashed", markers=False)


def openmp_line(context: Context, group: list[Ranked]) -> list[Series]:
    by_ranks = {each.record.ranks: each.openmp for each in group if each.openmp}
    points = [point(context, ranks, record) for ranks, record in sorted(by_ranks.items())]
    return [Series("openmp", "backend:openmp", points)] if points else []


def panel(context: Context, title: str, group: list[Ranked], one_of: Callable[[Ranked], Record], strong: bool) -> LinePanel:
    """Returns a line for each method and partition, each from its one rank; OpenMP; and the ideal line of the
    fastest of one rank."""
    series = []
    for n, alike in enumerate(grouped(group, lambda each: (method_of(each.record), partition(each.record))).values()):
        first = alike[0]
        points = [point(context, 1, one_of(first)), *(point(context, e.record.ranks, e.record) for e in alike)]
        series.append(Series(f"{first.record.method}, {partition(first.record)}", f"part:{n % 8}", points))
    ones = [each.best if strong and each.best else one_of(each) for each in group]
    best = min(ones, key=lambda r: r.iteration_time.value)
    most = max(each.record.ranks for each in group)
    return LinePanel(title, RANKS, TIME, [*series, *openmp_line(context, group), ideal(best, most, strong)])


def kind_of(each: Ranked) -> tuple:
    r = each.record
    return (r.kind, r.name, problem_of(r), r.dims, r.precision)


def strong_figure(context: Context, found: list[Ranked]) -> list[Figure]:
    groups = grouped([e for e in found if e.itself], lambda e: (*kind_of(e), context.dataset.where(e.record), e.record.grid)).values()
    panels = [
        panel(context, f"{context.subject(g[0].record)}, {grid_text(g[0].record)}, {g[0].record.precision}", g, lambda e: e.itself, True)
        for g in groups
    ]
    return lines.figure("scaling-strong", "Strong scaling: time against ranks", panels, STRONG)


def weak_figure(context: Context, found: list[Ranked]) -> list[Figure]:
    groups = grouped(found, lambda e: (*kind_of(e), context.dataset.where(e.record), e.part.grid)).values()
    panels = [
        panel(context, f"{context.subject(g[0].record)}, {grid_text(g[0].part)} a rank, {g[0].record.precision}", g, lambda e: e.part, False)
        for g in groups
    ]
    return lines.figure("scaling-weak", "Weak scaling: time against ranks", panels, WEAK)


def bar(context: Context, each: Ranked) -> tuple:
    record = each.record
    shares = each.shares | {REST: max(0.0, 1 - sum(each.shares.values()))}
    whole = sum(shares.values())
    colours = {name: f"part:{n}" for n, name in enumerate(PART_TEXTS)} | {REST: "part:rest"}
    parts = [
        Part(name, value / whole, colours[name], f"{context.case(record)}, {plural(record.ranks, 'rank')}: {name} {100 * value:.1f} %")
        for name, value in shares.items()
    ]
    label = f"{record.method}, {partition(record)}, {plural(record.ranks, 'rank')}"
    return (label, parts, with_unit(record.iteration_time.value, "seconds"))


def parts_figure(context: Context, found: list[Ranked]) -> list[Figure]:
    known = [each for each in found if each.shares]
    groups = grouped(known, lambda e: (*kind_of(e), e.record.grid)).values()
    panels = [
        BarPanel(f"{context.subject(g[0].record)}, {g[0].record.precision}, {grid_text(g[0].record)}",
                 "share of an iteration", [bar(context, each) for each in g])
        for g in groups
    ]
    note = "Mean of the ranks. Exchange and sums include waiting; the rest starts the ranks and waits for the last one."
    return [Figure("scaling-parts", "Where the time of several ranks goes", panels, note, collapsed=True)] if panels else []


def efficiency_text(each: Ranked, efficiency: Quantity) -> str:
    percent = efficiency.scaled(100)
    shown = brackets(percent) if percent.has_interval else rounded(percent)
    return f"{shown} % on {plural(each.record.ranks, 'rank')}"


def finding(context: Context, strong: list[Ranked], weak: list[Ranked]) -> str:
    """Returns the efficiency on the most ranks of the largest grid."""
    sentences = []
    if strong:
        largest = max(strong, key=lambda e: (e.record.ranks, e.record.nodes, e.speedup.value))
        sentences.append(f"Strong scaling of {context.row_with_grid(largest.record)}: {efficiency_text(largest, largest.efficiency(largest.itself))}.")
    if weak:
        largest = max(weak, key=lambda e: (e.record.ranks, e.record.nodes, e.against(e.part).value))
        sentences.append(
            f"Weak scaling with {grid_text(largest.part)} a rank, {context.subject(largest.record)}:"
            f" {efficiency_text(largest, largest.against(largest.part))}."
        )
    behind = [e for e in strong if e.openmp and (ratio := e.against(e.openmp)).has_interval and ratio.high < 1]
    compared = sum(e.openmp is not None for e in strong)
    if compared:
        sentences.append(f"{plural(len(behind), 'row')} of {compared} take longer than OpenMP with as many threads.")
    return " ".join(sentences)


def build(context: Context) -> Section:
    section = Section("scaling", "Several ranks")
    found = ranked(context)
    if not found:
        return replace(section, empty="No case ran on several ranks. Sweeps have the axis `ranks` for them.")
    strong, weak = [e for e in found if e.itself], [e for e in found if e.part]
    section.finding = finding(context, strong, weak) or "No case of several ranks has one of one rank to compare with."
    section.figures = [*strong_figure(context, found), *weak_figure(context, weak), *parts_figure(context, found)]
    alone = [e for e in found if not e.part or e.itself]
    section.tables = [strong_table(context, alone)] if alone else []
    section.tables += [weak_table(context, weak)] if weak else []
    section.note = NOTE
    return section
