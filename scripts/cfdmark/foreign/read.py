"""Which format a file has. Every command reads others' files by this, those in C++ through `cfdmark foreign`."""

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
# A line of records. bench/commands/result_files.cpp has the same rule.
RECORD = re.compile(r'^\s*\{.*"type"\s*:\s*"(record|environment|point|facts)"', re.MULTILINE)
# Where none of these is in a file it is nothing of others, however broken.
KEYS = ('"benchmarks"', '"context"', '"devices"')


def printable_of(benchmark: Benchmark) -> Benchmark:
    """What people see of it, without what would rule a terminal or break a table."""
    place = benchmark.place
    name, facts, environment = printable(place.name), cleaned(place.facts), cleaned(place.environment)
    shown = replace(place, name=name, facts=facts, environment=environment)
    case, reason, counters = printable(benchmark.case), printable(benchmark.reason), cleaned(benchmark.counters)
    return replace(benchmark, case=case, reason=reason, counters=counters, place=shown)


def read(path: Path, machine: str | None = None, time: str = "auto") -> Results | None:
    """None if the file is not of others. `machine`: the name under which the machines of a pool count as one. `time`: the
    one of Google Benchmark's times that counts, of TIMES. Throws BadInput, with line and column or with the field, for what
    is broken or of another form or version."""
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
