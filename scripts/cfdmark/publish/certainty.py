"""How sure a time is: the samples and processes that it rests on."""

from __future__ import annotations

from collections import Counter

from cfdmark.records.records import Record
from cfdmark.stats.quantity import FEWEST_FOR_INTERVAL, count_text
from cfdmark.text.wording import plural

PROCESSES = 2  # of a headline or a verdict; an interval of one process does not hold another's median


def is_sure(record: Record) -> bool:
    """True if each of at least two processes has enough samples for an interval."""
    enough = [p for p in record.processes if len(p) >= FEWEST_FOR_INTERVAL]
    return len(enough) >= PROCESSES


def basis(record: Record) -> str:
    """Returns what a time rests on: 10 and 8 samples, or one process, 10 samples."""
    return ("one process, " if len(record.processes) == 1 else "") + count_text(record.processes)


def provenance(record: Record) -> str:
    """Returns: one process, 5 samples; even-grids.jsonl, 2026-11-23."""
    return f"{basis(record)}; {record.file.name}, {record.written[:10]}"


def certainty_text(records: list[Record]) -> str:
    """Returns how many times rest on six samples in each of two processes, and on what the others rest."""
    sure = [r for r in records if is_sure(r)]
    rest = Counter("in one process" if len(r.processes) == 1 else "in two" for r in records if not is_sure(r))
    text = f"{len(sure):,} of {plural(len(records), 'current time')} rest on at least six samples in each of two processes"
    others = [f"{count:,} were measured {how}" for how, count in sorted(rest.items())]
    return text + (f"; of the others {' and '.join(others)}, with what samples there are" if others else "") + "."
