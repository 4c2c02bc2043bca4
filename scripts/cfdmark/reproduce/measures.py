"""Measures of an experiment's rows, by name: `faster gpu core`, `time gpu`, `launches cg`.

A measure is a word and its rows. Measures in NUMBERS return a number with its interval and its records, those
in TEXTS return words for a sentence. Their parameters are the rows.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from functools import partial
from statistics import fmean
from typing import Callable, Iterable

from cfdmark.records.ranks import divides
from cfdmark.records.records import Record
from cfdmark.records.select import fastest_to_end, grouped
from cfdmark.report.sections.context import number
from cfdmark.report.sections.memory import device_added, device_total, fields
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import times_faster
from cfdmark.text.wording import grid_text, place_text

from .measure_parts import (
    BYTES,
    CELLS,
    COUNT,
    ERROR,
    EXACT_TIMES,
    ITERATIONS,
    NUMBERS_TEXT,
    SECONDS,
    STEPS,
    TIMES,
    WORDS,
    Number,
    against,
    in_units,
    of_one,
    of_record,
    of_two,
    per_cent,
    ratio_of,
    recorded,
    row,
    years,
)
from .measured import Absent, divided, less, rate
from .mesh_measures import MESH_NUMBERS, STAGE_SPEEDUPS
from .routines import SHARES
from .rows import Rows, Value

# Measures of times, which have an interval or too few samples. Others, such as bytes, are exact.
TIMED = {"faster", "peak", "sooner", "faster_an_element", "sooner_on_average", "more_on_average", "more_work", *STAGE_SPEEDUPS}
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


def row_count(word: str) -> int:
    function = TEXTS[word] if word in TEXTS else NUMBERS[word].function
    return len(inspect.signature(function).parameters) - 1


# Measures of one row, on its largest grid

bandwidth = number("rate", "bytes_per_second")
largest_error = number("solver", "error_max")


def bytes_moved(record: Record) -> float | None:
    return record.bytes_an_iteration


def words(count_of: Callable[[Record], float | None]) -> Callable[[Record], float | None]:
    """Returns the same as words of 32 bits a node."""
    return lambda record: None if count_of(record) is None else count_of(record) / 4 / record.nodes


def flop_rate(record: Record) -> float | None:
    """Returns flops a second, from those that the case declares."""
    flops = record.number("cost", "flops")
    return flops / record.time.value if flops else None


def gflops(rows: Rows, one: str) -> Value:
    record = rows.largest(one)
    return of_one(record, rate(record, rows.operations).scaled(1e-9))


def reducing(rows: Rows, one: str) -> Value:
    """Returns the iterations until the error is `reduction` times smaller."""
    record = rows.largest(one)
    return of_one(record, iterations_to(record, rows.reduction))


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


def solves(rows: Rows, one: str, grid: tuple[int, ...]) -> dict[str, Record]:
    """Returns the row's fastest record on the grid for each problem setting."""
    groups = grouped(rows.at(grid).all(one), lambda record: repr(sorted(record.section("workload").items())))
    return {settings: fastest_to_end(records) for settings, records in groups.items()}


def mean_time(records: Iterable[Record]) -> Quantity:
    times = [r.time for r in records]
    value = fmean(t.value for t in times)
    if not all(t.has_interval for t in times):
        return Quantity.without_interval(value, *times)
    return Quantity(value, fmean(t.low for t in times), fmean(t.high for t in times))


def time_on_average(rows: Rows, one: str) -> Value:
    """Returns the mean time of a solve over all problem settings on the row's largest grid."""
    largest = rows.largest(one)
    return of_one(largest, mean_time(solves(rows, one, largest.grid).values()))


def time_of_a_million(rows: Rows, one: str) -> Value:
    """Returns the time of a million such solves in sequence."""
    mean = time_on_average(rows, one)
    return Value(mean.quantity.scaled(1e6), mean.rows, mean.records)


# Measures of two rows, on their largest common grid


def peak(rows: Rows, fast: str, slow: str) -> Value:
    """Returns `faster` on the common grid with the largest ratio."""
    found = [(times_faster(a, b), a, b) for a, b in rows.pairs(fast, slow)]
    ratio, a, b = max(found, key=lambda each: each[0].value)
    return Value(ratio, against(a, b), (a, b))


def faster_an_element(rows: Rows, fast: str, slow: str) -> Value:
    """Returns `faster` for an element, each on its own largest grid."""
    a, b = rows.largest(fast), rows.largest(slow)
    return Value(divided(rate(a, 1), rate(b, 1)), against(a, b), (a, b))


def sooner_on_average(rows: Rows, fast: str, slow: str) -> Value:
    """Returns the speedup of the mean solve over the problem settings that both have."""
    a, b = rows.pair(fast, slow)
    one, other = solves(rows, fast, a.grid), solves(rows, slow, a.grid)
    both = one.keys() & other.keys()
    if not both:
        raise Absent(f"{fast} and {slow} have no problem settings in common")
    slow_mean, fast_mean = (mean_time(side[settings] for settings in both) for side in (other, one))
    ratio = divided(slow_mean, fast_mean)
    return Value(ratio, f"{against(a, b)}, the mean of {len(both)}", (a, b))


def more_on_average(rows: Rows, several: str, one: str) -> Value:
    """Returns how many times as many solves the ranks of `several`, each with a solve of its own, complete in a time."""
    ratio = sooner_on_average(rows, several, one)
    return Value(ratio.quantity.scaled(ratio.records[0].ranks), ratio.rows, ratio.records)


