"""What an experiment's module fills: lines that put a measurement beside a published value, figures, reasons."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Callable

from cfdmark_report.model import Figure, Table
from cfdmark_report.numbers import three_digits
from cfdmark_report.quantity import Quantity
from cfdmark_report.records import Record
from cfdmark_report.wording import config_text, grid_text

from .documents import Document
from .measured import Absent, Measured
from .verdict import NOT_MEASURED, Verdict, not_comparable, overall

NO_TRANSFERS = (
    "Times here are those of the work alone: the data stay in the memory of the device, and transfers "
    "between host and device are not in them."
)
Test = Callable[[Quantity], Verdict]


@dataclass(frozen=True)
class Line:
    """One finding. `published`, `here` and `fair` are in `unit`; None where there is no number."""

    what: str
    unit: str
    published: Quantity | None
    here: Quantity | None
    fair: Quantity | None
    verdict: Verdict
    rows: str = ""  # which rows were compared, on which grid
    fair_rows: str = ""

    @property
    def ratio(self) -> Quantity | None:
        """Measured here over published; over the middle of a published range."""
        if self.here is None or self.published is None:
            return None
        return self.here.scaled(1 / self.published.value)


@dataclass(frozen=True)
class Value:
    """A measured number, and the rows it came from."""

    quantity: Quantity
    rows: str = ""


def row(record: Record) -> str:
    """cuda/plain 4096×4096"""
    return f"{record.backend}/{record.method} {grid_text(record)}"


def row_with_config(record: Record) -> str:
    return f"{row(record)} ({config_text(record)})" if record.config else row(record)


@dataclass
class Comparison:
    document: Document
    measured: Measured
    lines: list[Line] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    why: list[str] = field(default_factory=list)  # what the numbers mean, in sentences
    protocol: list[str] = field(default_factory=list)  # what is run here, and what was left out
    transfers: str = NO_TRANSFERS  # what of them is in the times here

    def line(
        self,
        what: str,
        here: Callable[[], Value],
        test: Test,
        published: Quantity | None = None,
        unit: str = "times",
        fair: Callable[[], Value] | None = None,
    ) -> None:
        """Adds a line. `here` and `fair` may raise Absent, which is then the reason of the verdict."""
        fair_value = self.try_value(fair) if fair else None
        try:
            value = here()
            verdict = test(value.quantity)
        except Absent as reason:
            value, verdict = None, not_comparable(str(reason))
        self.lines.append(
            Line(
                what,
                unit,
                published,
                value.quantity if value else None,
                fair_value.quantity if fair_value else None,
                verdict,
                value.rows if value else "",
                fair_value.rows if fair_value else "",
            )
        )

    @staticmethod
    def try_value(make: Callable[[], Value]) -> Value | None:
        try:
            return make()
        except Absent:
            return None

    def explain(self, make: Callable[[], str]) -> None:
        """Adds a sentence if the records for it are there."""
        try:
            self.why.append(make())
        except Absent:
            pass

    def faster(self, fast: dict, slow: dict) -> Callable[[], Value]:
        """How many times faster one row is than the other, for `line`."""

        def value() -> Value:
            ratio, a, b = self.measured.ratio(fast, slow)
            return Value(ratio, f"{row(a)} against {row(b)}")

        return value

    def verdict(self) -> Verdict:
        if not self.measured.dataset.records:
            return Verdict(NOT_MEASURED, "there are no records of it")
        return overall([line.verdict for line in self.lines])


def told(quantity: Quantity, unit: str = "times") -> str:
    return f"{three_digits(quantity)} {unit}"
