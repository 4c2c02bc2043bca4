"""Measures of an experiment's rows, by name: `faster gpu core`, `rate gpu`, `launches cg`.

A measure is a word and its rows. Measures in NUMBERS return a number with its interval and its records, those
in TEXTS
return words for a sentence. Their parameters are the rows.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from statistics import fmean
from typing import Callable, Iterable

from cfdmark.records.records import Record
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import times_faster
from cfdmark.text.numbers import counted, digits, quantity_with_unit, scientific, three_digits
from cfdmark.text.wording import grid_text, place_text

from .measured import Absent, divided, less, rate
from .routines import SHARES
from .rows import Rows, Value

TIMES = (("years", 365.25 * 86400), ("days", 86400), ("hours", 3600))
# Measures of times, which have an interval or too few samples. Others, such as bytes, are exact.
TIMED = {"faster", "peak", "sooner", "faster_an_element", "sooner_on_average"}
SIDES = {"cuda": "GPU", "serial": "one core", "openmp": "all cores", "kokkos": "Kokkos"}


@dataclass(frozen=True)
class Measure:
    word: str
    rows: tuple[str, ...]

    @property
    def unit(self) -> str:
        return NUMBERS[self.word].unit

    @property
    def kind(self) -> str:
        return NUMBERS[self.word].kind

    def value(self, rows: Rows) -> Value:
        """Returns the measured number. Raises Absent."""
        return NUMBERS[self.word].function(rows, *self.rows)

    def text(self, rows: Rows) -> str:
        """Returns the measure for a sentence, with its unit. Raises Absent."""
        if self.word in TEXTS:
            return TEXTS[self.word](rows, *self.rows)
        return NUMBERS[self.word].to_text(self.value(rows).quantity)

    def grids(self, rows: Rows) -> list[tuple[int, ...]]:
        """Returns the grids on which all its rows have records, small ones first. Raises Absent."""
        kept = [r.grid for r in rows.by_grid(self.rows[0])]
        for other in self.rows[1:]:
            theirs = {r.grid for r in rows.by_grid(other)}
            kept = [grid for grid in kept if grid in theirs]
        return kept


@dataclass(frozen=True)
class Number:
    function: Callable
    unit: str
    kind: str  # of an axis or a column
    to_text: Callable[[Quantity], str]


NUMBERS: dict[str, Number] = {}
TEXTS: dict[str, Callable] = {}


def number(unit: str, kind: str, to_text: Callable[[Quantity], str]):
    def register(function: Callable) -> Callable:
        NUMBERS[function.__name__] = Number(function, unit, kind, to_text)
        return function

    return register


def text(function: Callable) -> Callable:
    TEXTS[function.__name__] = function
    return function


def row_count(word: str) -> int:
    function = TEXTS[word] if word in TEXTS else NUMBERS[word].function
    return len(inspect.signature(function).parameters) - 1


def row(record: Record) -> str:
    """Returns cuda/plain 4096×4096, and the cache regime."""
    place = place_text(record)
    solver = f"{record.name} on " if record.kind == "solver" else ""
    return f"{solver}{record.backend}/{record.method} {grid_text(record)}{f', {place}' if place else ''}"


def against(a: Record, b: Record) -> str:
    return f"{row(a)}{',' if place_text(a) else ''} against {row(b)}"


def places(records: tuple[Record, ...]) -> str:
    """Returns the cache regime of each record; empty if one lacks it."""
    texts = [place_text(r) for r in records]
    if not texts or not all(texts):
        return ""
    both = f"both {texts[0]}" if len(texts) > 1 else texts[0]
    return both if len(set(texts)) == 1 else " against ".join(texts)


def of_one(record: Record, quantity: Quantity | float | None, lacks: str = "") -> Value:
    if quantity is None:
        raise Absent(f"{record.name} on {record.backend}/{record.method} {lacks}")
    return Value(quantity if isinstance(quantity, Quantity) else Quantity(quantity), row(record), (record,))


def times(quantity: Quantity) -> str:
    if quantity.has_interval:
        return f"{three_digits(quantity)} times"
    return f"{digits(quantity.value)} times{counted(quantity)}"


def hundredths(quantity: Quantity) -> str:
    return f"{quantity.value:.2f} times"


def count(quantity: Quantity) -> str:
    return f"{quantity.value:,.0f}"


@number("times", "ratio", times)
def faster(rows: Rows, fast: str, slow: str) -> Value:
    """Returns how many times less time an iteration or a step takes, on the largest common grid."""
    a, b = rows.pair(fast, slow)
    return Value(times_faster(a, b), against(a, b), (a, b))


@number("times", "ratio", times)
def peak(rows: Rows, fast: str, slow: str) -> Value:
    """Returns the same on the common grid with the largest ratio."""
    ratio, a, b = max(
        ((times_faster(a, b), a, b) for a, b in rows.pairs(fast, slow)), key=lambda found: found[0].value
    )
    return Value(ratio, against(a, b), (a, b))


@number("times", "ratio", times)
def sooner(rows: Rows, fast: str, slow: str) -> Value:
    """Returns the same for a whole solve."""
    a, b = rows.pair(fast, slow)
    return Value(times_faster(a, b, per_iteration=False), against(a, b), (a, b))


@number("times", "ratio", times)
def faster_an_element(rows: Rows, fast: str, slow: str) -> Value:
    """Returns the same for an element, each on its own largest grid."""
    a, b = rows.largest(fast), rows.largest(slow)
    return Value(divided(rate(a, 1), rate(b, 1)), against(a, b), (a, b))


@number("s", "seconds", lambda q: quantity_with_unit(q, "seconds"))
def time(rows: Rows, one: str) -> Value:
    """Returns the time of an iteration or a step."""
    record = rows.largest(one)
    return of_one(record, record.iteration_time)


@number("1/s", "per_second", lambda q: f"{digits(q.value)} steps a second")
def steps_a_second(rows: Rows, one: str) -> Value:
    """Returns iterations a second, or time steps of an unsteady flow."""
    record = rows.largest(one)
    return of_one(record, rate(record, 1 / record.nodes))


@number("1/s", "updates_per_second", lambda q: f"{digits(q.value / 1e6)} million cells a second")
def cells_a_second(rows: Rows, one: str) -> Value:
    """Returns cells a second; each cell counts once an iteration."""
    record = rows.largest(one)
    return of_one(record, rate(record, 1))


@number("s", "seconds", lambda q: quantity_with_unit(q, "seconds"))
def longer(rows: Rows, slow: str, fast: str) -> Value:
    """Returns how much more time an iteration or a step takes, on the largest common grid."""
    a, b = rows.pair(slow, fast)
    return Value(less(a.iteration_time, b.iteration_time), against(a, b), (a, b))


@number("s", "seconds", lambda q: quantity_with_unit(q, "seconds"))
def time_to_the_end(rows: Rows, one: str) -> Value:
    record = rows.largest(one)
    return of_one(record, record.time)


def solves(rows: Rows, one: str, grid: tuple[int, ...]) -> dict[str, Record]:
    """Returns the row's fastest record on the grid for each problem setting."""
    by_question: dict[str, Record] = {}
    for record in rows.at(grid).all(one):
        question = repr(sorted(record.section("workload").items()))
        known = by_question.setdefault(question, record)
        if record.time.value < known.time.value:
            by_question[question] = record
    return by_question


