"""Cases without a time, and why.

Cases that could have run on this machine are listed; the others are counted in a sentence.
"""

from __future__ import annotations

from dataclasses import replace

from cfdmark.records.json_form import definitions
from cfdmark.records.records import Record
from cfdmark.records.select import grouped, report_order, wheres
from cfdmark.text.wording import listed, plural

from ..model import COUNT, Column, Section, Table
from .context import Context

STATUSES = definitions("record.schema.json")["record"]["properties"]["status"]["enum"]
WORDS = {
    "failed": "wrong answer",
    "error": "error",
    "crashed": "crashed",
    "timeout": "timed out",
    "not_run": "not run",
}
CASE_COLUMNS = [
    Column("case", "case", keep_end=True, of="label"),
    Column("status", "status", of=lambda r: WORDS[r.status]),
    Column("reason", "reason", of="reason"),
]


def could_have_run(record: Record) -> bool:
    """True unless the machine lacks something or the method excludes the case: more memory or a sound device
    would do."""
    passing = ("too large", "device was lost")
    return record.status != "not_run" or any(words in record.reason for words in passing)


def finding(bad: list[Record], total: int) -> str:
    counts = {status: sum(r.status == status for r in bad) for status in STATUSES}
    summary = listed([f"{count} {WORDS[status]}" for status, count in counts.items() if count])
    return f"{len(bad)} of {plural(total, 'case')} that could have run here {'has' if len(bad) == 1 else 'have'} no time: {summary}."


def impossible_text(context: Context, records: list[Record]) -> str:
    """Returns: 15 cases cannot run here: 8 on cuda (no NVIDIA driver on this machine) and 7 ..."""
    groups = sorted(grouped(records, lambda r: r.reason).values(), key=len, reverse=True)
    summary = [f"{len(g)} on {listed(wheres(context.dataset, g))} ({g[0].reason})" for g in groups]
    return f"{plural(len(records), 'case')} cannot run here: {listed(summary, limit=3)}."


def by_reason(context: Context, bad: list[Record]) -> Table:
    columns = [
        Column("status", "status", of=lambda group: WORDS[group[0].status]),
        Column("cases", "cases", COUNT, of=len),
        Column("backends", "backends", of=lambda group: ", ".join(wheres(context.dataset, group))),
        Column("reason", "reason", of=lambda group: group[0].reason),
        Column("example", "for example", optional=True, of=lambda group: group[0].label),
    ]
    groups = grouped(bad, lambda r: (r.status, r.reason)).values()
    by_status = sorted(groups, key=lambda group: (STATUSES.index(group[0].status), -len(group)))
    return Table.of("not-run", "By reason", columns, by_status)


def build(context: Context) -> Section:
    section = Section("not-run", "What did not run, and why")
    records = context.dataset.records
    without = sorted((r for r in records if not r.ok), key=lambda r: (STATUSES.index(r.status), report_order(r)))
    bad = [r for r in without if could_have_run(r)]
    impossible = [r for r in without if not could_have_run(r)]
    if not without:
        return replace(section, empty=f"All {plural(len(records), 'case')} ran and passed verification.")
    section.finding = "All that can run here ran and passed verification."
    if bad:
        section.finding = finding(bad, len(records) - len(impossible))
        section.tables = [by_reason(context, bad)]
    section.text = [impossible_text(context, impossible)] if impossible else []
    section.tables.append(Table.of("not-run-cases", "Each case", CASE_COLUMNS, without, collapsed=True))
    return section
