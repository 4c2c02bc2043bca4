"""Fastest method of each kernel and solver on small, middle and large grids."""

from __future__ import annotations

from dataclasses import dataclass

from cfdmark.records.records import Record
from cfdmark.records.select import contest_of, fastest, grouped, main_precision, name_rank
from cfdmark.report.current import workload_key
from cfdmark.report.model import Column, Table
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import times_faster
from cfdmark.text.numbers import quantity_with_unit
from cfdmark.text.wording import domain_text, row_text

from .found import Device

LARGE = 4  # a grid with at least a quarter of the cells of the largest counts as large
CLOSE = 1.05  # methods closer than this are about as fast

@dataclass(frozen=True)
class Contest:
    """The methods of one kernel or solver by size, from the smallest grid to a large one; each size fastest first.
    """

    sizes: list[list[Record]]

    @property
    def largest(self) -> list[Record]:
        return self.sizes[-1]

    @property
    def first(self) -> Record:
        return self.largest[0]

    @property
    def lead(self) -> Quantity:
        """How many times the fastest's time the next best takes on the large grid."""
        return times_faster(self.largest[0], self.largest[1])


def best_of_rows(records: list[Record]) -> list[Record]:
    """Returns the fastest record of each method, fastest first."""
    rows = grouped(records, lambda r: (r.backend, r.method)).values()
    return sorted(map(fastest, rows), key=lambda r: r.iteration_time.value)


def contests(records: list[Record]) -> list[Contest]:
    """Returns a contest for each kernel and solver with rivals, in the main precision, on the workload with most
    sizes."""
    found = []
    for group in grouped(records, contest_of).values():
        alike = [r for r in group if r.precision == main_precision(group)]
        by_size = [best for g in grouped(alike, workload_key).values() if len(best := best_of_rows(g)) > 1]
        workloads = grouped(by_size, lambda best: (best[0].problem, best[0].number("solver", "tolerance"))).values()
        if workloads:
            sizes = max(workloads, key=lambda sizes: (len(sizes), max(best[0].nodes for best in sizes)))
            found.append(Contest(up_to_a_large_one(sorted(sizes, key=lambda best: best[0].nodes))))
    return sorted(found, key=lambda contest: name_rank(contest.first))


def up_to_a_large_one(sizes: list[list[Record]]) -> list[list[Record]]:
    """Returns the sizes up to that of the large ones on which most methods ran, of several the largest."""
    large = [n for n, best in enumerate(sizes) if best[0].nodes * LARGE >= sizes[-1][0].nodes]
    return sizes[: 1 + max(large, key=lambda n: (len(sizes[n]), n))]


def size_text(best: list[Record]) -> str:
    """Returns: 256×256: cuda/persistent 3.35 ± 0.06 µs."""
    time = quantity_with_unit(best[0].iteration_time, "seconds")
    return f"{domain_text(best[0])}: {row_text(best[0])} {time}"


def smallest_text(contest: Contest) -> str:
    return size_text(contest.sizes[0]) if len(contest.sizes) > 1 else ""


def middle_text(contest: Contest) -> str:
    return size_text(contest.sizes[len(contest.sizes) // 2]) if len(contest.sizes) > 2 else ""


def what(device: Device, contest: Contest) -> str:
    first = contest.first
    kind = " solver" if first.kind == "solver" and first.name in device.context.shared_names else ""
    problem = f", {first.problem}" if first.problem else ""
    return f"{first.name}{kind}{problem}{'' if first.dims == 2 else ' 3-D'}"


def ties_text(device: Device, ties: list[Contest]) -> str:
    """Returns a sentence that names the contests on one size without a clear winner."""
    names = ", ".join(what(device, contest) for contest in ties)
    return f"On one size only, with methods within {100 * (CLOSE - 1):.0f} % of each other, and not in the table: {names}." if ties else ""


def split(found: list[Contest]) -> tuple[list[Contest], list[Contest]]:
    """Returns the contests for the table, and those whose one line would say that methods are about as fast."""
    ties = [c for c in found if len(c.sizes) == 1 and c.lead.value < CLOSE]
    return [c for c in found if c not in ties], ties


def table(device: Device, found: list[Contest]) -> Table:
    """Returns a table with a row for each contest."""
    columns = [
        Column("what", "kernel or solver", of=lambda contest: what(device, contest)),
        Column("precision", "precision", of=lambda contest: contest.first.precision),
        Column("small", "smallest grid", of=smallest_text),
        Column("middle", "middle", of=middle_text),
        Column("large", "large grid", of=lambda contest: size_text(contest.largest)),
        Column("next", "next best there", of=lambda contest: row_text(contest.largest[1])),
        Column("lead", "its time, times", "ratio", of="lead"),
        Column("date", "date", of=lambda contest: contest.first.written[:10]),
    ]
    title = "Fastest method by size: time of an iteration or a step, by the newest clean record of each case"
    return Table.of("fastest", title, columns, found)
