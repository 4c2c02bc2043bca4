"""Bound of a case, in one word and one sentence: the ceiling of which it reaches the largest share, if that
is at least half."""

from __future__ import annotations

from dataclasses import dataclass

from cfdmark.records.record_check import finite
from cfdmark.records.records import Record
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import with_unit
from cfdmark.text.wording import LAUNCH_SECONDS, capital, listed, plural

from .ceiling import ABOVE, TOLERANCE
from .limits import ARITHMETIC, CACHE, MEMORY, Limits

LAUNCHES, NONE, UNKNOWN = "launches", "none", "unknown"
WORDS = (LAUNCHES, CACHE, MEMORY, ARITHMETIC, NONE, UNKNOWN)
ENOUGH = 0.5  # smallest share of a ceiling that bounds a case
LEAST, MOST = 1e-30, 1e30  # range of rates that can be drawn


@dataclass(frozen=True)
class Bound:
    word: str  # one of WORDS
    share: float | None  # share of that ceiling
    sentence: str


@dataclass(frozen=True)
class Share:
    word: str
    value: float
    sentence: str  # without the full stop


def share_of(value: float) -> str:
    """Returns: 92 % of, or 12 times."""
    if value >= 9.995:
        return f"{value:.0f} times"
    return f"{100 * value:.0f} % of" if value >= 0.01 else "less than 1 % of"


def drawable(value: float) -> bool:
    return finite(value) and LEAST <= value <= MOST


def flops_rate(record: Record) -> Quantity | None:
    """Returns operations a second; None for a kernel without operations or without a count."""
    flops, time = record.number("cost", "flops"), record.time
    if not flops or not drawable(flops / time.value):
        return None
    return time.per_second(flops)


def launch_share(record: Record, limits: Limits) -> Share | None:
    """Returns the share of launches in a step or an iteration. Without a measured launch time it uses the
    largest one usual on GPUs."""
    limit = limits.launch(limits.place(record), record.precision)
    seconds = limit.value.value if limit else LAUNCH_SECONDS
    time, on_host = record.iteration_time.value, record.on_host
    count = record.launches or (1 if record.kind == "kernel" and on_host and limit else None)
    if not count or not drawable(count):
        return None
    share = count * seconds / time
    if on_host:
        summary = f"starting a step takes {with_unit(seconds, 'seconds')} of its {with_unit(time, 'seconds')}"
    elif limit:
        summary = f"{plural(round(count), 'launch', 'launches')} of {with_unit(seconds, 'seconds')}" + (
            f" would take {share_of(share)} its {with_unit(time, 'seconds')}"
        )
    else:
        summary = f"{with_unit(time / count, 'seconds')} a launch, which usually costs 2 to 4 µs by itself"
    return Share(LAUNCHES, share, summary)


def bandwidth_share(record: Record, limits: Limits) -> Share | None:
    """Returns the share of the memory or cache bandwidth, whichever holds the fields. In the transition
    regime: the one that explains the rate."""
    bandwidth, place = record.number("rate", "bytes_per_second"), limits.place(record)
    memory, cache = limits.memory(place, record.precision), limits.cache(place, record.precision)
    word = {"cache": CACHE, "memory": MEMORY}.get(record.regime)
    if record.regime == "transition" and memory:
        word = CACHE if bandwidth and bandwidth > memory.value.value else MEMORY
    limit = {CACHE: cache, MEMORY: memory}.get(word)
    if not bandwidth or not limit:
        return None
    share = bandwidth / limit.value.value
    summary = f"{with_unit(bandwidth, 'bytes_per_second')} is {share_of(share)} what {'the cache' if word == CACHE else word} gives"
    if share > TOLERANCE and word == CACHE:
        summary += ", so nearer caches help"
    elif share > TOLERANCE:
        given = with_unit(limit.value.value, "bytes_per_second")
        summary = f"{with_unit(bandwidth, 'bytes_per_second')} is {ABOVE} for memory, {given}: the ceiling was measured too low, or caches help"
        return Share(UNKNOWN, share, summary)
    return Share(word, share, summary)


def arithmetic_share(record: Record, limits: Limits) -> Share | None:
    rate, limit = flops_rate(record), limits.arithmetic(limits.place(record), record.precision)
    if not rate or not limit:
        return None
    share = rate.value / limit.value.value
    return Share(ARITHMETIC, share, f"{with_unit(rate.value, 'flops_per_second')} is {share_of(share)} what arithmetic gives")


def missing(record: Record, limits: Limits) -> list[str]:
    """Returns the ceilings that could bound the case and were not measured."""
    place, regime = limits.place(record), record.regime
    could = {
        MEMORY: regime != "cache" and limits.memory,
        CACHE: regime != "memory" and limits.cache,
        ARITHMETIC: record.number("cost", "flops") and limits.arithmetic,
    }
    return [word for word, limit in could.items() if limit and not limit(place, record.precision)]


def bound_of(record: Record, limits: Limits) -> Bound:
    shares = [s(record, limits) for s in (launch_share, bandwidth_share, arithmetic_share)]
    found = sorted(filter(None, shares), key=lambda s: -s.value)
    nearest, absent = (found[0] if found else None), missing(record, limits)
    if nearest and nearest.word == UNKNOWN:
        return Bound(UNKNOWN, None, sentence(nearest.sentence))
    if nearest and nearest.value >= ENOUGH:
        return Bound(nearest.word, nearest.value, sentence(nearest.sentence))
    if absent:
        summary = f"; {nearest.sentence}" if nearest else ""
        return Bound(UNKNOWN, None, sentence(f"the roof of {listed(absent)} was not measured{summary}"))
    if nearest:
        return Bound(NONE, nearest.value, sentence(f"{nearest.sentence}, the nearest; the rest is latency"))
    return Bound(UNKNOWN, None, "The record has neither bytes nor operations.")


def sentence(text: str) -> str:
    return f"{capital(text)}."
