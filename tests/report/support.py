"""What the tests of the report share."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import re
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPTS = HERE.parent.parent / "scripts"
SYNTHETIC = HERE / "fixtures" / "synthetic.jsonl"
sys.path.insert(0, str(SCRIPTS))

from cfdmark.records.records import Dataset, Record, read_files  # noqa: E402
from cfdmark.report import command  # noqa: E402
from cfdmark.report.baseline import Baselines, parse_selector  # noqa: E402
from cfdmark.report.sections import build_all  # noqa: E402
from cfdmark.report.sections.context import Context  # noqa: E402

KERNEL = {
    "type": "record",
    "schema": 2,
    "case": "copy/serial/fp64/plain@8x8",
    "kind": "kernel",
    "name": "copy",
    "backend": "serial",
    "precision": "fp64",
    "method": "plain",
    "grid": [8, 8],
    "nodes": 64,
    "config": {},
    "status": "ok",
    "time": {"samples": [2.0, 2.0], "median": 2.0, "ci_low": 1.9, "ci_high": 2.1, "steps_per_sample": 1},
}


def kernel(**changes) -> dict:
    """A sound record, changed; a new time is given by its samples."""
    record = copy.deepcopy(KERNEL)
    samples = changes.pop("samples", None)
    record.update(changes)
    if samples:
        middle = sorted(samples)[len(samples) // 2]
        record["time"] = {
            "samples": samples,
            "median": middle,
            "ci_low": min(samples),
            "ci_high": max(samples),
        }
    record["case"] = (
        "{name}/{backend}/{precision}/{method}".format(**record) + f"@{record['grid']}:{record['config']}"
    )
    return record


def solver(samples, iterations, **changes) -> dict:
    """A solver whose step takes the median of `samples`; `solved` changes what it reports about the solve."""
    record = kernel(kind="solver", workload={"problem": "manufactured"}, samples=samples, **{"name": "sor", **changes})
    record["solver"] = {
        "iterations": iterations,
        "time_per_iteration": record["time"]["median"] / iterations,
        "converged": True,
        "tolerance": 1e-8,
        "true_residual": 1e-8,
        "error_max": 1e-4,
        **changes.get("solved", {}),
    }
    return record


def dataset_of(*raws: dict) -> Dataset:
    return Dataset(records=[Record(raw) for raw in raws])


def synthetic() -> Dataset:
    return read_files([SYNTHETIC])


def sections_of(dataset: Dataset, baseline: str | None = None) -> list:
    return build_all(Context(dataset, Baselines(dataset, parse_selector(baseline, dataset))))


def section(dataset: Dataset, key: str, baseline: str | None = None):
    return next(s for s in sections_of(dataset, baseline) if s.key == key)


def table(found, key: str) -> list[dict]:
    """A table's rows as dictionaries by column key."""
    wanted = next(t for t in found.tables if t.key == key)
    return [dict(zip([c.key for c in wanted.columns], row)) for row in wanted.rows]


def without_script(page: str) -> str:
    """Of a page what stands there without the library."""
    return re.sub(r"<script>.*?</script>", "", page, flags=re.S)


@contextlib.contextmanager
def record_file(*lines):
    """A file of JSON lines; a str stands as it is, without a line end."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.jsonl"
        path.write_text(
            "".join(x if isinstance(x, str) else json.dumps(x) + "\n" for x in lines), encoding="utf-8"
        )
        yield path


def run_report(*words) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of the command."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = command.main([str(word) for word in words])
        except SystemExit as stop:  # argparse
            status = stop.code
    out.flush()
    return status, out.buffer.getvalue().decode("utf-8"), err.getvalue()
