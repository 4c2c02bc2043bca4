"""Parts that measures are made of: how a number is written in a sentence, and functions of one or two records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from cfdmark.records.records import Record
from cfdmark.report.sections.context import number
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import counted, digits, quantity_with_unit, scientific, three_digits
from cfdmark.text.wording import domain_text, place_text

from .measured import Absent
from .rows import Rows, Value

DURATIONS = (("years", 365.25 * 86400), ("days", 86400), ("hours", 3600))


@dataclass(frozen=True)
class Number:
    function: Callable
    unit: str
    kind: str  # of an axis or a column
    to_text: Callable[[Quantity], str]


def row(record: Record) -> str:
    """Returns cuda/plain 4096×4096, or cuda/plain triangles-178x178, hilbert; and the cache regime."""
    place = place_text(record)
    solver = f"{record.name} on " if record.kind == "solver" else ""
    return f"{solver}{record.backend}/{record.method} {domain_text(record)}{f', {place}' if place else ''}"


def against(a: Record, b: Record) -> str:
    return f"{row(a)}{',' if place_text(a) else ''} against {row(b)}"


def places(records: tuple[Record, ...]) -> str:
    """Returns the cache regime of each record; empty if one lacks it."""
    texts = [place_text(r) for r in records]
    if not texts or not all(texts):
        return ""
    both = f"both {texts[0]}" if len(texts) > 1 else texts[0]
    return both if len(set(texts)) == 1 else " against ".join(texts)


# How a number is written in a sentence


def times(quantity: Quantity) -> str:
    if quantity.has_interval:
        return f"{three_digits(quantity)} times"
    return f"{digits(quantity.value)} times{counted(quantity)}"


def in_units(unit: str, size: float = 1.0, form: Callable[[float], str] = digits) -> Callable[[Quantity], str]:
    """Returns the function that writes a value in units of this size."""
    return lambda quantity: f"{form(quantity.value / size)} {unit}".rstrip()


def seconds(quantity: Quantity) -> str:
    return quantity_with_unit(quantity, "seconds")


def years(quantity: Quantity) -> str:
    unit, length = next(u for u in DURATIONS if quantity.value >= u[1] or u is DURATIONS[-1])
    return f"{digits(quantity.value / length)} {unit}"


def power_of_ten(quantity: Quantity) -> str:
    return scientific(quantity.value)


def per_cent(quantity: Quantity) -> str:
    percent = 100 * quantity.value
    return f"{percent:.0f} %" if percent < 99.5 else f"{percent:.1f} %"


# Measures of one row, on its largest grid


def of_one(record: Record, quantity: Quantity | float | None, lacks: str = "") -> Value:
    """Raises Absent if the record lacks the quantity."""
    if quantity is None:
        raise Absent(f"{record.name} on {record.backend}/{record.method} {lacks}")
    return Value(quantity if isinstance(quantity, Quantity) else Quantity(quantity), row(record), (record,))


def of_record(read: Callable[[Record], Quantity | float | None], lacks: str = "") -> Callable:
    """Returns the measure that reads a quantity from the record."""

    def measure(rows: Rows, one: str) -> Value:
        record = rows.largest(one)
        return of_one(record, read(record), lacks)

    return measure


def recorded(section: str, key: str, lacks: str) -> Callable:
    """Returns the measure of a number that the record holds."""
    return of_record(number(section, key), lacks)


# Measures of two rows, on their largest common grid


def of_two(compare: Callable[[Record, Record], Quantity]) -> Callable:
    """Returns the measure that compares the rows' records."""

    def measure(rows: Rows, one: str, other: str) -> Value:
        a, b = rows.pair(one, other)
        return Value(compare(a, b), against(a, b), (a, b))

    return measure


def ratio_of(read: Callable[[Record], float | None], lacks: str) -> Callable:
    """Returns the measure of how many times as large a number of the first row's record is."""

    def compare(a: Record, b: Record) -> Quantity:
        numbers = [read(record) for record in (a, b)]
        if not all(numbers):
            raise Absent(lacks)
        return Quantity(numbers[0] / numbers[1])

    return of_two(compare)


# Unit, kind of an axis or a column, and text
COUNT = in_units("", form="{:,.0f}".format)
TIMES = ("times", "ratio", times)
EXACT_TIMES = ("times", "ratio", in_units("times", form="{:.2f}".format))
SECONDS = ("s", "seconds", seconds)
BYTES = ("B", "bytes", in_units("MB", 1e6, "{:.3g}".format))
ERROR = ("", "error", power_of_ten)
STEPS, CELLS = in_units("steps a second"), in_units("million cells a second", 1e6)
WORDS, NUMBERS_TEXT = in_units("words", form="{:.2g}".format), in_units("numbers", form="{:.3g}".format)
ITERATIONS = ("iterations", "count", COUNT)
