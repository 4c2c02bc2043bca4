"""Carries out an experiment's plan on its records: findings compared with published values, sentences,
tables, figures."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Callable

from cfdmark.report.model import Column, Figure, Table
from cfdmark.stats.quantity import Quantity
from cfdmark.text.wording import grid_text, launch_bound

from . import figures
from .documents import Document
from .measure_parts import places, row
from .measured import Absent, Measured
from .measures import SIDES, TIMED, Measure
from .plan import Condition, Finding, Plan, Sentence, Tabulation
from .rows import Row, Rows, Value
from .verdict import COMPARABLE, NOT_MEASURED, TESTS, Verdict, not_comparable, overall, rising


@dataclass(frozen=True)
class Line:
    """One finding. `published`, `here` and `fair` are in `unit`; None without a number."""

    what: str
    unit: str
    published: Quantity | None
    here: Quantity | None
    fair: Quantity | None
    verdict: Verdict
    rows: str = ""  # the compared rows and their grids
    fair_rows: str = ""

    @property
    def ratio(self) -> Quantity | None:
        """Measured here over published; over the middle of a published range."""
        if self.here is None or self.published is None:
            return None
        return self.here.scaled(1 / self.published.value)


def or_none(make: Callable):
    try:
        return make()
    except Absent:
        return None


def measured_verdict(finding: Finding, rows: Rows, value: Value | None) -> Verdict:
    """Returns the verdict of a finding. Raises Absent."""
    if finding.obstacle:
        return not_comparable(finding.obstacle)
    if finding.order:
        return rising([(label, m.value(rows).quantity) for label, m in finding.order.items()])
    if finding.test == "ratio" and len(value.records) > 1 and all(map(launch_bound, value.records)):
        return not_comparable("both are bound by launches: what is compared is the time to start kernels")
    verdict = TESTS[finding.test](value.quantity, finding.published, finding.factor)
    if verdict.word not in COMPARABLE:
        return verdict
    is_timed = finding.here and finding.here.word in TIMED and value.records
    by = f"by {value.quantity.count}" if is_timed and value.quantity.count else ""
    said = [verdict.reason, by, places(value.records)]
    return replace(verdict, reason="; ".join(text for text in said if text), by=by)


@dataclass
class Comparison:
    document: Document
    measured: Measured
    lines: list[Line] = field(default_factory=list)
    figures: list[Figure] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    why: list[str] = field(default_factory=list)  # sentences that explain the numbers

    @property
    def plan(self) -> Plan:
        return self.document.plan

    @property
    def rows(self) -> Rows:
        return Rows(self.measured, self.plan.rows, self.plan.operations, self.plan.reduction)

    def carry_out(self) -> None:
        for finding in self.plan.findings:
            for side in finding.each:
                self.add_finding(finding, side)
        for sentence in self.plan.why:
            for side in sentence.each:
                said = or_none(lambda: self.said(sentence, side))
                self.why += [said] if said else []
        for table in self.plan.tables:
            made = or_none(lambda: self.table(table))
            self.tables += [made] if made and made.rows else []
        for drawing in self.plan.figures:
            drawn, of_one_size = figures.drawn(drawing, self.rows)
            self.figures += drawn
            self.tables += of_one_size

    def add_finding(self, finding: Finding, side: str) -> None:
        rows, what = self.rows.on(side), finding.what.replace("{side}", SIDES.get(side, ""))
        for named, there in self.sizes(finding, rows):
            self.add_line(replace(finding, what=what + named), there)

    def sizes(self, finding: Finding, rows: Rows) -> list[tuple[str, Rows]]:
        """Returns the grids of a ratio: the document's, if it states one, and the largest measured one."""
        own, here = self.plan.grid, finding.here
        if not own or not here or here.kind != "ratio" or any("grid" in rows.wanted(r) for r in here.rows):
            return [("", rows)]
        largest = or_none(lambda: finding.here.value(rows).records[0])
        there = f", {'×'.join(map(str, own))} as in the document"
        if largest is None or largest.grid == own:
            return [(there, rows.at(own))]
        return [(there, rows.at(own)), (f", {grid_text(largest)}", rows.at(largest.grid))]

    def add_line(self, finding: Finding, rows: Rows) -> None:
        """Adds the line of a finding. The message of an Absent is the reason of its verdict."""
        value = None
        try:
            value = self.main_value(finding, rows)
            verdict = measured_verdict(finding, rows, value)
        except Absent as reason:
            value, verdict = None, not_comparable(str(reason))
        fair = or_none(lambda: finding.fair.value(rows)) if finding.fair else None
        here, rows_here = (value.quantity, value.rows) if value else (None, "")
        fair_now, rows_fair = (fair.quantity, fair.rows) if fair else (None, "")
        numbers = finding.published, here, fair_now
        self.lines.append(Line(finding.what, finding.unit, *numbers, verdict, rows_here, rows_fair))

    @staticmethod
    def main_value(finding: Finding, rows: Rows) -> Value | None:
        """Raises Absent."""
        main = finding.here or next(iter(finding.order.values()), None)
        return main.value(rows) if main else None

    def said(self, sentence: Sentence, side: str) -> str:
        """Returns the sentence; empty if its condition does not hold. Raises Absent."""
        rows = self.rows.on(side)
        if sentence.condition and not self.holds(sentence.condition, rows):
            return ""
        text = sentence.say.replace("{side}", SIDES.get(side, ""))
        for placeholder, measure in sentence.measures.items():
            text = text.replace(f"{{{placeholder}}}", measure.text(rows))
        return text

    @staticmethod
    def holds(condition: Condition, rows: Rows) -> bool:
        value = condition.measure.value(rows).quantity.value
        return value > condition.bound if condition.above else value < condition.bound

    def table(self, table: Tabulation) -> Table:
        """Raises Absent."""
        columns = [
            Column(f"column_{n}", head, m.kind, "three_digits" if m.kind in ("seconds", "ratio") else "")
            for n, (head, m) in enumerate((column.head, column.of) for column in table.columns)
        ]
        if table.records:
            return Table(table.name, table.title, [Column("row", "row"), *columns], self.record_rows(table))
        ahead = [Column("backend", "backend"), Column("grid", "grid")]
        return Table(table.name, table.title, [*ahead, *columns], self.grid_rows(table))

    def grid_rows(self, table: Tabulation) -> list[list]:
        made = []
        for side in table.each:
            rows = self.rows.on(side)
            for record in or_none(lambda: rows.by_grid(table.grids)) or []:
                cells = [self.cell(column.of, rows.at(record.grid)) for column in table.columns]
                made.append([record.backend, grid_text(record), *cells])
        return made

    def record_rows(self, table: Tabulation) -> list[list]:
        """Returns every record of the rows on the largest grid of its backend."""
        made = []
        for side in table.each:
            for name in table.records:
                rows = self.rows.on(side)
                top = or_none(lambda: rows.largest(name).grid)
                for record in rows.at(top).all(name) if top else []:
                    just = replace(rows, measured=Measured.of(record), named={"this": Row({})})
                    cells = [self.cell(column.of, just) for column in table.columns]
                    made.append([self.named(record), *cells])
        return made

    def named(self, record) -> str:
        several = len({r.precision for r in self.measured.dataset.records}) > 1
        return f"{row(record)}{f', {record.precision}' if several else ''}"

    @staticmethod
    def cell(measure: Measure, rows: Rows):
        """Returns a quantity, a plain number without an interval, or None without a record."""
        value = or_none(lambda: measure.value(rows))
        if value is None:
            return None
        return value.quantity if value.quantity.has_interval else value.quantity.value

    def verdict(self) -> Verdict:
        if not self.measured.dataset.records and not any(line.here for line in self.lines):
            return Verdict(NOT_MEASURED, "there are no records of it")
        return overall([line.verdict for line in self.lines])
