"""Cases on several ranks: strong scaling on one grid, weak scaling on a grid that grows with the ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from cfdmark.records.rank_links import LINK_KERNELS, links_of
from cfdmark.records.ranks import OneRank, method_of, partition, parts_of_time, problem_of
from cfdmark.records.records import Record
from cfdmark.records.select import grouped, name_rank, precision_rank
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import times_faster
from cfdmark.text.numbers import brackets, rounded, with_unit
from cfdmark.text.wording import grid_text, plural

from .. import lines
from ..model import COUNT, Axis, BarPanel, Column, Figure, LinePanel, Part, Point, Section, Series, Table
from . import scaling_model
from .context import Context
from .scaling_model import Model

RANKS, TIME = Axis("ranks", "nodes"), Axis("time per iteration", "seconds")
EFFICIENCY = Axis("efficiency", "fraction", log=False)
STRONG = (
    "Both axes are logarithmic. Bars: 95 % intervals. The broken line: the time of one rank over the number of ranks. Dotted beyond"
    " what was measured: the model, where it misses no measured time by more than 15 %."
)
WEAK = "Each rank has the same grid at every number of ranks. Bars: 95 % intervals. The broken line: the time of one rank."
NOTE = (
    "Efficiency of P ranks: the time of one rank over P times that of P ranks (strong), or over that of P ranks (weak);"
    " of medians, with a 95 % interval. Against itself: the same method and config on one rank. Against the best: the fastest"
    " method of one rank in these records. OpenMP: its fastest method with as many threads. A speedup above the number of ranks"
    " shows another regime: each rank has a part of the fields only. A step begins with all ranks idle and ends with the last one."
)
# Colours of the parts of a step. What is lost to waiting has the colour of a rest.
COLOURS = {"work": "part:0", "redundant": "part:3", "imbalance": "part:4", "exchange": "part:1", "sums": "part:2", "waiting": "part:rest"}


@dataclass(frozen=True)
class Ranked:
    """A record of several ranks, with those of one rank."""

    record: Record
    itself: Record | None = None
    best: Record | None = None
    openmp: Record | None = None
    part: Record | None = None  # one rank on the grid of a rank
    model: Model | None = None

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
        parts = parts_of_time(self.record)
        whole = sum(parts.values())
        return {name: seconds / whole for name, seconds in parts.items()}


def order(record: Record) -> tuple:
    return (*name_rank(record), precision_rank(record), record.nodes, record.method, partition(record), record.ranks)


def ranked(context: Context) -> list[Ranked]:
    one = OneRank(context.dataset)
    several = sorted((r for r in context.dataset.ok() if r.ranks > 1 and r.name not in LINK_KERNELS), key=order)
    models = scaling_model.models_of(context.dataset, several, one.itself)
    return [Ranked(r, one.itself(r), one.best(r), one.openmp(r), one.part(r), models.get(scaling_model.identity(context.dataset, r)))
            for r in several]


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


def parts_columns() -> list[Column]:
    return [Column(name, name, "fraction", optional=True, of=share(name)) for name in COLOURS if name != "work"]


def regime(each: Ranked) -> str | None:
    """Returns where the fields of one rank lie, and those of all parts if that differs: memory → cache."""
    here = each.record.text("cache", "regime")
    of_one = each.itself.text("cache", "regime") if each.itself else None
    return f"{of_one} → {here}" if here and of_one and of_one != here else here


def strong_table(context: Context, found: list[Ranked]) -> Table:
    columns = [
        *where_columns(context),
        Column("speedup", "times as fast as one rank", "ratio", "brackets", of="speedup"),
        Column("efficiency", "efficiency against itself", "fraction", "brackets", of=lambda each: each.efficiency(each.itself)),
        Column("efficiency_best", "against the best", "fraction", of=lambda each: each.efficiency(each.best)),
        Column("openmp", "times as fast as OpenMP", "ratio", "brackets", of=lambda each: each.against(each.openmp)),
        Column("lost", "lost", "seconds", of="lost"),
        *parts_columns(),
        Column("regime", "fields in", optional=True, of=lambda each: regime(each)),
    ]
    return Table.of("scaling-strong", "Strong scaling: one grid on more ranks", columns, found)


def weak_table(context: Context, found: list[Ranked]) -> Table:
    columns = [
        *where_columns(context),
        Column("grid_of_one", "grid of a rank", of=lambda each: grid_text(each.part)),
        Column("efficiency", "efficiency", "fraction", "brackets", of=lambda each: each.against(each.part)),
        Column("openmp", "times as fast as OpenMP", "ratio", "brackets", of=lambda each: each.against(each.openmp)),
        *parts_columns(),
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
        name = f"{first.record.method}, {partition(first.record)}"
        series.append(Series(name, f"part:{n % 8}", points))
        if strong and all(e.model for e in alike):
            series += model_line(name, n, alike)
    ones = [each.best if strong and each.best else one_of(each) for each in group]
    best = min(ones, key=lambda r: r.iteration_time.value)
    most = max(each.record.ranks for each in group)
    return LinePanel(title, RANKS, TIME, [*series, *openmp_line(context, group), ideal(best, most, strong)])


def model_line(name: str, n: int, alike: list[Ranked]) -> list[Series]:
    """Returns the model of a line beyond its measured ranks; nothing if it misses a measured time."""
    steps_to_iterations = alike[0].record.iteration_time.value / alike[0].record.time.value
    points = [Point(ranks, Quantity(time * steps_to_iterations), f"{name}, model: {plural(ranks, 'rank')}")
              for ranks, time in scaling_model.beyond([e.model for e in alike])]
    return [Series(f"{name}, model", f"part:{n % 8}", points, "dotted", markers=False)] if points else []


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


def efficiency_figure(context: Context, found: list[Ranked]) -> list[Figure]:
    groups = grouped([e for e in found if e.itself], lambda e: (*kind_of(e), context.dataset.where(e.record), e.record.grid)).values()
    panels = [efficiency_panel(context, list(group)) for group in groups]
    note = "Against the same method and config on one rank. Bars: 95 % intervals."
    return lines.figure("scaling-efficiency", "Strong scaling: efficiency against ranks", panels, note, collapsed=True)


def efficiency_panel(context: Context, group: list[Ranked]) -> LinePanel:
    first = group[0]
    title = f"{context.subject(first.record)}, {grid_text(first.record)}, {first.record.precision}"
    series = []
    for n, alike in enumerate(grouped(group, lambda each: (method_of(each.record), partition(each.record))).values()):
        points = [Point(1, Quantity(1.0)), *(Point(e.record.ranks, e.efficiency(e.itself)) for e in alike)]
        series.append(Series(f"{alike[0].record.method}, {partition(alike[0].record)}", f"part:{n % 8}", points))
    return LinePanel(title, RANKS, EFFICIENCY, series, reference=1.0)


def weak_figure(context: Context, found: list[Ranked]) -> list[Figure]:
    groups = grouped(found, lambda e: (*kind_of(e), context.dataset.where(e.record), e.part.grid)).values()
    panels = [
        panel(context, f"{context.subject(g[0].record)}, {grid_text(g[0].part)} a rank, {g[0].record.precision}", g, lambda e: e.part, False)
        for g in groups
    ]
    return lines.figure("scaling-weak", "Weak scaling: time against ranks", panels, WEAK)


def bar(context: Context, each: Ranked) -> tuple:
    record = each.record
    parts = [
        Part(name, each.shares[name], colour, f"{context.case(record)}, {plural(record.ranks, 'rank')}: {name} {100 * each.shares[name]:.1f} %")
        for name, colour in COLOURS.items()
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
    note = (
        "Work, exchange and sums: means of the ranks, without waiting. Redundant: work that every rank repeats, such as coarse levels"
        " of multigrid. Imbalance: the busiest rank's work less the mean. Waiting: the rest, for messages and at both ends of a step."
    )
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
    above = [e for e in strong if e.speedup.value > e.record.ranks]
    if above:
        sentences.append(f"{plural(len(above), 'row')} of {len(strong)} are more times as fast than there are ranks: another regime, not scaling.")
    compared = sum(e.openmp is not None for e in strong)
    if compared:
        sentences.append(f"{plural(len(behind), 'row')} of {compared} take longer than OpenMP with as many threads.")
    return " ".join(sentences)


def links_text(context: Context, found: list[Ranked]) -> str:
    """Returns what joins the ranks, and what a message costs by the records of `halo`."""
    known = [links for links in links_of(context.dataset).values() if links.alpha]
    kinds = sorted({str(e.record.section("ranks").get("joined_by", "")) for e in found} - {""})
    joined = f"Ranks are joined by {' and '.join(kinds)}." if kinds else ""
    costs = [
        f"A message between {plural(links.ranks, 'rank')}{'' if links.way == 'memory' else f' by {links.way}'} takes {with_unit(links.alpha.value, 'seconds')}"
        + (f", and long ones run at {with_unit(links.beta.value, 'bytes_per_second')} a rank." if links.beta else ".")
        for links in known
    ]
    return " ".join([joined, *(costs or ["No record of the kernel `halo` says what a message costs."])]).strip()


def build(context: Context) -> Section:
    section = Section("scaling", "Several ranks")
    found = ranked(context)
    if not found:
        return replace(section, empty="No case ran on several ranks. Sweeps have the axis `ranks` for them.")
    strong, weak = [e for e in found if e.itself], [e for e in found if e.part]
    section.finding = finding(context, strong, weak) or "No case of several ranks has one of one rank to compare with."
    section.text = [links_text(context, found)]
    section.figures = [*strong_figure(context, found), *efficiency_figure(context, found), *weak_figure(context, weak),
                       *parts_figure(context, found)]
    alone = [e for e in found if not e.part or e.itself]
    section.tables = [strong_table(context, alone)] if alone else []
    section.tables += [weak_table(context, weak)] if weak else []
    models = [e.model for e in found if e.model]
    section.tables += [scaling_model.table(context, models)] if models else []
    section.note = NOTE
    return section