def mean_time(records: Iterable[Record]) -> Quantity:
    times = [r.time for r in records]
    value = fmean(t.value for t in times)
    if not all(t.has_interval for t in times):
        return Quantity.without_interval(value, *times)
    return Quantity(value, fmean(t.low for t in times), fmean(t.high for t in times))


@number("times", "ratio", times)
def sooner_on_average(rows: Rows, fast: str, slow: str) -> Value:
    """Returns the speedup of the mean solve over the problem settings that both have on the largest common
    grid."""
    a, b = rows.pair(fast, slow)
    one, other = solves(rows, fast, a.grid), solves(rows, slow, a.grid)
    both = one.keys() & other.keys()
    if not both:
        raise Absent(f"{fast} and {slow} have no question in common")
    ratio = divided(mean_time(other[q] for q in both), mean_time(one[q] for q in both))
    return Value(ratio, f"{against(a, b)}, the mean of {len(both)}", (a, b))


@number("s", "seconds", lambda q: quantity_with_unit(q, "seconds"))
def time_on_average(rows: Rows, one: str) -> Value:
    """Returns the mean time of a solve over all problem settings on the row's largest grid."""
    largest = rows.largest(one)
    return of_one(largest, mean_time(solves(rows, one, largest.grid).values()))


def years(quantity: Quantity) -> str:
    unit, seconds = next(u for u in TIMES if quantity.value >= u[1] or u is TIMES[-1])
    return f"{digits(quantity.value / seconds)} {unit}"


