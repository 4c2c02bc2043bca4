"""Time of an iteration by routine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from cfdmark.records.records import Record, Routine
from cfdmark.records.select import grouped, rows_on_largest_grid
from cfdmark.text.numbers import with_unit
from cfdmark.text.wording import from_to, grid_text, listed

from ..model import BarPanel, Column, Figure, Part, Section, Table
from .context import Context

MOST_PARTS = 8  # parts of a bar; the others are drawn as one
REST = "others"
NOTE = (
    "From a solve of its own, in which each routine is timed from idle to idle: what a device overlaps, and launches that a"
    " graph saves, are not saved there, so that together they may take longer than the iteration that is timed as a whole."
    " Each row on its largest grid."
)


def together(record: Record) -> float:
    """Returns the seconds of all routines."""
    return sum(routine.seconds for routine in record.routines)


def shares(record: Record) -> dict[str, float]:
    """Returns the share of each routine, the largest first."""
    whole = together(record)
    return {routine.name: routine.seconds / whole for routine in longest_first(record.routines)}


@dataclass
class Timed:
    """A routine of a record, or all routines on one of its multigrid grids."""

    record: Record
    part: Routine

    @property
    def calls(self) -> float | None:
        return self.part.calls / self.record.iterations if self.part.calls is not None else None

    @property
    def seconds(self) -> float:
        return self.part.seconds / self.record.iterations

    @property
    def share(self) -> float:
        """Share of the time of all routines."""
        return self.part.seconds / together(self.record)

    @cached_property
    def by_routine(self) -> dict[str, float]:
        """Seconds an iteration of each routine on this grid."""
        routines = self.record.level_routines.get(self.part.name, [])
        return {routine.name: routine.seconds / self.record.iterations for routine in routines}


def columns(context: Context, part: Column) -> list[Column]:
    solver, *others = context.row_columns(lambda timed: timed.record)
    return [
        replace(solver, key="solver", head="solver"),
        *others,
        replace(part, of=lambda timed: timed.part.name),
        Column("calls", "calls an iteration", "plain", optional=True, of="calls"),
        Column("seconds", "time an iteration", "seconds", of="seconds"),
        Column("share", "share", "fraction", of="share"),
    ]


def longest_first(routines: list[Routine]) -> list[Routine]:
    return sorted(routines, key=lambda routine: -routine.seconds)


def drawn_apart(records: list[Record]) -> dict[str, str]:
    """Returns the routines with their own colour in a figure, by mean share, and their colours."""
    sums: dict[str, float] = {}
    for record in records:
        for name, share in shares(record).items():
            sums[name] = sums.get(name, 0.0) + share
    largest = sorted(sums, key=lambda name: -sums[name])[:MOST_PARTS]
    return {name: f"part:{n}" for n, name in enumerate(largest)}


def parts(context: Context, record: Record, colours: dict[str, str]) -> list[Part]:
    """Returns the parts of a bar, in the same order in all bars."""
    mine, count = shares(record), record.iterations
    seconds = {routine.name: routine.seconds / count for routine in record.routines}

    def part(name: str, share: float, time: float, colour: str) -> Part:
        summary = f"{name} {100 * share:.1f} %, {with_unit(time, 'seconds')} an iteration"
        return Part(name, share, colour, f"{context.row(record)} {grid_text(record)}: {summary}")

    made = [part(name, mine[name], seconds[name], colour) for name, colour in colours.items() if name in mine]
    rest = [name for name in mine if name not in colours]
    if rest:
        whole = sum(mine[name] for name in rest), sum(seconds[name] for name in rest)
        made.append(part(REST, *whole, "part:rest"))
    return made


def panel(context: Context, records: list[Record], colours: dict[str, str]) -> BarPanel:
    """Returns a bar for each row; the title has the grid if all rows share it."""
    grids = {grid_text(r) for r in records}
    alike = f", {grids.pop()}" if len(grids) == 1 else ""
    bars = [
        (
            context.row(r) + ("" if alike else f", {grid_text(r)}"),
            parts(context, r, colours),
            with_unit(together(r) / r.iterations, "seconds"),
        )
        for r in records
    ]
    return BarPanel(f"{context.subject(records[0])}, {records[0].precision}{alike}", "share of an iteration", bars)


def figure(context: Context, key: str, records: list[Record]) -> Figure:
    """Returns a solver's figure: a panel for each precision."""
    colours = drawn_apart(records)
    panels = [panel(context, group, colours) for group in grouped(records, lambda r: r.precision).values()]
    note = "The number next to a bar is the sum of its routines."
    if any(shares(r).keys() - colours.keys() for r in records):
        note += f" Those beyond the {MOST_PARTS} that take most are drawn as one."
    return Figure(key, f"Time by routine: {context.subject(records[0])}", panels, note)


def sentence(context: Context, records: list[Record]) -> str:
    """Returns a sentence on the row with the fastest iteration on the largest grid."""
    best = min(records, key=lambda r: (-r.nodes, r.iteration_time.value))
    most = list(shares(best).items())[:3]
    summary = listed([f"{name} {100 * share:.0f} %" for name, share in most])
    return f"{context.subject(best)} on {context.row(best)} at {grid_text(best)} ({best.precision}): {summary}."


def slowed(rows: list[Record]) -> str:
    """Returns how far the sum of the routines is from the iteration timed as a whole."""
    ratios = sorted(together(r) / r.iterations / r.iteration_time.value for r in rows)
    summary = from_to([f"{ratio:.2f}" for ratio in ratios])
    return f"Timed one by one, the routines of a row take {summary} times its iteration."


def level_table(context: Context, records: list[Record]) -> Table | None:
    """Returns the time on each multigrid grid, and of each routine on it."""
    levels = [Timed(record, level) for record in records for level in record.level_times]
    names = dict.fromkeys(r.name for record in records for on in record.level_routines.values() for r in on)
    found = columns(context, Column("level", "multigrid's grid")) + list(map(routine_column, names))
    title = "Time on each of multigrid's grids, finest first"
    return Table.of("levels", title, found, levels) if levels else None


def routine_column(name: str) -> Column:
    return Column(f"of_{name}", name, "seconds", optional=True, of=lambda timed: timed.by_routine.get(name))


def build(context: Context) -> Section:
    section = Section("routines", "Time by routine")
    timed = [r for r in context.dataset.ok("solver") if together(r) > 0]
    if not timed:
        why = "No solver was timed by routine: `run --routines`, or `routines: true` in the sweep, does."
        return replace(section, empty=why)
    rows = rows_on_largest_grid(context.dataset, timed)
    groups = list(grouped(rows, context.subject).values())
    first, *others = [sentence(context, group) for group in groups]
    section.finding, section.text = first, [" ".join([*others, slowed(rows)])]
    section.figures = [figure(context, f"routines-{n}-", group) for n, group in enumerate(groups, 1)]
    parts = [Timed(record, routine) for record in rows for routine in longest_first(record.routines)]
    by_routine = columns(context, Column("routine", "routine"))
    title = "Time of each routine, those that take most first"
    section.tables = [Table.of("routines", title, by_routine, parts)]
    levels = level_table(context, rows)
    section.tables += [levels] if levels else []
    section.note = NOTE
    return section
