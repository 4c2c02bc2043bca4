"""What every section gets: the records and the baseline that speedups refer to."""

from __future__ import annotations

from dataclasses import dataclass

from ..baseline import Baselines
from ..records import Dataset, Record
from ..wording import row_text


@dataclass(frozen=True)
class Context:
    dataset: Dataset
    baselines: Baselines

    def row(self, record: Record) -> str:
        return row_text(record, self.dataset.where(record))

    def colour(self, record: Record) -> str:
        return f"backend:{record.backend}"
