"""Input of every section: the records and the baseline of speedups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from cfdmark.records.meshes import numbering_rank
from cfdmark.records.records import Dataset, Record
from cfdmark.text.wording import grid_text, row_text

from ..baseline import Baselines
from ..current import Current
from ..model import Column


def number(section: str, key: str) -> Callable[[Record], float | None]:
    """Returns a function for a column: a number that the record holds."""
    return lambda record: record.number(section, key)


@dataclass(frozen=True)
class Context:
    dataset: Dataset
    baselines: Baselines
    current: Current | None = None  # current records of the device, if its other files are known

    def in_one_numbering(self) -> Context:
        """Returns the context with the records on grids, and those on meshes in the numbering in which most kernels
        ran; in that of the mesh if several have as many."""
        measured = {(r.numbering, r.name, r.mesh, r.backend, r.precision) for r in self.dataset.ok() if r.mesh}
        counts = Counter(numbering for numbering, *_ in measured)
        if len({r.numbering for r in self.dataset.records if r.mesh}) < 2 or not counts:
            return self
        main = min(counts, key=lambda numbering: (-counts[numbering], numbering_rank(numbering)))
        kept = [r for r in self.dataset.records if r.numbering in ("", main)]
        return replace(self, dataset=replace(self.dataset, records=kept))

    def on_one_rank(self) -> Context:
        """Returns the context with the records of one rank; unchanged if all records are of several."""
        kept = [r for r in self.dataset.records if r.ranks == 1]
        if not kept or len(kept) == len(self.dataset.records):
            return self
        return replace(self, dataset=replace(self.dataset, records=kept))

    @cached_property
    def several_problems(self) -> bool:
        return len({r.problem for r in self.dataset.records if r.kind == "solver"} - {""}) > 1

    @cached_property
    def shared_names(self) -> set[str]:
        """Names shared by a kernel and a solver, such as jacobi."""
        kinds = ({r.name for r in self.dataset.records if r.kind == kind} for kind in ("kernel", "solver"))
        return set.intersection(*kinds)

    def problem_suffix(self, record: Record) -> str:
        """Returns the problem if there are several, a kernel's problem settings, and the dimensions if not 2.
        """
        is_named = record.kind == "kernel" or self.several_problems
        problem = f", {record.problem}" if record.problem and is_named else ""
        return problem + ("" if record.dims == 2 else f" {record.dims}-D")

    def subject(self, record: Record) -> str:
        """Returns the shortest name that distinguishes what is computed."""
        kind = f" {record.kind}" if record.name in self.shared_names else ""
        return record.name + kind + self.problem_suffix(record)

    def row(self, record: Record) -> str:
        return row_text(record, self.dataset.where(record))

    def row_with_precision(self, record: Record) -> str:
        """Returns: jacobi on cuda/plain (fp64)."""
        return f"{self.subject(record)} on {self.row(record)} ({record.precision})"

    def row_with_grid(self, record: Record) -> str:
        """Returns: jacobi on cuda/plain (fp64, 4096×4096)."""
        return f"{self.subject(record)} on {self.row(record)} ({record.precision}, {grid_text(record)})"

    def case(self, record: Record) -> str:
        """Returns: jacobi, cuda/plain fp64 4096×4096."""
        return f"{self.subject(record)}, {self.row(record)} {record.precision} {grid_text(record)}"

    def row_columns(self, record_of: Callable = lambda record: record) -> list[Column]:
        """Returns the columns that name a row and its grid, for items with a record."""
        return [
            Column("what", "kernel or solver", of=lambda item: self.subject(record_of(item))),
            Column("precision", "precision", of=lambda item: record_of(item).precision),
            Column("grid", "grid", of=lambda item: grid_text(record_of(item))),
            Column("row", "row", of=lambda item: self.row(record_of(item))),
        ]

    def colour(self, record: Record) -> str:
        return f"backend:{record.backend}"
