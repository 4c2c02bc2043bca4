"""What the tests of the history share."""

from __future__ import annotations

import contextlib
import io
import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from cfdmark.history import command  # noqa: E402

CASE = "jacobi/serial/fp64/plain@8x8;operator=constant"


def environment(commit: str, day: int = 1, **program) -> dict:
    return {
        "type": "environment",
        "id": f"env-{commit[:8]}-{day}",
        "time": f"2026-03-{day:02d}T12:00:00Z",
        "program": {"commit": commit, "dirty": False, "compiler": "GNU 12.2.0", **program},
        "host": {"machine": "abc", "cpu": "Test CPU", "cores": 2},
        "gpu": {"name": "Test GPU", "driver": "580.1"},
        "libraries": {"fmt": "9.1.0"},
    }


def record(of: dict, median: float, case: str = CASE, **changes) -> dict:
    name, backend, precision, rest = case.split("/")
    grid = re.split("[:;]", rest.partition("@")[2])[0]
    return {
        "type": "record",
        "schema": 2,
        "case": case,
        "label": case.partition(";")[0],
        "kind": "kernel",
        "name": name,
        "backend": backend,
        "precision": precision,
        "method": rest.partition("@")[0],
        "grid": [int(side) for side in grid.split("x")],
        "config": {},
        "status": "ok",
        "time": {
            "samples": [0.99 * median, median, 1.01 * median],
            "median": median,
            "ci_low": 0.99 * median,
            "ci_high": 1.01 * median,
        },
        "environment": of["id"],
        **changes,
    }


def commit_of(n: int) -> str:
    return f"{n:02x}" * 20


class HistoryCase(unittest.TestCase):
    """A folder to keep a history in, and ways to fill it."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.folder = self.scratch / "history"

    def file(self, *lines, name: str = "run.jsonl") -> Path:
        path = self.scratch / name
        text = "".join(x if isinstance(x, str) else json.dumps(x) + "\n" for x in lines)
        path.write_text(text, encoding="utf-8")
        return path

    def run_of(self, n: int, median: float, **changes) -> Path:
        here = environment(commit_of(n), day=1 + n % 28)
        return self.file(here, record(here, median, **changes), name=f"{n}.jsonl")

    def history_of(self, medians, **changes) -> None:
        files = [self.run_of(n, median, **changes) for n, median in enumerate(medians)]
        self.assertEqual(self.history("add", *files)[0], 0)

    def history(self, *words) -> tuple[int, str, str]:
        """Exit status, standard output and standard error of the command."""
        out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = command.main(["--folder", str(self.folder), *map(str, words)])
            except SystemExit as stop:  # argparse
                status = stop.code
        out.flush()
        return status, out.buffer.getvalue().decode("utf-8"), err.getvalue()

    def lines(self, kind: str = "point") -> list[dict]:
        """Of all files of the history."""
        text = "".join(p.read_text(encoding="utf-8") for p in sorted(self.folder.glob("*.jsonl")))
        return [raw for line in text.splitlines() if (raw := json.loads(line))["type"] == kind]
