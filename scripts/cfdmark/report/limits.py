"""Measured ceilings of a device: memory, last cache and arithmetic, and the cost of a launch. Several
measurements are joined by their median, from the lowest to the highest end of their intervals."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median

from cfdmark.records.machine import on_gpu, part
from cfdmark.records.records import Dataset, Record
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import with_unit

from .ceiling import raised

MEMORY, CACHE, ARITHMETIC, LAUNCH = "memory", "cache", "arithmetic", "launch"
FUSED, SEPARATE = "fused_multiply_add", "separate_multiply_add"
STREAMS = ("copy", "triad")  # kernels whose records replace a ceiling that was not measured


@dataclass(frozen=True)
class Limit:
    value: Quantity  # bytes or operations a second, or seconds
    by: str  # kernel


@dataclass(frozen=True)
class Place:
    """Device that a ceiling holds for, and the number of threads if the method has that choice."""

    hardware: str
    backend: str  # cuda:1 for a second device
    threads: int | None


def quantity(entry: dict, key: str) -> Quantity | None:
    """Returns a positive number with its interval; without one that does not hold it."""
    value, low, high = entry.get(key), entry.get("low"), entry.get("high")
    if value is None:
        return None
    whole = low is not None and high is not None and low <= value <= high
    return Quantity(value, low, high) if whole else Quantity(value)


def joined(found: list[Quantity]) -> Quantity:
    """Returns the median, from the lowest to the highest end; without an interval if none has one."""
    value, ends = median(q.value for q in found), [q for q in found if q.has_interval]
    if not ends:
        return Quantity.without_interval(value, *found)
    return Quantity(value, min(value, *(q.low for q in ends)), max(value, *(q.high for q in ends)))


def storage(precision: str) -> str:
    return "fp32" if precision == "mixed" else precision


def drifts(limits: Limits, of: str) -> list[str]:
    """Returns the range of each ceiling that was measured several times: openmp fp64 triad 116 to 161 GB/s.
    """
    summary = []
    for key, values in limits.found.items():
        place, precision, kind, kernel = key
        seen = [q.value for q in values] + limits.slower.get(key, [])
        least, most = (with_unit(end(seen), "bytes_per_second") for end in (min, max))
        if kind == of and least != most:
            summary.append(f"{place.backend} {precision} {kernel} {least.removesuffix(' GB/s')} to {most}")
    return summary


class Limits:
    """Ceilings of all devices in a dataset. Records of copy and triad replace those that were not measured.
    """

    def __init__(self, dataset: Dataset):
        self.dataset = dataset
        self.found: dict[tuple, list[Quantity]] = {}  # (place, precision, of, kernel)
        self.slower: dict[tuple, list[float]] = {}  # likewise: lower values from later in the same run
        for key, environment in dataset.environments.items():
            for entry in environment.get("roofs", []):
                value = quantity(entry, "bytes_per_second")
                if value and "unsound" not in entry:
                    above = raised(entry, on_host=not on_gpu(entry, environment))
                    self.add(key, entry, MEMORY, value.scaled(above))
                    if "least" in entry:
                        self.slower.setdefault(self.key_of(key, entry, MEMORY), []).append(above * entry["least"])
            for entry in environment.get("limits", []):
                self.add(key, entry, str(entry.get("of")), quantity(entry, "value"))

    def key_of(self, environment: str, entry: dict, of: str) -> tuple:
        backend = str(entry.get("backend"))
        where = f"{backend}:{device}" if (device := entry.get("device", 0)) > 0 else backend
        place = Place(self.hardware(environment, backend), where, part(entry, "config").get("threads"))
        return (place, str(entry.get("precision")), of, str(entry.get("kernel")))

    def add(self, environment: str, entry: dict, of: str, value: Quantity | None) -> None:
        if value:
            self.found.setdefault(self.key_of(environment, entry, of), []).append(value)

    def hardware(self, environment: str, backend: str) -> str:
        facts = self.dataset.environments.get(environment, {})
        on_device = on_gpu({"backend": backend}, facts)
        there = part(facts, "gpu").get("name") if on_device else part(facts, "host").get("cpu")
        return str(there or "a device without a name")

    def place(self, record: Record) -> Place:
        hardware = self.hardware(record.environment, record.raw["backend"])
        return Place(hardware, record.backend, record.config.get("threads"))

    def limit(self, place: Place, precision: str, of: str, kernels: tuple[str, ...]) -> Limit | None:
        """Returns the highest ceiling by these kernels. A ceiling that CUDA reaches on a GPU also holds for
        Kokkos on it."""
        places = dict.fromkeys([place, *([] if of == LAUNCH else [replace(place, backend="cuda")])])
        keys = [(where, precision, of, kernel) for where in places for kernel in kernels]
        made = [Limit(joined(self.found[key]), key[-1]) for key in keys if key in self.found]
        return max(made, key=lambda limit: limit.value.value, default=None)

    @cached_property
    def streams(self) -> dict[tuple, list[Record]]:
        """Records of copy and triad by place, storage precision and regime."""
        made: dict[tuple, list[Record]] = {}
        for r in self.dataset.ok("kernel"):
            if r.name in STREAMS and r.number("rate", "bytes_per_second"):
                made.setdefault((self.place(r), storage(r.precision), r.regime), []).append(r)
        return made

    def stream(self, place: Place, precision: str, regime: str) -> Limit | None:
        found = self.streams.get((place, precision, regime), [])
        if not found:
            return None
        best = max(found, key=lambda r: r.number("rate", "bytes_per_second"))
        above = raised({"kernel": best.name}, best.on_host and regime == "memory")
        bytes_a_step = above * best.number("rate", "bytes_per_second") * best.time.value
        return Limit(best.time.per_second(bytes_a_step), f"the record of {best.name}")

    def memory(self, place: Place, precision: str) -> Limit | None:
        kept = storage(precision)
        return self.limit(place, kept, MEMORY, STREAMS) or self.stream(place, kept, "memory")

    def cache(self, place: Place, precision: str) -> Limit | None:
        kept = storage(precision)
        return self.limit(place, kept, CACHE, STREAMS) or self.stream(place, kept, "cache")

    def arithmetic(self, place: Place, precision: str, *kernels: str) -> Limit | None:
        computing = "fp64" if precision == "mixed" else precision
        return self.limit(place, computing, ARITHMETIC, kernels or (FUSED, SEPARATE))

    def launch(self, place: Place, precision: str) -> Limit | None:
        return self.limit(place, storage(precision), LAUNCH, STREAMS)
