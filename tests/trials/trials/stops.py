"""Runs that are killed at random, and disks that fill up: written records stay, and the same command does the
rest."""

from __future__ import annotations

import contextlib
import json
import os
import random
import resource
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from .findings import Findings

SWEEP = """question: Does it go on?
blocks:
  - {{kernels: [copy, triad, scale], backends: {backend}, methods: default, precisions: fp64, grids: [8x8, 16x16, 32x32]}}
"""
CASES = 9
LONGEST_SECONDS = 2.0  # until a kill


class Stops:
    def __init__(self, program: Path, seed: int, folder: Path, backend: str = "serial", longest: float = LONGEST_SECONDS):
        self.random, self.found, self.longest = random.Random(seed), Findings(), longest
        folder.mkdir(exist_ok=True)
        self.sweep, self.output = folder / "sweep.yaml", folder / "run.jsonl"
        self.sweep.write_text(SWEEP.format(backend=backend))
        self.command = [str(program), "run", self.sweep, "--output", self.output, "--no-roofs", "--case-seconds", "0.1"]

    def start(self, limit: int | None = None) -> subprocess.Popen:
        def small_disk() -> None:
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        return subprocess.Popen(
            self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=small_disk
        )

    def whole_lines(self) -> bytes:
        text = self.output.read_bytes() if self.output.exists() else b""
        return text[: text.rfind(b"\n") + 1]

    def finish(self, what: str, kept: bytes) -> None:
        """What was there is there, each line of it is whole, and a rerun has a result of every case."""
        process = self.start()
        _, err = process.communicate()
        text = self.output.read_bytes()
        if not text.startswith(kept):
            self.found.faults.append(f"{what}: lines that had been written are gone")
        done = sum(record["status"] == "ok" for record in newest_records(text).values())
        if process.returncode != 0 or done != CASES:
            self.found.faults.append(f"{what}: status {process.returncode}, {done} of {CASES} cases: {err[-500:]}")
        self.output.unlink()

    def kill(self, run: subprocess.Popen) -> None:
        """The run, or the worker that measures for it: then the run itself goes on."""
        if self.random.random() < 0.25 and (workers := children_of(run.pid)):
            with contextlib.suppress(ProcessLookupError):  # it ended by itself
                os.kill(workers[0], signal.SIGKILL)
        else:
            run.send_signal(self.random.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
        run.communicate()

    def kills(self, count: int) -> None:
        for n in range(count):
            for _ in range(self.random.choice([1, 1, 2, 3])):
                process = self.start()
                time.sleep(self.random.uniform(0, self.longest))
                self.kill(process)
            self.finish(f"kill {n + 1}", self.whole_lines())
            self.found.tried["kills"] += 1

    def disks(self, count: int) -> None:
        for n in range(count):
            process = self.start(limit=self.random.randrange(1, 12000))
            _, err = process.communicate()
            if process.returncode not in (0, 3) or (process.returncode == 3 and "cannot write" not in err):
                self.found.faults.append(f"disk {n + 1}: status {process.returncode}: {err[-500:]}")
            if self.output.exists() and self.whole_lines() != self.output.read_bytes():
                self.found.faults.append(f"disk {n + 1}: half a line remains")
            self.finish(f"disk {n + 1}", self.whole_lines())
            self.found.tried["full disks"] += 1


def newest_records(text: bytes) -> dict[str, dict]:
    """By case, of those lines that are whole."""
    lines = [json.loads(line) for line in text.splitlines() if line.startswith(b'{"type"') and line.endswith(b"}")]
    return {line["case"]: line for line in lines if line["type"] == "record"}


def children_of(process: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []


def run(program: Path, seed: int, name: str, count: int) -> Findings:
    with tempfile.TemporaryDirectory() as folder:
        trial = Stops(program, seed, Path(folder))
        getattr(trial, name)(count)
        return trial.found
