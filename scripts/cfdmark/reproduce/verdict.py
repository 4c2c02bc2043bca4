"""Verdict of a comparison with a published value: a word, and the test or the obstacle it rests on.

    agrees           the same direction, and the size within a stated factor of the published one
    same direction   the same direction and another size, or a document without a size
    differs          the opposite direction, no difference where one was published, or hardly any of a large one
    not comparable   a device that is not available, a number that the document does not state

Tests use intervals: a difference that the interval does not support does not count. Without an interval on
one side, the ratio of the medians decides if it is far enough from 1, and the verdict gives the number of samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import SMALLEST_EFFECT, WITHOUT_INTERVAL
from cfdmark.text.numbers import brackets, digits, three_digits

AGREES, SAME_DIRECTION, DIFFERS, NOT_COMPARABLE = "agrees", "same_direction", "differs", "not_comparable"
NOT_MEASURED, NOT_BUILT, OUT_OF_REACH = "not_measured", "not_built", "out_of_reach"
COMPARABLE = (AGREES, SAME_DIRECTION, DIFFERS)

SAME_SIZE = 2  # factor within which speedups on different machines have the same size
SURELY_ABOVE = 1 + SMALLEST_EFFECT
HARDLY_ANY = 0.1  # share of the published effect, in logarithms: 1.08 times where 1000 were published


@dataclass(frozen=True)
class Verdict:
    word: str
    reason: str  # one sentence
    by: str = ""  # "by one sample" if there were too few for an interval


def not_comparable(reason: str) -> Verdict:
    return Verdict(NOT_COMPARABLE, reason)


def as_published(ratio: Quantity, published: Quantity | None = None, factor: float = SAME_SIZE) -> Verdict:
    """Tests a ratio that was published as above 1. Without `published` the document states its direction and
    no size."""
    if not ratio.has_interval:
        return by_value(ratio, published, factor)
    if ratio.high < 1 / SURELY_ABOVE:
        return Verdict(DIFFERS, "the opposite direction: the whole interval lies below 1")
    if ratio.low > SURELY_ABOVE or known_precisely(ratio) and ratio.value > SURELY_ABOVE:
        return of_size(ratio, published, factor, "the whole interval lies above 1")
    return no_difference(ratio, published)


def by_value(ratio: Quantity, published: Quantity | None, factor: float) -> Verdict:
    """Tests a ratio without an interval."""
    if ratio.value < 1 / WITHOUT_INTERVAL:
        return Verdict(DIFFERS, f"the opposite direction: {digits(ratio.value)} times")
    if ratio.value < WITHOUT_INTERVAL and not (published and is_hardly_any(WITHOUT_INTERVAL, published)):
        return not_comparable(f"{digits(ratio.value)} times is too close to 1 to decide without an interval: measure longer")
    return of_size(ratio, published, factor, f"{digits(ratio.value)} times")


def of_size(ratio: Quantity, published: Quantity | None, factor: float, above: str) -> Verdict:
    """Tests the size of a ratio in the published direction; `above` states how the direction is known."""
    if published is None:
        return Verdict(SAME_DIRECTION, f"{above}; the document states no size")
    if meets(ratio, published, factor):
        return Verdict(AGREES, f"same direction and size: within {allowance(published, factor)}")
    off = ratio.value / published.value
    size_text = f"{digits(off)} times" if off > 1 else f"1/{digits(1 / off)} of"
    if is_hardly_any(interval(ratio)[1], published):
        return Verdict(DIFFERS, f"another size: {size_text} the published, hardly any difference where one was published")
    return Verdict(SAME_DIRECTION, f"another size: {size_text} the published, not within {allowance(published, factor)}")


def is_hardly_any(ratio: float, published: Quantity) -> bool:
    """True if a ratio is negligible compared with the published one."""
    return log(ratio) < HARDLY_ANY * log(interval(published)[0])


def known_precisely(ratio: Quantity) -> bool:
    """True if the interval is narrower than the smallest effect."""
    return ratio.high <= ratio.low * SURELY_ABOVE


def no_difference(ratio: Quantity, published: Quantity | None) -> Verdict:
    """Returns the verdict of an interval that does not lie clearly above 1."""
    if published is None and ratio.high > SURELY_ABOVE and not known_precisely(ratio):
        return not_comparable(
            f"too noisy to decide: {three_digits(ratio)} holds no difference and more than {100 * SMALLEST_EFFECT:g} %"
        )
    if published is not None and meets(ratio, published, 1):
        both = "both 1 and the published ratio"
        return not_comparable(f"too noisy to decide: {three_digits(ratio)} holds {both}")
    near = f"holds 1, or is within {100 * SMALLEST_EFFECT:g} % of it"
    return Verdict(DIFFERS, f"no difference here: the interval {brackets(ratio)} {near}")


def within(measured: Quantity, expected: Quantity, factor: float) -> Verdict:
    """Tests a size without a direction: the intervals meet once the expected one is widened by `factor` on
    both sides."""
    if meets(measured, expected, factor):
        return Verdict(AGREES, f"same size: within {allowance(expected, factor)}")
    return Verdict(DIFFERS, f"another size: {span(measured)} is not within {allowance(expected, factor)}")


def over_other_links(ratio: Quantity, published: Quantity | None = None, factor: float = SAME_SIZE) -> Verdict:
    """Tests a ratio as it was published, of processors whose links are of another kind: the direction is all that can be
    the same."""
    verdict = as_published(ratio, published, factor)
    if verdict.word != AGREES:
        return verdict
    return Verdict(SAME_DIRECTION, f"{verdict.reason}; but the links are of another kind")


# Tests by their names in the files: (measured, published, factor) -> verdict. The last three test nothing.
TESTS = {
    "ratio": as_published,
    "other links": over_other_links,
    "size": within,
    "not stated": lambda *_: not_comparable("the document states neither a time nor a ratio"),
    "another machine": lambda *_: not_comparable("another machine, so only ratios are compared"),
    "by construction": lambda *_: not_comparable("equal by construction, not found out by measuring"),
}


def rising(named: list[tuple[str, Quantity]]) -> Verdict:
    """Tests an order: each is smaller than the next, with separate intervals."""
    for (left, a), (right, b) in zip(named, named[1:]):
        if interval(a)[0] >= interval(b)[1]:
            return Verdict(DIFFERS, f"another order: {right} comes before {left}")
        if interval(a)[1] >= interval(b)[0]:
            return Verdict(DIFFERS, f"no order: the intervals of {left} and {right} overlap")
    return Verdict(AGREES, "same order: " + " < ".join(name for name, _ in named) + ", with intervals apart")


def meets(measured: Quantity, expected: Quantity, factor: float) -> bool:
    low, high = interval(expected)
    mine = interval(measured)
    return mine[1] * factor >= low and mine[0] <= high * factor


def allowance(expected: Quantity, factor: float) -> str:
    return f"a factor of {factor:g} of {span(expected)}"


def span(quantity: Quantity) -> str:
    """Returns 1.2 to 1.4, or an exact number."""
    low, high = interval(quantity)
    return digits(low) if low == high else f"{digits(low)} to {digits(high)}"


def interval(quantity: Quantity) -> tuple[float, float]:
    """Returns the ends of an interval; an exact number, such as a count, twice."""
    return (quantity.low, quantity.high) if quantity.has_interval else (quantity.value, quantity.value)


def overall(verdicts: list[Verdict]) -> Verdict:
    """Returns the verdict of an experiment. If its main finding, the first, cannot be compared, neither can
    the experiment. If any finding differs, the experiment does; otherwise the main finding decides."""
    main, others = verdicts[0], verdicts[1:]
    if main.word not in COMPARABLE:
        return Verdict(main.word, "; ".join([main.reason, *counts(others, "of the other findings")]))
    rest = sum(v.word not in COMPARABLE for v in verdicts)
    summary = counts(verdicts, "of the findings") + ([f"{rest} cannot be compared"] if rest else [])
    summary += [f"the main one {main.by}"] if main.by else []
    differs = any(v.word == DIFFERS for v in verdicts)
    return Verdict(DIFFERS if differs else main.word, ", ".join(summary), main.by)


def counts(verdicts: list[Verdict], noun: str) -> list[str]:
    """Returns ["2 of the findings agree", "1 has the same direction"]; nothing if nothing is comparable."""
    texts = ((AGREES, "agrees", "agree"), (SAME_DIRECTION, "has the same direction", "have the same direction"),
             (DIFFERS, "differs", "differ"))
    summary = []
    for word, one, many in texts:
        n = sum(v.word == word for v in verdicts)
        if n:
            summary.append(f"{n}{'' if summary else ' ' + noun} {one if n == 1 else many}")
    return summary
