"""Detects the format of a file. Every command reads other programs' files by this, C++ ones through `cfdmark
foreign`."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from cfdmark.records.record_check import cleaned
from cfdmark.records.records import BadInput
from cfdmark.text.printable import printable

from . import google_benchmark, nvbench
from .json_text import parsed, text_of
from .results import Benchmark, Results

FORMATS = (google_benchmark, nvbench)
TIMES = ("auto", "cpu", "real")
# A line of records. bench/compare/result_files.cpp has the same rule.
RECORD = re.compile(r'^\s*\{.*"type"\s*:\s*"(record|environment|point|facts)"', re.MULTILINE)
# A file without any of these is not of another program.
KEYS = ('"benchmarks"', '"context"', '"devices"')


def printable_of(benchmark: Benchmark) -> Benchmark:
    """Returns the benchmark with printable texts."""
    place = benchmark.place
    name, facts, environment = printable(place.name), cleaned(place.facts), cleaned(place.environment)
    shown = replace(place, name=name, facts=facts, environment=environment)
    case, reason, counters = printable(benchmark.case), printable(benchmark.reason), cleaned(benchmark.counters)
    return replace(benchmark, case=case, reason=reason, counters=counters, place=shown)


def read(path: Path, machine: str | None = None, time: str = "auto") -> Results | None:
    """Returns None if the file is not of another program. `machine` names a pool whose machines count as one;
    `time`, one of TIMES, selects Google Benchmark's time. Raises BadInput with line and column, or the
    field, for a file that is broken or of another version."""
    text = text_of(path)
    if RECORD.search(text) or not (text.lstrip().startswith("{") or any(key in text for key in KEYS)):
        return None
    whole = parsed(path, text)
    if not isinstance(whole, dict) or "benchmarks" not in whole:
        raise BadInput(f"{path}: neither records nor results of Google Benchmark or nvbench: it has no `benchmarks`")
    form = next((form for form in FORMATS if form.is_one(whole)), None)
    if form is None:
        raise BadInput(
            f"{path}: `benchmarks` stands in it, but neither `context`, as Google Benchmark writes it, nor `meta`, as nvbench"
            " does: expected results, not a list of names"
        )
    results = form.read(path, whole, machine, time)
    if not results.benchmarks:
        raise BadInput(f"{path}: it holds no benchmark: none was run, or none matched the filter of the run")
    results.benchmarks = [printable_of(benchmark) for benchmark in results.benchmarks]
    results.warnings = [printable(warning) for warning in results.warnings]
    return results
