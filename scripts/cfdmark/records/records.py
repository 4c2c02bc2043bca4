"""Reads record files: keeps every usable line and names every other. results/README.md defines the lines."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from cfdmark.stats.quantity import Quantity, process_samples, time_of
from cfdmark.text.printable import printable

from .machine import machine_ids
from .record_check import BadLine, checked, expect, finite, object_in

# Factor by which a true residual may exceed its tolerance; solvers/base/convergence.hpp explains the number.
TRUE_RESIDUAL_FACTOR = 1.5
# Names of the residuals that the true residual covers.
OF_TRUE_RESIDUAL = ("b - A u", "b - A x", "momentum", "continuity_residual")
LATTICE = "lattice"  # default numbering of a mesh: as generated, or as in its file
ASKED_OF_ALL = ("problem", "tolerance", "max_iterations")  # other members are settings of the problem


class BadInput(Exception):
    """Input that cannot be used. The message is for the user."""


@dataclass(frozen=True)
class Routine:
    """A routine of a solver, timed by itself over a whole solve."""

    name: str
    seconds: float
    calls: float | None


class Record:
    """One case, read through typed accessors: a value of the wrong type counts as absent."""

    def __init__(self, raw: dict, file: Path | None = None, time: str = "", clean: bool = False):
        self.raw = raw
        self.file = file
        self.written = time  # start of its run, UTC in ISO 8601; empty if unknown
        self.clean = clean  # built from a commit without local changes
        self.case, self.kind, self.name = raw["case"], raw["kind"], raw["name"]
        self.backend, self.precision, self.method = raw["backend"], raw["precision"], raw["method"]
        if self.device > 0:
            self.backend += f":{self.device}"  # as in the case's name
        self.mesh, self.matrix = raw.get("mesh", ""), raw.get("matrix", "")  # text of the domain; empty for another kind
        named = self.mesh or self.matrix
        self.grid = (named,) if named else tuple(raw["grid"])  # equal for cases on one domain
        self.nodes = int(raw["nodes"]) if named else math.prod(self.grid)
        self.status = raw["status"]
        self.ok = self.status == "ok"

    def section(self, key: str) -> dict:
        return self.raw.get(key, {})

    @property
    def dims(self) -> int:
        """Dimensions of the domain: 2 or 3; 2 for a matrix, which has none."""
        if not self.mesh:
            return 2 if self.matrix else len(self.grid)
        return int(self.number("mesh_facts", "dims") or (3 if self.mesh.startswith("tetrahedra-") else 2))

    @property
    def mesh_kind(self) -> str:
        """Cells of the mesh: triangles or tetrahedra; empty on a grid."""
        return ("triangles" if self.dims == 2 else "tetrahedra") if self.mesh else ""

    @property
    def numbering(self) -> str:
        """Order of the mesh's cells; empty on a grid."""
        return self.text("workload", "numbering") or LATTICE if self.mesh else ""

    @property
    def device(self) -> int:
        """Index of the backend's device; 0 if the record does not say."""
        return int(self.number("device", "index") or 0)

    def number(self, section: str, key: str) -> float | None:
        value = self.section(section).get(key)
        return value if finite(value) else None

    def text(self, section: str, key: str) -> str | None:
        value = self.section(section).get(key)
        return value if isinstance(value, str) else None

    @property
    def label(self) -> str:
        """Name of the case for people: only settings that differ from their defaults."""
        return self.raw.get("label", self.case)

    @property
    def config(self) -> dict:
        """Settings by name: numbers and choices."""
        return self.section("config")

    def has_numbers(self, *settings: str) -> bool:
        """True if the config or the problem gives each of these settings as a number."""
        given = self.section("workload") | self.config
        return all(finite(given.get(name)) for name in settings)

    @property
    def matrix_name(self) -> str:
        """The matrix without its size: poisson of poisson-100x100; of a file its name and checksum; else empty."""
        return re.sub(r"^([a-z][a-z0-9_]*)-[0-9]+(x[0-9]+)+(?=\+|$)", r"\1", self.matrix)

    @property
    def problem(self) -> str:
        """Problem with the settings that differ from their defaults: jump, or jump with conductivity=10. For
        a kernel its problem settings: operator=arrays; for a matrix its name. Only records of the same problem
        are compared."""
        name = self.matrix_name or self.text("workload", "problem") or ""
        differing = (part.partition("=") for part in self.raw.get("label", "").partition(";")[2].split(","))
        own = ", ".join(f"{key}={value}" for key, _, value in differing if key and key not in ASKED_OF_ALL)
        return f"{name} with {own}" if name and own else name or own

    @property
    def operation(self) -> str:
        """Name of the solver, or of the kernel with its problem settings: jacobi, operator=arrays."""
        return f"{self.name}, {self.problem}" if self.kind == "kernel" and self.problem else self.name

    @property
    def reason(self) -> str:
        return str(self.raw.get("reason") or "no reason was recorded")

    @property
    def environment(self) -> str:
        return str(self.raw.get("environment", ""))

    @cached_property
    def samples(self) -> tuple[float, ...]:
        """Seconds a step. Empty unless the case is ok: a result that failed verification has no time."""
        return tuple(self.section("time")["samples"]) if self.ok else ()

    @cached_property
    def processes(self) -> tuple[tuple[float, ...], ...]:
        """Samples of each process that measured the case."""
        return process_samples(self.section("time")) if self.ok else ()

    @cached_property
    def time(self) -> Quantity | None:
        """Seconds a step; for a solver, seconds to its end."""
        return time_of(self.section("time")) if self.ok else None

    @property
    def iteration_scale(self) -> float:
        """Factor from seconds a step to seconds an iteration; 1 for a kernel."""
        per_iteration = self.number("solver", "time_per_iteration")
        if self.kind != "solver" or not per_iteration:
            return 1.0
        return per_iteration / self.time.value

    @property
    def iterations(self) -> float:
        """Iterations of a solver; 1 for a kernel."""
        return self.number("solver", "iterations") or 1.0

    @property
    def bytes_an_iteration(self) -> float | None:
        """Declared bytes of an iteration or a step."""
        declared = self.number("cost", "bytes")
        return declared / self.iterations if declared else None

    @cached_property
    def iteration_time(self) -> Quantity | None:
        return self.time.scaled(self.iteration_scale) if self.ok else None

    @property
    def converged(self) -> bool:
        """True by the true residual, whatever the solver reports. A flow with an end time has no tolerance to
        reach."""
        tolerance = self.number("solver", "tolerance")
        if self.true_residual is None or tolerance is None or self.number("config", "end_time"):
            return self.section("solver").get("converged") is True
        return max(self.true_residual, *self.other_residuals, 0.0) <= TRUE_RESIDUAL_FACTOR * tolerance

    @property
    def true_residual(self) -> float | None:
        return self.number("solver", "true_residual")

    @property
    def other_residuals(self) -> list[float]:
        """Residuals that the true residual does not cover, such as a temperature's."""
        known = self.section("solver").get("residuals", {})
        return [value for name, value in known.items() if name not in OF_TRUE_RESIDUAL]

    def history(self, key: str) -> list[tuple[float, float]]:
        """Returns pairs (iteration, value) that a logarithmic axis can show."""
        pairs = [p for p in self.section("solver").get(key, []) if len(p) == 2 and None not in p]
        return [(float(i), float(v)) for i, v in pairs if i >= 0 and v > 0]

    @property
    def routines(self) -> list[Routine]:
        """Routines of a solver that was also timed by routine, in its order."""
        return self.parts_timed("routines")

    @property
    def level_times(self) -> list[Routine]:
        """Time on each multigrid grid of the same solve, finest first, by the size of the grid."""
        sums: dict[str, Routine] = {}
        for part in self.parts_timed("level_times"):
            name, _, _ = part.name.partition(" ")
            before = sums.get(name, Routine(name, 0.0, 0))
            calls = None if None in (before.calls, part.calls) else before.calls + part.calls
            sums[name] = Routine(name, before.seconds + part.seconds, calls)
        return list(sums.values())

    @property
    def level_routines(self) -> dict[str, list[Routine]]:
        """Time of each routine on each multigrid grid; empty for records that have only the grids."""
        found: dict[str, list[Routine]] = {}
        for part in self.parts_timed("level_times"):
            level, _, name = part.name.partition(" ")
            if name:
                found.setdefault(level, []).append(Routine(name, part.seconds, part.calls))
        return found

    def parts_timed(self, key: str) -> list[Routine]:
        value = self.section("solver").get(key)
        entries = [e for e in value if isinstance(e, dict)] if isinstance(value, list) else []
        return [
            Routine(e["name"], float(e["seconds"]), e["calls"] if finite(e.get("calls")) else None)
            for e in entries
            if isinstance(e.get("name"), str) and finite(e.get("seconds")) and e["seconds"] >= 0
        ]

    @property
    def regime(self) -> str | None:
        """Cache regime: cache, transition or memory."""
        return self.text("cache", "regime")

    @property
    def launches(self) -> float | None:
        """Kernel launches of an iteration or a step."""
        return self.number("solver", "launches_per_iteration") or self.number("resources", "launches") or None

    @property
    def threads(self) -> int | None:
        if self.backend == "serial":
            return 1
        value = self.config.get("threads", self.number("resources", "threads"))
        return int(value) if value is not None else None

    @property
    def on_host(self) -> bool:
        """True if the case ran on the CPU. A Kokkos built for a device reports no threads."""
        return self.raw["backend"] != "cuda" and (self.backend != "kokkos" or bool(self.threads))