@number("s", "seconds", years)
def time_of_a_million(rows: Rows, one: str) -> Value:
    """Returns the time of a million such solves in sequence."""
    mean = time_on_average(rows, one)
    return Value(mean.quantity.scaled(1e6), mean.rows, mean.records)


@number("Gflop/s", "plain", lambda q: f"{q.value:,.1f} Gflop/s")
def gflops(rows: Rows, one: str) -> Value:
    record = rows.largest(one)
    return of_one(record, rate(record, rows.operations).scaled(1e-9))


@number("B/s", "bytes_per_second", lambda q: f"{digits(q.value / 1e9)} GB/s")
def bandwidth(rows: Rows, one: str) -> Value:
    record = rows.largest(one)
    return of_one(record, record.number("rate", "bytes_per_second"), "has no bandwidth")


@number("flop/s", "plain", lambda q: f"{digits(q.value / 1e12)} Tflop/s")
def flop_rate(rows: Rows, one: str) -> Value:
    """Returns flops a second, from those that the case declares."""
    record = rows.largest(one)
    flops = record.number("cost", "flops")
    return of_one(record, flops and flops / record.time.value, "has no flops")


@number("B", "bytes", count)
def moved(rows: Rows, one: str) -> Value:
    """Returns bytes an iteration or a step."""
    record = rows.largest(one)
    return of_one(record, record.bytes_an_iteration, "has no bytes")


@number("words", "ratio", lambda q: f"{q.value:.2g} words")
def words_a_node(rows: Rows, one: str) -> Value:
    """Returns words of 32 bits a node."""
    record, found = rows.largest(one), moved(rows, one)
    return of_one(record, found.quantity.value / 4 / record.nodes)


@number("B", "bytes", lambda q: f"{q.value / 1e6:.3g} MB")
def memory(rows: Rows, one: str) -> Value:
    """Returns the allocated bytes of the fields."""
    record = rows.largest(one)
    return of_one(record, record.number("memory", "field_bytes"), "has no memory use")


@number("B", "bytes", lambda q: f"{q.value / 1e6:.3g} MB")
def device_memory(rows: Rows, one: str) -> Value:
    """Returns the bytes in use on the device during the case, by all processes, as the driver reports them.
    """
    record = rows.largest(one)
    return of_one(record, record.number("memory", "device_used_after"), "has no memory use of its device")


@number("B", "bytes", lambda q: f"{q.value / 1e6:.3g} MB")
def device_added(rows: Rows, one: str) -> Value:
    """Returns the same less the bytes in use before the case."""
    record, after = rows.largest(one), device_memory(rows, one)
    before = record.number("memory", "device_used_before")
    return of_one(record, None if before is None else after.quantity.value - before, "has no memory use before the case")


@number("numbers", "ratio", lambda q: f"{q.value:.3g} numbers")
def numbers_a_node(rows: Rows, one: str) -> Value:
    """Returns allocated numbers of 32 bits a node."""
    record, found = rows.largest(one), memory(rows, one)
    return of_one(record, found.quantity.value / 4 / record.nodes)


def per_cent(quantity: Quantity) -> str:
    percent = 100 * quantity.value
    return f"{percent:.0f} %" if percent < 99.5 else f"{percent:.1f} %"


def register_share(name: str, share: Callable[[Record], float]) -> None:
    """Registers the measure NAME_share of a record that was timed by routine."""

    def measured(rows: Rows, one: str) -> Value:
        record = rows.largest(one)
        return of_one(record, share(record))

    NUMBERS[f"{name}_share"] = Number(measured, "", "fraction", per_cent)


for name, share in SHARES.items():
    register_share(name, share)


