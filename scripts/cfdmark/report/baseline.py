"""Baselines of speedups: selects the record that a speedup refers to and names it in every cell."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from cfdmark.records.records import BadInput, Dataset, Record
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import times_faster
from cfdmark.text.suggestion import did_you_mean
from cfdmark.text.wording import full_row_text, value_text

DEFAULTS = {"backend": "serial", "threads": "1"}
HOST = "host"  # as a backend: the fastest one on the CPU
PREFERRED_METHOD = "plain"  # default; a row without this method is represented by its fastest method
TEXTBOOK = "plain or textbook"  # as a method: the one that needs no tuning parameters
TEXTBOOK_METHODS = ("plain", "textbook", "rhie_chow")  # its names in the solver families
ROW_FIELDS = ("backend", "precision", "method")
FIELDS = (*ROW_FIELDS, "name", "machine", "threads")
HELP = (
    "fields backend, precision, method, name, machine, threads or any config parameter, for example "
    "`openmp`, `openmp/fp64/plain` or `backend=openmp,method=plain,threads=2`"
)


@dataclass(frozen=True)
class Selector:
    """Fields that a baseline must have; every other field is the same as in the compared record."""

    fields: dict[str, str]

    def short_text(self) -> str:
        """Returns: serial, 1 thread. For the axis of a figure."""
        if self.fields.get("backend") == HOST:
            return "the host's best row"
        if "backend" not in self.fields:
            return f"the {self.fields['method']} method on the same backend"
        row = "/".join(self.fields[key] for key in ROW_FIELDS if key in self.fields)
        others = [f"{key} {value}" for key, value in self.fields.items() if key not in ROW_FIELDS]
        return ", ".join([row, *others]).replace("threads 1", "1 thread")

    def text(self) -> str:
        """Returns: serial, 1 thread, method plain; same kernel or solver, precision, grid, problem and
        tolerance."""
        named = "method" in self.fields or self.fields.get("backend") == HOST
        method = "" if named else f", method {PREFERRED_METHOD} where there is one"
        same = "" if "precision" in self.fields else "precision, "
        return f"{self.short_text()}{method}; same kernel or solver, {same}grid, problem and tolerance"

    def accepts(self, dataset: Dataset, record: Record) -> bool:
        return all(holds(dataset, record, key, value) for key, value in self.fields.items())


def holds(dataset: Dataset, record: Record, key: str, value: str) -> bool:
    """True if a record has the value that a selector requires for a field."""
    if (key, value) == ("backend", HOST):
        return record.on_host
    if (key, value) == ("method", TEXTBOOK):
        return record.method in TEXTBOOK_METHODS
    return field_of(dataset, record, key) == value


def field_of(dataset: Dataset, record: Record, key: str) -> str | None:
    if key == "machine":
        return dataset.machine_label(record)
    if key == "threads":
        return None if record.threads is None else str(record.threads)
    if key in FIELDS:
        return getattr(record, key)
    value = record.config.get(key)
    return None if value is None else value_text(value)


def parse_fields(text: str) -> dict[str, str]:
    if "=" not in text:
        return dict(zip(ROW_FIELDS, text.split("/")))
    pairs = [part.partition("=") for part in text.split(",")]
    return {key.strip(): value.strip() for key, _, value in pairs}


def default_selector(dataset: Dataset) -> Selector:
    """Returns one core; otherwise the host's fastest row; for devices alone, the plain or textbook method of
    each."""
    ok = dataset.ok()
    one_core = Selector(DEFAULTS)
    if any(one_core.accepts(dataset, r) for r in ok):
        return one_core
    if any(r.on_host for r in ok) and not all(r.on_host for r in ok):
        return Selector({"backend": HOST})
    return Selector({"method": TEXTBOOK})


def parse_selector(text: str | None, dataset: Dataset) -> Selector:
    if text is None:
        return default_selector(dataset)
    fields = parse_fields(text)
    check_fields(text, fields, dataset)
    return Selector({"backend": DEFAULTS["backend"], **fields})


def check_fields(text: str, fields: dict[str, str], dataset: Dataset) -> None:
    """Raises BadInput for an unknown field or value: a misspelt baseline must not become a report without
    speedups."""
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
    return did_you_mean(word, known) or (f"; known are {', '.join(known)}" if known else "")


@dataclass(frozen=True)
class Speedup:
    record: Record
    baseline: Record
    ratio: Quantity
    baseline_text: str


class Baselines:
    """Finds the baseline of a record: the fastest of the records that fit, which is the hardest to beat."""

    def __init__(self, dataset: Dataset, selector: Selector):
        self.dataset, self.selector = dataset, selector
        self.candidates: dict[tuple, list[Record]] = defaultdict(list)
        for record in dataset.ok():
            if selector.accepts(dataset, record):
                self.candidates[self.same(record)].append(record)

    def same(self, record: Record) -> tuple:
        """Returns what baseline and record must have in common."""
        keys = [k for k in ("name", "precision", "machine", "backend") if k not in self.selector.fields]
        return (
            record.kind,
            record.grid,
            record.problem,
            record.number("solver", "tolerance"),
            *(field_of(self.dataset, record, key) for key in keys),
        )

    def fitting(self, record: Record) -> list[Record]:
        found = self.candidates.get(self.same(record), [])
        if "method" in self.selector.fields or self.selector.fields.get("backend") == HOST:
            return found
        return [r for r in found if r.method == PREFERRED_METHOD] or found

    def of(self, record: Record) -> Speedup | None:
        found = self.fitting(record)
        if not found:
            return None
        best = min(found, key=lambda r: r.iteration_time.value)
        ratio = Quantity(1.0, 1.0, 1.0) if best is record else times_faster(record, best)
        return Speedup(record, best, ratio, self.name_of(best))

    def name_of(self, record: Record) -> str:
        return full_row_text(record, self.dataset.where(record), self.dataset.varying_parameters)
