"""The memory bandwidth that a record is held against, and its share of it.

A store into a line that no cache holds reads that line first (write-allocate). Kernels declare each value once, so on a host
memory moves more than copy and triad declare: three words for two, and four for three. Programs that count these words say so
in `write_allocate`; of older records the ceiling is raised here. What kernels declare stays without them, so that a share of
a kernel that only stores a field is at least what is shown.
"""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import quotient

from .model import LabelledNumber

MOVED_OVER_DECLARED = {"copy": 3 / 2, "triad": 4 / 3}
TOLERANCE = 1.05  # a share beyond it is no share: the ceiling was measured too low, or caches helped
ABOVE = "above the ceiling measured"
FROM_CACHES = "above it: caches give more"


def raised(entry: dict, on_host: bool) -> float:
    """By how much the ceiling of a `roof` lies above what it says."""
    if not on_host or entry.get("write_allocate") is True:
        return 1.0
    return MOVED_OVER_DECLARED.get(str(entry.get("kernel")), 1.0)


def ceiling(record: Record) -> Quantity | None:
    """Bytes a second; None where the record has no roof, or one that is unsound."""
    roof = record.section("roof")
    value = record.number("roof", "bytes_per_second")
    if value is None or record.text("roof", "unsound"):
        return None
    measured = Quantity(value, record.number("roof", "low"), record.number("roof", "high"))
    return measured.scaled(raised(roof, record.on_host))


def share(record: Record) -> Quantity | None:
    """Of the ceiling, with the intervals of the time and of the ceiling. Above TOLERANCE it is no share."""
    fraction, top = record.number("rate", "roof_fraction"), ceiling(record)
    if fraction is None or top is None:
        return None if fraction is None else Quantity(fraction)
    time = record.time
    bandwidth = time.per_second(fraction * record.number("roof", "bytes_per_second") * time.value)
    if not top.has_interval:  # records of before: the time's interval alone
        return bandwidth.scaled(1 / top.value)
    return quotient(bandwidth, top)


def is_above(record: Record) -> bool:
    """Whether the record moves more than its ceiling, wherever its fields lie."""
    found = share(record)
    return found is not None and found.value > TOLERANCE


def exceeds(record: Record) -> bool:
    """Whether it does so with fields that by their size are in memory."""
    return record.regime == "memory" and is_above(record)


def share_cell(record: Record) -> Quantity | LabelledNumber | None:
    """For a table: no percentage of a ceiling that was exceeded, or does not bind because caches give more."""
    if not is_above(record):
        return share(record)
    return LabelledNumber(ABOVE if exceeds(record) else FROM_CACHES, share(record).value)


def short_share_cell(record: Record) -> float | LabelledNumber | None:
    """The same without its interval."""
    found = share_cell(record)
    return found.value if isinstance(found, Quantity) else found
