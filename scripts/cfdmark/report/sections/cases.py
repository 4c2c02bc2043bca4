"""Every case with its interval, and the quality of its measurement."""

from __future__ import annotations

import math
from collections.abc import Callable

from cfdmark.records.records import Record
from cfdmark.records.select import grouped, report_order
from cfdmark.text.wording import listed, plural

from ..ceiling import short_share_cell
from ..model import COUNT, Column, Section, Table
from .context import Context, number

NARROW = 0.02  # half-width of the interval over the median
UNSTEADY = 0.5  # likewise: then the interval is wider than the time (bench/worker/progress.cpp)


def if_ok(of: Callable) -> Callable:
    """Returns the same function, for records that are ok: a result that failed verification has no rates."""
    return lambda record: of(record) if record.ok else None


COLUMNS = [
    Column("case", "case", of="label"),
    Column("problem", "problem", of=lambda r: r.problem or None),
    Column("status", "status", of=lambda r: status_text(r)),
    Column("time", "time a step", "seconds", "plus_minus", of="time"),
    Column("samples", "samples", COUNT, of=lambda r: len(r.samples) or None),
    Column("stopped_by", "stopped by", of=if_ok(lambda r: r.text("time", "stopped_by"))),
    Column("rate", "rate", "updates_per_second", of=if_ok(number("rate", "lups"))),
    Column("bandwidth", "bandwidth", "bytes_per_second", of=if_ok(number("rate", "bytes_per_second"))),
    Column("fraction", "of roof", "fraction", of=if_ok(short_share_cell)),
    Column("check", "verified against", of=lambda r: r.text("verification", "check")),
]


def width(record: Record) -> float | None:
    return record.time.uncertainty / record.time.value if record.time.has_interval else None


def is_unsteady(record: Record) -> bool:
    return record.ok and (width(record) or 0) > UNSTEADY


def status_text(record: Record) -> str:
    return "unsteady" if is_unsteady(record) else record.status


def finding(done: list[Record]) -> str:
    widths = [(w, r) for r in done if (w := width(r)) is not None]
    if not widths:
        return f"{plural(len(done), 'case')} have a time, none an interval."
    narrow = sum(w <= NARROW for w, _ in widths)
    widest, record = max(widths, key=lambda pair: pair[0])
    stopped = sum(r.text("time", "stopped_by") == "budget" for r in done)
    by_budget = f"; {plural(stopped, 'case')} ended with the budget, not with a narrow interval"
    return (
        f"{narrow} of {plural(len(done), 'median')} are known to {100 * NARROW:.0f} % or better; the widest"
        f" interval is ±{100 * widest:.1f} % ({record.label}){by_budget if stopped else ''}.{unsteady_text(done)}"
    )


def unsteady_text(done: list[Record]) -> str:
    unsteady = [r.label for r in done if is_unsteady(r)]
    if not unsteady:
        return ""
    are = "is" if len(unsteady) == 1 else "are"
    return f" {plural(len(unsteady), 'case')} {are} unsteady, with an interval wider than the time: {listed(unsteady)}. Measure again on an idle machine."


def size_ratio(record: Record) -> float:
    """Returns the ratio of points between this grid and the tuned grid that was used; at least 1."""
    sides = (record.text("tuned", "grid") or "").split("x")
    points = math.prod(int(n) for n in sides) if all(n.isdecimal() for n in sides) else 0
    return max(points / record.nodes, record.nodes / points) if points else 1


def tuned_text(records: list[Record]) -> list[str]:
    """Returns a sentence on how well tuned configs matched; nothing if none was requested."""
    found = grouped((r for r in records if r.text("tuned", "match")), lambda r: r.text("tuned", "match"))
    summary = []
    for match, matched in sorted(found.items()):
        farthest = max(matched, key=size_ratio)
        ratio = size_ratio(farthest)
        size = f", up to {ratio:.3g} times as many points or as few ({farthest.label})" if ratio > 1 else ""
        defaults = " (the defaults)" if match == "outside" else ""
        summary.append(f"{len(matched)} {match}{defaults}{size}")
    return [f"Configs from the tuned tables, by how well these matched: {'; '.join(summary)}."] if summary else []


def build(context: Context) -> Section:
    section = Section("cases", "Every case, and how well it was measured", summed_up=True)
    done = context.dataset.ok()
    records = sorted(context.dataset.records, key=report_order)
    section.finding = finding(done) if done else "No case has a time."
    section.text = tuned_text(records)
    section.tables = [Table.of("cases", "All cases", COLUMNS, records, collapsed=True)]
    return section
