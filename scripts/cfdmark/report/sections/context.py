"""Input of every section: the records and the baseline of speedups."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from cfdmark.records.records import Dataset, Record
from cfdmark.text.wording import grid_text, row_text

from ..baseline import Baselines
from ..current import Current
from ..model import Column

ROW_COLUMNS = [
    Column("what", "kernel or solver"),
    Column("precision", "precision"),
    Column("grid", "grid"),
    Column("row", "row"),
]


@dataclass(frozen=True)
class Context:
    dataset: Dataset
    baselines: Baselines
    current: Current | None = None  # current records of the device, if its other files are known

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
        return problem + ("" if len(record.grid) == 2 else f" {len(record.grid)}-D")

    def subject(self, record: Record) -> str:
        """Returns the shortest name that distinguishes what is computed."""
        kind = f" {record.kind}" if record.name in self.shared_names else ""
        return record.name + kind + self.problem_suffix(record)

    def row(self, record: Record) -> str:
        return row_text(record, self.dataset.where(record))

    def row_cells(self, record: Record) -> list[str]:
        """Returns the cells of ROW_COLUMNS."""
        return [self.subject(record), record.precision, grid_text(record), self.row(record)]

    def colour(self, record: Record) -> str:
        return f"backend:{record.backend}"
