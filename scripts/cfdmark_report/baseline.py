"""Speedup needs a baseline: which record it is, chosen by a selector and named in every cell."""

from __future__ import annotations

import difflib
from collections import defaultdict
from dataclasses import dataclass

from .quantity import Quantity
from .records import BadInput, Dataset, Record
from .statistics import times_faster
from .wording import full_row_text

DEFAULTS = {"backend": "serial", "method": "plain", "threads": "1"}
FIELDS = ("backend", "precision", "method", "name", "machine", "threads")
HELP = (
    "fields backend, precision, method, name, machine, threads or any config parameter, for example "
    "`openmp`, `openmp/fp64/plain` or `backend=openmp,method=plain,threads=2`"
)


@dataclass(frozen=True)
class Selector:
    """Fields that a baseline must have; every other one is the same as in the compared record."""

    fields: dict[str, str]

    def short_text(self) -> str:
        """serial/plain, 1 thread: for the axis of a figure"""
        row = "/".join(self.fields[key] for key in ("backend", "precision", "method") if key in self.fields)
        others = [
            f"{key} {value}"
            for key, value in self.fields.items()
            if key not in ("backend", "precision", "method")
        ]
        return ", ".join([row, *others]).replace("threads 1", "1 thread")

    def text(self) -> str:
        """serial, method plain, 1 thread; same kernel or solver, precision, grid and problem"""
        spoken = {"backend": "{}", "machine": "machine {}", "method": "method {}", "threads": "threads {}"}
        given = ", ".join(spoken.get(key, key + " {}").format(value) for key, value in self.fields.items())
        given = given.replace("threads 1", "1 thread")
        same = [key for key in ("precision",) if key not in self.fields]
        return f"{given}; same kernel or solver, {', '.join(same + ['grid and problem'])}"

    def accepts(self, dataset: Dataset, record: Record) -> bool:
        return all(field_of(dataset, record, key) == value for key, value in self.fields.items())


def field_of(dataset: Dataset, record: Record, key: str) -> str | None:
    if key == "machine":
        return dataset.letter(record)
    if key == "threads":
        return None if record.threads is None else str(record.threads)
    if key in FIELDS:
        return getattr(record, key)
    value = record.config.get(key)
    return None if value is None else f"{value:g}"


def parse_fields(text: str) -> dict[str, str]:
    if "=" not in text:
        return dict(zip(("backend", "precision", "method"), text.split("/")))
    pairs = [part.partition("=") for part in text.split(",")]
    return {key.strip(): value.strip() for key, _, value in pairs}


def parse_selector(text: str | None, dataset: Dataset) -> Selector:
    if text is None:
        return Selector(DEFAULTS)
    fields = parse_fields(text)
    check_fields(text, fields, dataset)
    unasked = {key: value for key, value in DEFAULTS.items() if key != "threads"}
    return Selector({**unasked, **fields})


def check_fields(text: str, fields: dict[str, str], dataset: Dataset) -> None:
    """A misspelt baseline must not become a report without speedups."""
    parameters = {key for r in dataset.records for key in r.config}
    for key, value in fields.items():
        known_keys = sorted({*FIELDS, *parameters})
        if key not in known_keys:
            raise BadInput(f"--baseline {text}: unknown field `{key}`{nearest(key, known_keys)}; {HELP}")
        values = sorted({v for r in dataset.records if (v := field_of(dataset, r, key)) not in (None, "")})
        if value not in values:
            raise BadInput(
                f"--baseline {text}: no record has {key} `{value}`{nearest(value, values)}; {HELP}"
            )


def nearest(word: str, known: list[str]) -> str:
    close = difflib.get_close_matches(word, known, n=1)
    if close:
        return f", did you mean `{close[0]}`?"
    return f" (there is {', '.join(known)})" if known else ""


@dataclass(frozen=True)
class Speedup:
    record: Record
    baseline: Record
    ratio: Quantity
    baseline_text: str


class Baselines:
    """Finds the baseline of a record; of several that fit, the fastest, which is the hardest to beat."""

    def __init__(self, dataset: Dataset, selector: Selector):
        self.dataset, self.selector = dataset, selector
        self.candidates: dict[tuple, list[Record]] = defaultdict(list)
        for record in dataset.ok():
            if selector.accepts(dataset, record):
                self.candidates[self.same(record)].append(record)

    def same(self, record: Record) -> tuple:
        """What baseline and record must have in common."""
        keys = [key for key in ("name", "precision", "machine") if key not in self.selector.fields]
        return (
            record.kind,
            record.grid,
            record.problem,
            *(field_of(self.dataset, record, key) for key in keys),
        )

    def of(self, record: Record) -> Speedup | None:
        found = self.candidates.get(self.same(record))
        if not found:
            return None
        best = min(found, key=lambda r: r.iteration_time.value)
        ratio = Quantity(1.0, 1.0, 1.0) if best is record else times_faster(record, best)
        return Speedup(record, best, ratio, full_row_text(best, self.dataset.where(best)))
