"""What others have told of the answers of our problems (references.csv), to be set beside what records name."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .records import Record

FILE = Path(__file__).parent / "references.csv"


@dataclass(frozen=True)
class Reference:
    value: float
    error: float  # how far it may be off itself, as a share
    source: str

    def off(self, value: float) -> float:
        """How far a value is from it, as a share of it."""
        return abs(value - self.value) / abs(self.value)


@cache
def references() -> dict[tuple[str, float, str], Reference]:
    """By problem, Reynolds number and name."""
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {
        (row["problem"], float(row["reynolds"]), row["name"]): Reference(
            float(row["value"]), float(row["error"]), row["source"]
        )
        for row in csv.DictReader(lines)
    }


def reference_of(record: Record, name: str) -> Reference | None:
    problem, reynolds = record.text("question", "problem"), record.number("question", "reynolds")
    if problem is None or reynolds is None or len(record.grid) != 2:
        return None
    return references().get((problem, reynolds, name))
