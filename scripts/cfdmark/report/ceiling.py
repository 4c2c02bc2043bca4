"""Memory bandwidth that a record is compared with, and the record's share of it.

A store to a line that is in no cache reads that line first (write-allocate). Kernels declare each value once,
so memory on a host moves three words where copy declares two, and four where triad declares three. Programs
that count these words record `write_allocate`; the ceiling of older records, all kept ones among them, is
raised here. Declared bytes do not contain them, so the true share of a kernel that only stores is at least
the one shown.
"""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import quotient

from .model import LabelledNumber

MOVED_OVER_DECLARED = {"copy": 3 / 2, "triad": 4 / 3}
TOLERANCE = 1.05  # above this share the ceiling was measured too low, or caches helped
ABOVE = "above the measured ceiling"
FROM_CACHES = "above: served by caches"


def raised(entry: dict, on_host: bool) -> float:
    """Returns the factor by which the true ceiling exceeds the recorded one."""
    if not on_host or entry.get("write_allocate") is True:
        return 1.0
    return MOVED_OVER_DECLARED.get(str(entry.get("kernel")), 1.0)


def ceiling(record: Record) -> Quantity | None:
    """Returns bytes a second; None if the record has no sound ceiling."""
    roof = record.section("roof")
    value = record.number("roof", "bytes_per_second")
    if value is None or record.text("roof", "unsound"):
        return None
    measured = Quantity(value, record.number("roof", "low"), record.number("roof", "high"))
    return measured.scaled(raised(roof, record.on_host))


def share(record: Record) -> Quantity | None:
    """Returns the share of the ceiling, with the intervals of both. Above TOLERANCE it is not a share."""
    fraction, top = record.number("rate", "roof_fraction"), ceiling(record)
    if fraction is None or top is None:
        return None if fraction is None else Quantity(fraction)
    time = record.time
    bandwidth = time.per_second(fraction * record.number("roof", "bytes_per_second") * time.value)
    if not top.has_interval:  # older records: the time's interval alone
        return bandwidth.scaled(1 / top.value)
    return quotient(bandwidth, top)


def is_above(record: Record) -> bool:
    """True if the record moves more than its ceiling, in any cache regime."""
    found = share(record)
    return found is not None and found.value > TOLERANCE


def exceeds(record: Record) -> bool:
    """True if it does so although its fields are in memory."""
    return record.regime == "memory" and is_above(record)


def share_cell(record: Record) -> Quantity | LabelledNumber | None:
    """Returns the share for a table, or words where the ceiling was exceeded."""
    if not is_above(record):
        return share(record)
    return LabelledNumber(ABOVE if exceeds(record) else FROM_CACHES, share(record).value)


def short_share_cell(record: Record) -> float | LabelledNumber | None:
    """Returns the same cell without its interval."""
    found = share_cell(record)
    return found.value if isinstance(found, Quantity) else found
