"""Helpers for the tests of `cfdmark shape`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CFDMARK_PROGRAM", ROOT / "build/release/cfdmark"))
sys.path.insert(0, str(ROOT / "scripts"))

# A flow takes some hundredths of a second: a body of an eighth of the tunnel's area.
QUICK = """question: Which ellipse has the least drag?
outline: {name: superellipse, parameters: {ln_aspect: [0, 1]}}
grid: 64x32
area: 0.05
constraints: {bounds: [0.2, 0.1, 3.8, 0.9]}
backend: serial
optimiser: {name: cmaes, population: 6, seed: 1}
settings: {max_iterations: 400}
confirm: none
"""


def has_optimiser() -> bool:
    shown = subprocess.run([PROGRAM, "shape", ROOT / "shapes/ellipse.yaml", "--dry-run"], capture_output=True, text=True).stdout
    return "this build lacks" not in shown


class ShapeCase(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = Path(holder.name)

    def file(self, text: str, name: str = "s.yaml") -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def ran(self, *words, seconds: float = 400):
        return subprocess.run([PROGRAM, "shape", *map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=seconds)


def lines_of(path: Path) -> list[dict]:
    """Returns the lines of a file that are whole."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            pass
    return found


def evaluations(path: Path, purpose: str | None = None) -> list[dict]:
    return [e for e in lines_of(path) if e["type"] == "evaluation" and purpose in (None, e["purpose"])]