@number("times", "ratio", hundredths)
def times_the_memory(rows: Rows, much: str, little: str) -> Value:
    a, b = rows.pair(much, little)
    of = [r.number("memory", "field_bytes") for r in (a, b)]
    if None in of:
        raise Absent("the memory use was not recorded")
    return Value(Quantity(of[0] / of[1]), against(a, b), (a, b))


@number("times", "ratio", hundredths)
def times_the_bytes(rows: Rows, many: str, few: str) -> Value:
    a, b = rows.pair(many, few)
    of = [r.bytes_an_iteration for r in (a, b)]
    if None in of:
        raise Absent("the bytes were not recorded")
    return Value(Quantity(of[0] / of[1]), against(a, b), (a, b))


@number("launches", "count", count)
def launches(rows: Rows, one: str) -> Value:
    record = rows.largest(one)
    return of_one(record, record.launches, "launches no kernels that could be counted")


def solved(rows: Rows, one: str, fact: str, lacks: str) -> Value:
    """Returns a number that the solver reports of its answer."""
    record = rows.largest(one)
    return of_one(record, record.number("solver", fact), lacks)


@number("iterations", "count", count)
def iterations(rows: Rows, one: str) -> Value:
    return solved(rows, one, "iterations", "has no iterations")


@number("", "error", lambda q: scientific(q.value))
def error_max(rows: Rows, one: str) -> Value:
    return solved(rows, one, "error_max", "has no error")


@number("", "error", lambda q: scientific(q.value))
def error_l2(rows: Rows, one: str) -> Value:
    return solved(rows, one, "error_l2", "has no error")


@number("", "error", lambda q: scientific(q.value))
def residual(rows: Rows, one: str) -> Value:
    return solved(rows, one, "true_residual", "has no residual")


@number("times", "ratio", hundredths)
def times_the_error(rows: Rows, large: str, small: str) -> Value:
    a, b = rows.pair(large, small)
    of = [r.number("solver", "error_max") for r in (a, b)]
    if not all(of):
        raise Absent("the errors were not recorded")
    return Value(Quantity(of[0] / of[1]), against(a, b), (a, b))


def iterations_to(record: Record, reduction: float) -> Quantity:
    """Returns the iterations until the error is `reduction` times smaller; the interval lies between two
    checks."""
    history = record.history("error_history")
    if not history:
        raise Absent(f"{record.name} has no history of its error")
    goal, before = history[0][1] / reduction, 0.0
    for iteration, error in history:
        if error <= goal:
            return Quantity(iteration, min(before + 1, iteration), iteration)
        before = iteration
    raise Absent(f"{record.name} did not reduce the error {reduction:g} times")


@number("iterations", "count", count)
def reducing(rows: Rows, one: str) -> Value:
    """Returns the iterations until the error is `reduction` times smaller."""
    record = rows.largest(one)
    return of_one(record, iterations_to(record, rows.reduction))


@number("times", "ratio", times)
def fewer_iterations(rows: Rows, few: str, many: str) -> Value:
    """Returns the ratio of iterations until the error is `reduction` times smaller."""
    a, b = reducing(rows, few), reducing(rows, many)
    return Value(divided(b.quantity, a.quantity), f"{many} {b.quantity.value:g}, {few} {a.quantity.value:g}")


@text
def case(rows: Rows, one: str) -> str:
    return row(rows.largest(one))


@text
def grid(rows: Rows, one: str) -> str:
    return grid_text(rows.largest(one))


@text
def place(rows: Rows, one: str) -> str:
    """Returns the cache regime that the record names."""
    return place_text(rows.largest(one)) or "at a place that was not recorded"


@text
def blocks(rows: Rows, one: str) -> str:
    """Returns the block shape of the fastest record."""
    return str(rows.largest(one).config.get("block_shape", "a shape that was not recorded"))


@text
def residue(rows: Rows, one: str) -> str:
    """Returns rmin of the fastest record."""
    record = rows.largest(one)
    return f"{record.config['rmin']:g}" if record.has_numbers("rmin") else "a number that was not recorded"


@text
def crossing(rows: Rows, fast: str, slow: str) -> str:
    """Returns the size from which on one is faster than the other."""
    wins = [a.nodes for a, b in rows.pairs(fast, slow) if a.iteration_time.value < b.iteration_time.value]
    return f"from {min(wins):,} elements on" if wins else "at no size here"
