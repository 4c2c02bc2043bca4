"""Operations a second, which Menon's figures of vector operations show."""

from __future__ import annotations

from typing import Callable

from cfdmark_report.quantity import Quantity

from ..comparison import Comparison, Value, row
from ..measured import rate


def published_rate(comparison: Comparison, processor: str) -> Quantity:
    return comparison.document.entry("rate", "Gflop/s", processor=processor)


def gflops(comparison: Comparison, wanted: dict, operations: float) -> Callable[[], Value]:
    """The rate on the largest grid, of so many operations a node."""

    def value() -> Value:
        record = comparison.measured.largest(**wanted)
        return Value(rate(record, operations), row(record))

    return value