def more_work(rows: Rows, several: str, one: str) -> Value:
    """Returns how many times as many cells several ranks advance in a time, each with the grid of one; on the largest."""
    found = [(a, b) for a in rows.by_grid(several) for b in rows.by_grid(one) if divides(b, a)]
    if not found:
        raise Absent(f"no grid of {several} has one of {one} for each rank")
    a, b = found[-1]
    return Value(times_faster(a, b).scaled(a.ranks), against(a, b), (a, b))


def efficiency(several: Record, one: Record) -> Quantity:
    """Returns the parallel efficiency of several ranks against one: T1 / (P TP)."""
    return times_faster(several, one).scaled(1 / several.ranks)


def lost(several: Record, one: Record) -> Quantity:
    """Returns the time of several ranks beyond their share of that of one: TP - T1 / P."""
    return less(several.iteration_time, one.iteration_time.scaled(1 / several.ranks))


def fewer_iterations(rows: Rows, few: str, many: str) -> Value:
    """Returns the ratio of iterations until the error is `reduction` times smaller."""
    a, b = reducing(rows, few), reducing(rows, many)
    return Value(divided(b.quantity, a.quantity), f"{many} {b.quantity.value:g}, {few} {a.quantity.value:g}")


# An iteration of a kernel is a step.
NUMBERS = {
    "faster": Number(of_two(times_faster), *TIMES),
    "peak": Number(peak, *TIMES),
    "sooner": Number(of_two(partial(times_faster, per_iteration=False)), *TIMES),  # a whole solve
    "faster_an_element": Number(faster_an_element, *TIMES),
    "sooner_on_average": Number(sooner_on_average, *TIMES),
    "more_on_average": Number(more_on_average, *TIMES),
    "more_work": Number(more_work, *TIMES),
    "efficiency": Number(of_two(efficiency), "", "fraction", per_cent),
    "lost": Number(of_two(lost), *SECONDS),
    "fewer_iterations": Number(fewer_iterations, *TIMES),
    "times_the_bytes": Number(ratio_of(bytes_moved, "the bytes were not recorded"), *EXACT_TIMES),
    "times_the_memory": Number(ratio_of(fields, "the memory use was not recorded"), *EXACT_TIMES),
    "times_the_error": Number(ratio_of(largest_error, "the errors were not recorded"), *EXACT_TIMES),
    "longer": Number(of_two(lambda a, b: less(a.iteration_time, b.iteration_time)), *SECONDS),
    "time": Number(of_record(lambda r: r.iteration_time), *SECONDS),
    "time_to_the_end": Number(of_record(lambda r: r.time), *SECONDS),
    "time_on_average": Number(time_on_average, *SECONDS),
    "time_of_a_million": Number(time_of_a_million, "s", "seconds", years),
    # Iterations, or time steps of an unsteady flow. A cell counts once an iteration.
    "steps_a_second": Number(of_record(lambda r: rate(r, 1 / r.nodes)), "1/s", "per_second", STEPS),
    "cells_a_second": Number(of_record(lambda r: rate(r, 1)), "1/s", "updates_per_second", CELLS),
    "gflops": Number(gflops, "Gflop/s", "plain", in_units("Gflop/s", form="{:,.1f}".format)),
    "flop_rate": Number(of_record(flop_rate, "has no flops"), "flop/s", "plain", in_units("Tflop/s", 1e12)),
    "bandwidth": Number(of_record(bandwidth, "has no bandwidth"), "B/s", "bytes_per_second", in_units("GB/s", 1e9)),
    # Bytes of an iteration, and the allocated bytes of the fields.
    "moved": Number(of_record(bytes_moved, "has no bytes"), "B", "bytes", COUNT),
    "words_a_node": Number(of_record(words(bytes_moved), "has no bytes"), "words", "ratio", WORDS),
    "memory": Number(of_record(fields, "has no memory use"), *BYTES),
    "numbers_a_node": Number(of_record(words(fields), "has no memory use"), "numbers", "ratio", NUMBERS_TEXT),
    # Bytes in use on the device during the case, by all processes, as the driver reports them.
    "device_memory": Number(of_record(device_total, "has no memory use of its device"), *BYTES),
    "device_added": Number(of_record(device_added, "has no memory use before the case"), *BYTES),
    "launches": Number(of_record(lambda r: r.launches, "has no launches"), "launches", "count", COUNT),
    "iterations": Number(recorded("solver", "iterations", "has no iterations"), *ITERATIONS),
    "reducing": Number(reducing, *ITERATIONS),
    "error_max": Number(of_record(largest_error, "has no error"), *ERROR),
    "error_l2": Number(recorded("solver", "error_l2", "has no error"), *ERROR),
    "residual": Number(recorded("solver", "true_residual", "has no residual"), *ERROR),
    # Shares of the time of records that were timed by routine.
    **{f"{name}_share": Number(of_record(share), "", "fraction", per_cent) for name, share in SHARES.items()},
    **MESH_NUMBERS,
}


# Texts


def residue(rows: Rows, one: str) -> str:
    """Returns rmin of the fastest record."""
    record = rows.largest(one)
    return f"{record.config['rmin']:g}" if record.has_numbers("rmin") else "a number that was not recorded"


def crossing(rows: Rows, fast: str, slow: str) -> str:
    """Returns the size from which on one is faster than the other."""
    wins = [a.nodes for a, b in rows.pairs(fast, slow) if a.iteration_time.value < b.iteration_time.value]
    return f"from {min(wins):,} elements on" if wins else "at no size here"


TEXTS: dict[str, Callable] = {
    "case": lambda rows, one: row(rows.largest(one)),
    "grid": lambda rows, one: grid_text(rows.largest(one)),
    "place": lambda rows, one: place_text(rows.largest(one)) or "at a place that was not recorded",
    "blocks": lambda rows, one: str(rows.largest(one).config.get("block_shape", "an unrecorded shape")),
    "residue": residue,
    "crossing": crossing,
}