@dataclass
class Dataset:
    records: list[Record] = field(default_factory=list)
    environments: dict[str, dict] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)

    def ok(self, kind: str | None = None) -> list[Record]:
        return [r for r in self.records if r.ok and kind in (None, r.kind)]

    @cached_property
    def machine_ids(self) -> dict[str, str]:
        """Machine of each environment."""
        return dict(zip(self.environments, machine_ids(self.environments.values())))

    def machine_of(self, record: Record) -> str:
        return self.machine_ids.get(record.environment, "")

    @cached_property
    def machines(self) -> list[str]:
        return list(dict.fromkeys(self.machine_of(r) for r in self.records))

    @cached_property
    def varying_parameters(self) -> set[str]:
        """Config parameters with more than one value; the others need not be shown."""
        values = {}
        for record in self.records:
            for key, value in record.config.items():
                values.setdefault(key, set()).add(value)
        return {key for key, seen in values.items() if len(seen) > 1}

    def machine_label(self, record: Record) -> str:
        """Returns A, B, ... if the records come from several machines; otherwise an empty text."""
        if len(self.machines) < 2:
            return ""
        return machine_letter(self.machines.index(self.machine_of(record)))

    def where(self, record: Record) -> str:
        machine_label = self.machine_label(record)
        return f"{record.backend}@{machine_label}" if machine_label else record.backend


