"""Numbers for people: units with prefixes, and digits limited by the interval."""

from __future__ import annotations

import math
from collections.abc import Callable

from cfdmark.stats.quantity import Quantity

# kind -> (factor, unit) from small to large; a column uses one of them throughout
LADDERS = {
    "seconds": [(1e-15, "fs"), (1e-12, "ps"), (1e-9, "ns"), (1e-6, "µs"), (1e-3, "ms"), (1.0, "s")],
    "bytes": [(1.0, "B"), (1e3, "kB"), (1e6, "MB"), (1e9, "GB")],
    "joules": [(1e-9, "nJ"), (1e-6, "µJ"), (1e-3, "mJ"), (1.0, "J"), (1e3, "kJ")],
    "watts": [(1.0, "W")],
    "hertz": [(1e6, "MHz")],
    "bytes_per_second": [(1e9, "GB/s")],
    "flops_per_second": [(1e9, "GFLOP/s"), (1e12, "TFLOP/s")],
    "updates_per_second": [(1e9, "GLUP/s")],
    "per_second": [(1.0, "1/s")],
    "fraction": [(0.01, "%")],
    "ratio": [(1.0, "")],
    "plain": [(1.0, "")],
}
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
DIGITS_WITHOUT_INTERVAL = 3
LONGEST_CLOCK = 3.6e9  # seconds: a million hours
WIDE = 0.2  # of the value: a larger uncertainty is shown by the ends of its interval


def scale_for(kind: str, values: list[float]) -> tuple[float, str]:
    """Returns the factor and unit of a column: the largest unit in which the geometric mean is at least one.
    """
    ladder = LADDERS[kind]
    positive = [v for v in values if v > 0]
    if not positive:
        return ladder[0] if kind != "seconds" else ladder[-1]
    typical = math.exp(sum(map(math.log, positive)) / len(positive))
    fitting = [step for step in ladder if step[0] <= typical * 1.0000001]
    return fitting[-1] if fitting else ladder[0]


def decimals(value: float, uncertainty: float | None) -> int:
    """Returns the decimals that show one digit of the uncertainty (two if it starts with 1), at most 5 digits
    in all."""
    if value == 0 and not uncertainty or not math.isfinite(value) or not math.isfinite(uncertainty or 0):
        return 0
    size = math.floor(math.log10(abs(value))) if value else 0
    if not uncertainty:
        return max(0, DIGITS_WITHOUT_INTERVAL - 1 - size)
    exponent = math.floor(math.log10(uncertainty))
    leading = int(uncertainty / 10.0**exponent)
    wanted = -exponent + (1 if leading == 1 else 0)
    return min(wanted, 4 - size)


def fixed(value: float, places: int) -> str:
    """Formats with thousands separators; negative places round to tens, hundreds."""
    return f"{round(value, places):,.{max(0, places)}f}"


def rounded(quantity: Quantity) -> str:
    return fixed(quantity.value, decimals(quantity.value, quantity.uncertainty))


def counted(quantity: Quantity) -> str:
    """Returns (3 samples) if these are too few for an interval."""
    return f" ({quantity.count})" if quantity.count else ""


def plus_minus(quantity: Quantity) -> str:
    """Returns 12.35 ± 0.03, or the ends of a wide interval: 12 [9, 22]."""
    if not quantity.has_interval:
        return rounded(quantity) + counted(quantity)
    if quantity.uncertainty > WIDE * abs(quantity.value):
        return brackets(quantity)
    places = decimals(quantity.value, quantity.uncertainty)
    return f"{fixed(quantity.value, places)} ± {fixed(quantity.uncertainty, places)}"


def brackets(quantity: Quantity) -> str:
    """Returns 3.21 [3.15, 3.28]. Uses one more decimal, or three digits each, if numbers would look equal or
    zero: 48.6 [46.5, 49.0], 1.24 [0.004, 3.41]."""
    if not quantity.has_interval:
        return rounded(quantity) + (counted(quantity) or " (no interval)")
    places = max(0, decimals(quantity.value, quantity.uncertainty))
    ends = (quantity.low, quantity.value, quantity.high)
    ways = [fixed_to(places), fixed_to(places + 1), digits]
    way = next((way for way in ways if distinguishable(ends, list(map(way, ends)))), ways[0])
    low, value, high = map(way, ends)
    return f"{value} [{low}, {high}]"


def fixed_to(places: int) -> Callable[[float], str]:
    return lambda value: fixed(value, places)


def distinguishable(values: tuple[float, ...], texts: list[str]) -> bool:
    """True if texts differ wherever the values do, also from zero."""
    shown = dict(zip(texts, values))
    return len(shown) == len(set(values)) and all(float(t.replace(",", "")) != 0 or v == 0 for t, v in shown.items())


def digits(value: float) -> str:
    """Returns three digits without trailing zeros: 22, 1.18, 1,000."""
    return f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}"


def three_digits(quantity: Quantity) -> str:
    """Returns 2.42 [1.29, 4.49] for an interval of any width; 2.42 (3 samples) without one; an exact number
    alone."""
    if not quantity.has_interval:
        return digits(quantity.value) + counted(quantity)
    return f"{digits(quantity.value)} [{digits(quantity.low)}, {digits(quantity.high)}]"


def scientific(value: float) -> str:
    """1e-8, 3.2e-4"""
    return "0" if value == 0 else f"{value:.1e}".replace("e-0", "e-").replace("e+0", "e+").replace(".0e", "e")


def power_of_ten(value: float) -> str:
    """Returns 10⁻⁴ or 3×10⁻⁴, for axes."""
    exponent = math.floor(math.log10(value) + 1e-9)
    leading = value / 10.0**exponent
    factor = "" if abs(leading - 1) < 1e-6 else f"{leading:.3g}×"
    return f"{factor}10{str(exponent).translate(SUPERSCRIPTS)}"


def clock(seconds: float) -> str:
    """Returns hours, minutes and seconds: 1:23:45."""
    whole = math.floor(seconds + 0.5)
    return f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"


def clock_text(quantity: Quantity) -> str:
    """Returns 2:00:04 ± 3 s, or 2:00:04 [1:30:00, 2:40:00] for a wide interval."""
    if not quantity.has_interval:
        return clock(quantity.value)
    if quantity.uncertainty > WIDE * abs(quantity.value):
        return f"{clock(quantity.value)} [{clock(quantity.low)}, {clock(quantity.high)}]"
    return f"{clock(quantity.value)} ± {quantity_with_unit(Quantity(quantity.uncertainty), 'seconds')}"


def with_unit(value: float, kind: str) -> str:
    """Returns one number with its own unit, for running text: 1.23 ms."""
    return quantity_with_unit(Quantity(value), kind)


def quantity_with_unit(quantity: Quantity, kind: str) -> str:
    if kind == "seconds" and 999.5 <= quantity.value <= LONGEST_CLOCK:
        return clock_text(quantity)
    factor, unit = scale_for(kind, [quantity.value])
    scaled = quantity.scaled(1 / factor)
    number = plus_minus(scaled) if scaled.has_interval else rounded(scaled)
    return f"{number} {unit}".rstrip() + counted(quantity)


def short_count(value: float) -> str:
    """Returns 65.5k, 1.05M, for axes and dense tables."""
    for factor, suffix in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= factor:
            return f"{value / factor:.3g}{suffix}"
    return f"{value:.3g}"
