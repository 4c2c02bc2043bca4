"""Whether a measurement agrees with what was published: a word, and the test or the obstacle it rests on.

Every test looks at intervals: a difference that the interval does not bear out is none.
"""

from __future__ import annotations

from dataclasses import dataclass

from cfdmark_report.numbers import digits, three_digits
from cfdmark_report.quantity import Quantity

AGREES, DIFFERS, NOT_COMPARABLE = "agrees", "differs", "not_comparable"
NOT_MEASURED, NOT_BUILT = "not_measured", "not_built"


@dataclass(frozen=True)
class Verdict:
    word: str
    reason: str  # one sentence


def not_comparable(reason: str) -> Verdict:
    return Verdict(NOT_COMPARABLE, reason)


def above_one(ratio: Quantity, published: float | None = None) -> Verdict:
    """The trend test: published was a ratio above 1. `published` is its size, if it was told."""
    if not ratio.has_interval:
        return not_comparable("a single sample has no interval: measure longer")
    if ratio.low > 1:
        return Verdict(AGREES, "same trend: the whole interval lies above 1")
    if ratio.high < 1:
        return Verdict(DIFFERS, "the opposite trend: the whole interval lies below 1")
    if published is not None and ratio.low <= published <= ratio.high:
        return not_comparable(
            f"too noisy to tell: {three_digits(ratio)} holds both 1 and the published ratio"
        )
    return Verdict(DIFFERS, f"no difference here: the interval {three_digits(ratio)} holds 1")


def within(measured: Quantity, expected: Quantity, factor: float) -> Verdict:
    """The size test: the intervals meet once the expected one is widened by `factor` on both sides."""
    low, high = interval(expected)
    mine = interval(measured)
    allowed = f"a factor of {factor:g} of {span(expected)}"
    if mine[1] * factor >= low and mine[0] <= high * factor:
        return Verdict(AGREES, f"same size: within {allowed}")
    return Verdict(DIFFERS, f"another size: {span(measured)} is not within {allowed}")


def same_count(measured: Quantity, published: Quantity) -> Verdict:
    """The test of what is counted, not timed."""
    if measured.value == published.value:
        return Verdict(AGREES, "the same number")
    return Verdict(DIFFERS, "another number")


def another_machine(_: Quantity) -> Verdict:
    """No test: what a machine gives in absolute terms says nothing about another."""
    return not_comparable("another machine, so only ratios are compared")


def rising(named: list[tuple[str, Quantity]]) -> Verdict:
    """The order test: each is smaller than the next, with intervals apart."""
    for (left, a), (right, b) in zip(named, named[1:]):
        if interval(a)[0] >= interval(b)[1]:
            return Verdict(DIFFERS, f"another order: {right} comes before {left}")
        if interval(a)[1] >= interval(b)[0]:
            return Verdict(DIFFERS, f"no order: the intervals of {left} and {right} overlap")
    return Verdict(AGREES, "same order: " + " < ".join(name for name, _ in named) + ", with intervals apart")


def span(quantity: Quantity) -> str:
    """1.2 to 1.4, or the number if it is exact."""
    low, high = interval(quantity)
    return digits(low) if low == high else f"{digits(low)} to {digits(high)}"


def interval(quantity: Quantity) -> tuple[float, float]:
    """Its ends; of a number that is exact, such as a count, the number."""
    return (quantity.low, quantity.high) if quantity.has_interval else (quantity.value, quantity.value)


def overall(verdicts: list[Verdict]) -> Verdict:
    """Of an experiment. The first finding is its main one: if that cannot be compared, the experiment cannot. Else it
    agrees if everything that can be compared does."""
    main, others = verdicts[0], verdicts[1:]
    if main.word not in (AGREES, DIFFERS):
        return Verdict(
            main.word, "; ".join([main.reason, *count(others, "of the other comparable findings hold here")])
        )
    told = count(verdicts, "comparable findings hold here")
    rest = sum(v.word not in (AGREES, DIFFERS) for v in verdicts)
    told += [f"{rest} cannot be compared"] if rest else []
    differs = any(v.word == DIFFERS for v in verdicts)
    return Verdict(DIFFERS if differs else AGREES, ", ".join(told))


def count(verdicts: list[Verdict], noun: str) -> list[str]:
    """["2 of 3 ..."], or nothing where nothing is comparable."""
    comparable = [v for v in verdicts if v.word in (AGREES, DIFFERS)]
    return [f"{sum(v.word == AGREES for v in comparable)} of {len(comparable)} {noun}"] if comparable else []
