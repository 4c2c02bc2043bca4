"""The fastest row of each kernel and solver, and how certain that is."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cfdmark.records.records import Record
from cfdmark.records.select import best_configs, contest_of, fullest_grid, grouped, main_precision, name_rank, report_order
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import SMALLEST_EFFECT, speedup_text, times_faster, verdict
from cfdmark.text.numbers import quantity_with_unit
from cfdmark.text.wording import grid_text, listed, plural

from ..model import COUNT, VERDICT_WORDS, Card, Column, Section, Table
from . import accuracy
from .context import Context

MOST_NAMED = 12  # cases in a sentence
OUTCOMES = {
    "faster": ("has a clear winner", "have a clear winner"),
    "tied": ("is a tie", "are ties"),
    "unsure": ("rests on fewer than six samples a process", "rest on fewer than six samples a process"),
}


@dataclass(frozen=True)
class Contest:
    winner: Record
    second: Record | None
    factor: Quantity | None
    rows: int
    others: list[Record]  # the best of each other backend

    @property
    def verdict(self) -> str:
        return verdict(self.factor) if self.second else "alone"


def contest(context: Context, records: list[Record]) -> Contest:
    """Returns the fastest row on the grid that most rows share, and its lead over the next."""
    rows = best_configs(context.dataset, fullest_grid(context.dataset, records))
    entrants = sorted(rows, key=lambda r: r.iteration_time.value)
    winner, second = entrants[0], entrants[1] if len(entrants) > 1 else None
    best = {}
    for record in entrants:
        best.setdefault(context.dataset.where(record), record)
    others = [r for where, r in best.items() if where != context.dataset.where(winner)]
    return Contest(winner, second, times_faster(winner, second) if second else None, len(entrants), others)


def contests(context: Context) -> list[Contest]:
    """Returns a contest for each kernel and solver, in the main precision, on the problem with most records.
    """
    found = []
    for group in grouped(context.dataset.ok(), contest_of).values():
        precision = main_precision(group)
        problems = grouped([r for r in group if r.precision == precision], lambda r: r.problem)
        found.append(contest(context, max(problems.values(), key=len)))
    return sorted(found, key=lambda c: name_rank(c.winner))


def table(context: Context, found: list[Contest]) -> Table:
    *winner_columns, row = context.row_columns(lambda contest: contest.winner)
    columns = [
        *winner_columns,
        replace(row, key="fastest", head="fastest"),
        Column("time", "time per iteration", "seconds", "plus_minus", of=lambda c: c.winner.iteration_time),
        Column("next", "next best", of=lambda c: context.row(c.second) if c.second else None),
        Column("factor", "times as fast", "ratio", "brackets", of="factor"),
        Column("verdict", "verdict", of=lambda c: VERDICT_WORDS[c.verdict]),
        Column("rows", "rows compared", COUNT, optional=True, of="rows"),
    ]
    return Table.of("headline", "Fastest row of each kernel and solver", columns, found, folded=True)


def card(context: Context, found: Contest) -> Card:
    winner, second = found.winner, found.second
    unit = "an iteration" if winner.kind == "solver" else "a step"
    times = [f"{context.row(r)} {quantity_with_unit(r.iteration_time, 'seconds')}" for r in found.others]
    return Card(
        f"{context.subject(winner)} · {winner.precision} · {grid_text(winner)}",
        context.row(winner),
        context.colour(winner),
        f"{quantity_with_unit(winner.iteration_time, 'seconds')} {unit}",
        speedup_text(found.factor, context.row(second)) if second else "the only row that ran",
        found.verdict,
        " · ".join(times),
    )


def finding(found: list[Contest]) -> str:
    rivals = [c for c in found if c.second]
    counts = [(sum(c.verdict == v for c in rivals), text) for v, text in OUTCOMES.items()]
    if not rivals:
        return "Every kernel and solver has a single row here, so nothing is compared."
    summary = listed([f"{count} {one if count == 1 else many}" for count, (one, many) in counts if count])
    return (
        f"Of {plural(len(rivals), 'contest')} by one iteration or step, {summary}; a lead is clear when the 95 %"
        f" interval of the ratio of medians lies above {1 + SMALLEST_EFFECT:g}."
    )


def comparison_text(context: Context, record: Record, other: Record) -> str:
    """Returns: jacobi fp64 8192×8192 cuda/plain, 388 µs here, 64 µs by cuda/pipelined in run.jsonl
    (2026-11-26)."""
    here, there = (quantity_with_unit(r.iteration_time, "seconds") for r in (record, other))
    how = f" by {other.backend}/{other.method}" if other.method != record.method or other.backend != record.backend else ""
    return (
        f"{context.subject(record)} {record.precision} {grid_text(record)} {context.row(record)}, {here} here and {there}{how}"
        f" in {other.file.name} ({other.written[:10]})"
    )


def at_most(texts: list[str]) -> str:
    """Returns the first texts, and the number of the others."""
    rest = len(texts) - MOST_NAMED
    return "; ".join(texts[:MOST_NAMED]) + (f"; and {rest} more" if rest > 0 else "")


def overtaken(context: Context, found: list[Contest]) -> list[str]:
    """Returns which cases have a newer and faster record elsewhere, and which winners a faster rival; nothing
    if the device's other files are not known."""
    if context.current is None:
        return []
    pairs = [(r, other) for r in context.dataset.ok() if (other := context.current.overtaken_by(r))]
    newer = [comparison_text(context, *pair) for pair in sorted(pairs, key=lambda pair: report_order(pair[0]))]
    rivals = [(c.winner, other) for c in found if (other := context.current.faster_elsewhere(c.winner))]
    by_others = [comparison_text(context, *pair) for pair in rivals if pair not in pairs]
    made = [f"A newer record is faster in {plural(len(newer), 'case')}: {at_most(newer)}."] if newer else []
    if by_others:
        made.append(f"Faster records exist today: {at_most(by_others)}.")
    return made


def build(context: Context) -> Section:
    section = Section("headline", "Who is fastest")
    found = contests(context)
    if not found:
        return replace(section, empty="No case ended well, so there is no winner: see what did not run.")
    section.finding = finding(found)
    section.text = overtaken(context, found)
    section.cards = accuracy.cards(context) + [card(context, c) for c in found]
    section.tables = [table(context, found)]
    section.note = (
        "Each contest is held on the grid that most rows share, in fp64 where there is any, each row with "
        "its fastest config. A solver's time is that of one iteration, a kernel's that of one step."
    )
    return section
