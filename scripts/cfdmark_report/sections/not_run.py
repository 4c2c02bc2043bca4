"""What did not end well, and why. None of these has a time anywhere in the report."""

from __future__ import annotations

from ..model import COUNT, Column, Section, Table
from ..record_check import STATUSES
from ..records import Record
from ..select import grouped, report_order, wheres
from ..wording import listed, plural
from .context import Context

WORDS = {
    "failed": "wrong answer",
    "error": "error",
    "crashed": "crashed",
    "timeout": "timed out",
    "not_run": "not run",
}
COLUMNS = [
    Column("status", "status"),
    Column("cases", "cases", COUNT),
    Column("backends", "backends"),
    Column("reason", "reason"),
    Column("example", "for example", optional=True),
]
CASE_COLUMNS = [Column("case", "case"), Column("status", "status"), Column("reason", "reason")]


def table_row(context: Context, group: list[Record]) -> list:
    first = group[0]
    return [
        WORDS[first.status],
        len(group),
        ", ".join(wheres(context.dataset, group)),
        first.reason,
        first.label,
    ]


def finding(bad: list[Record], total: int) -> str:
    counts = {status: sum(r.status == status for r in bad) for status in STATUSES}
    told = listed([f"{count} {WORDS[status]}" for status, count in counts.items() if count])
    return f"{len(bad)} of {plural(total, 'case')} have no time: {told}."


def build(context: Context) -> Section:
    section = Section("not-run", "What did not run, and why")
    records = context.dataset.records
    bad = sorted((r for r in records if not r.ok), key=lambda r: (STATUSES.index(r.status), report_order(r)))
    if not bad:
        section.empty = f"All {plural(len(records), 'case')} ran and passed verification."
        return section
    groups = sorted(
        grouped(bad, lambda r: (r.status, r.reason)).values(),
        key=lambda g: (STATUSES.index(g[0].status), -len(g)),
    )
    section.finding = finding(bad, len(records))
    section.tables = [
        Table("not-run", "By reason", COLUMNS, [table_row(context, g) for g in groups]),
        Table(
            "not-run-cases",
            "Each case",
            CASE_COLUMNS,
            [[r.label, WORDS[r.status], r.reason] for r in bad],
            collapsed=True,
        ),
    ]
    return section
