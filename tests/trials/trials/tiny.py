"""Every linear solver on grids of a few cells, where rounding dominates after some iterations: each answer is
within its tolerance, and `solve` and `run` agree."""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
from pathlib import Path

from .findings import Findings

PROBLEMS = {
    "heated_plate": 2,
    "heated_plate_cells": 2,
    "manufactured": 0,
    "jump": 0,
    "convection": 0,
    "insulated": 0,
    "periodic_box": 0,
    "periodic_channel": 0,
    "graded_channel": 0,
}  # problem -> the only number of dimensions that it has, or 0
SOLVERS = ["jacobi", "gauss_seidel", "sor", "cg", "pcg", "bicgstab", "multigrid", "direct", "hypre", "ginkgo"]
TOLERANCES = {"fp32": 1e-4, "fp64": 1e-9, "mixed": 1e-9}
MOST_CELLS = 6  # along a side
SOLVED_AGAIN = 20  # cases that `solve` solves too, for each grid
SECONDS = 600


class Tiny:
    def __init__(self, program: Path, seed: int, folder: Path):
        self.program, self.random, self.found, self.folder = str(program), random.Random(seed), Findings(), folder

    def grid(self, dimensions: int) -> str:
        return "x".join(str(self.random.randint(1, MOST_CELLS)) for _ in range(dimensions))

    def sweep(self) -> Path:
        lines = ["question: Is every answer within its tolerance?", "blocks:"]
        for problem, only in PROBLEMS.items():
            grid = self.grid(only or self.random.choice([2, 3]))
            for precision, tolerance in TOLERANCES.items():
                lines.append(
                    f"  - {{solvers: [{', '.join(SOLVERS)}], problem: {problem}, backends: serial, precisions: {precision},"
                    f" grids: {grid}, tolerance: {tolerance}, max_iterations: 20000}}"
                )
        path = self.folder / "tiny.yaml"
        path.write_text("\n".join(lines) + "\n")
        return path

    def records(self) -> list[dict]:
        output = self.folder / "tiny.jsonl"
        output.unlink(missing_ok=True)
        command = [self.program, "run", self.sweep(), "--output", output, "--no-roofs", "--processes", "1", "--case-seconds", "0.001"]
        run = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
        if not output.exists():
            raise RuntimeError(f"the run wrote nothing: {run.stderr[-500:]}")
        lines = [json.loads(line) for line in output.read_text().splitlines()]
        return [line for line in lines if line["type"] == "record"]

    def judge(self, record: dict) -> None:
        label, status = record["label"], record["status"]
        if status == "not_run":
            return
        self.found.tried[f"solves in {record['precision']}"] += 1
        solver = record.get("solver", {})
        if status != "ok":
            self.found.faults.append(f"{label}: {status}: {record.get('reason', '')}")
        elif not solver["converged"]:
            self.found.faults.append(f"{label}: true residual {solver['true_residual']:.3g} after {solver['iterations']} iterations")

    def solve(self, record: dict) -> None:
        """By the other command: the same verdict."""
        question = record["workload"]
        words = ["solve", "--solver", record["name"], "--method", record["method"], "--backend", "serial"]
        words += ["--precision", record["precision"], "--grid", "x".join(map(str, record["grid"]))]
        for key in ("problem", "tolerance", "max_iterations"):
            words += [f"--{key.replace('_', '-')}", str(question[key])]
        solved = subprocess.run([self.program, *words], capture_output=True, text=True, timeout=SECONDS)
        self.found.tried["by solve too"] += 1
        converged = record["status"] == "ok" and record["solver"]["converged"]
        if (solved.returncode == 0) != converged:
            self.found.faults.append(
                f"{record['label']}: solve ends with {solved.returncode}, run says {record['status']}: {solved.stdout[-300:]}"
            )

    def run(self, count: int) -> None:
        for _ in range(count):
            records = self.records()
            ran = [record for record in records if record["status"] != "not_run"]
            for record in records:
                self.judge(record)
            for record in self.random.sample(ran, min(SOLVED_AGAIN, len(ran))):
                self.solve(record)


def run(program: Path, seed: int, count: int) -> Findings:
    with tempfile.TemporaryDirectory() as folder:
        trial = Tiny(program, seed, Path(folder))
        trial.run(count)
        return trial.found