def machine_letter(index: int) -> str:
    return chr(ord("A") + index) if index < 26 else f"M{index + 1}"


def parse_line(line: str) -> dict:
    return checked(line, ("environment", "record"))


def shown(path: Path) -> str:
    """Returns a printable path: file names may hold line ends and bytes that are not UTF-8."""
    return printable(str(path))


def read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BadInput(f"cannot read {shown(path)}: {error.strerror or error}") from error


def read_text(path: Path) -> str:
    return read_bytes(path).decode("utf-8", errors="replace")


def read_json(path: Path, schema: dict) -> dict:
    """Returns the JSON object in a file. Raises BadInput, with file and place, unless this JSON Schema accepts it."""
    from .json_form import JsonForm

    try:
        found = object_in(read_bytes(path).decode("utf-8", errors="surrogateescape"))
        problem = JsonForm(schema).problem_of(found)
        expect(not problem, problem)
    except BadLine as problem:
        raise BadInput(f"{shown(path)}: {problem}") from problem
    return found


def lines_of(path: Path) -> list[tuple[int, str]]:
    """Returns the lines of a file that are not blank, with their numbers. Bytes that are not UTF-8 are kept
    for the check of each line."""
    text = read_bytes(path).decode("utf-8", errors="surrogateescape")
    return [(n, line) for n, line in enumerate(text.split("\n"), start=1) if line.strip(" \t\r")]


def usable_lines(path: Path, warnings: list[str], parse: Callable = parse_line) -> Iterator[tuple[int, dict]]:
    """Yields number and content of each usable line of a file, and adds a warning for every other."""
    for number, line in lines_of(path):
        try:
            yield number, parse(line)
        except BadLine as problem:
            warnings.append(f"{shown(path)}:{number}: line skipped: {problem}")


def is_clean(environment: dict) -> bool:
    program = environment.get("program", {})
    return bool(program.get("commit")) and program.get("dirty") is False


def read_file(path: Path, dataset: Dataset) -> int:
    """Adds the usable lines of a file and returns the number of its records."""
    found = 0
    starts: dict[str, dict] = {}  # the last line of each environment so far: a resumed run writes it again
    for _, raw in usable_lines(path, dataset.warnings):
        if raw["type"] == "environment":
            dataset.environments[str(raw.get("id", ""))] = starts[str(raw.get("id", ""))] = raw
        else:
            found += 1
            start = starts.get(str(raw.get("environment", "")), {})
            dataset.records.append(Record(raw, path, str(start.get("time", "")), is_clean(start)))
    return found


def keep_newest(dataset: Dataset) -> None:
    """Keeps the newest record of each case on each machine: by the start of its run, then by its line."""
    latest = {}
    for record in sorted(dataset.records, key=lambda r: r.written):
        key = (dataset.machine_of(record), record.case, record.problem)
        latest.pop(key, None)
        latest[key] = record
    kept = {id(record) for record in latest.values()}
    dataset.records = [record for record in dataset.records if id(record) in kept]


def read_files(paths: list[Path]) -> Dataset:
    dataset = Dataset(files=list(paths))
    for path in paths:
        warnings_before = len(dataset.warnings)
        if read_file(path, dataset) == 0:
            bad = len(dataset.warnings) - warnings_before
            why = f"none of its lines is a usable record ({bad} bad)" if bad else "it holds no record"
            raise BadInput("\n".join(dataset.warnings + [f"nothing to report in {shown(path)}: {why}"]))
    keep_newest(dataset)
    return dataset
