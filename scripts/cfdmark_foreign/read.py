"""Which format a file has."""

from __future__ import annotations

import json
from pathlib import Path

from cfdmark_report.records import BadInput, read_text

from . import google_benchmark, nvbench
from .results import Results

FORMATS = (google_benchmark, nvbench)


def whole_object(text: str) -> dict | None:
    """The one JSON object that a file is, if it holds benchmarks; records are one object a line."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return whole if isinstance(whole, dict) and isinstance(whole.get("benchmarks"), list) else None


def read(path: Path, machine: str | None = None) -> Results | None:
    """None if the file is no JSON with benchmarks. `machine`: the name under which the machines of a pool count as one.
    Throws BadInput, with file and field, for what is of another form or version."""
    whole = whole_object(read_text(path))
    if whole is None:
        return None
    for form in FORMATS:
        if form.is_one(whole):
            return form.read(path, whole, machine)
    raise BadInput(
        f"{path}: `benchmarks` stands in it, but neither `context`, as Google Benchmark writes it, nor `meta`, as nvbench does"
    )
