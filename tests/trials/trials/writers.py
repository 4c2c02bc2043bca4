"""Several processes that write one file at the same time: no record is lost without a message."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from .commands import COPIES, QUICKLY, Commands
from .findings import Findings

LONGEST_SECONDS = 1.0  # until another process begins
DONE, LINES_LOST, CANNOT_WRITE, INTERRUPTED = 0, 1, 3, 130


class Writers:
    def __init__(self, program: Path, seed: int, folder: Path):
        self.random, self.found, self.folder = random.Random(seed), Findings(), folder
        self.commands = Commands(program, folder, self.found)
        self.commands.sweep()
        self.other = folder / "other.jsonl"
        self.commands.run("other", *self.run_words(self.other))

    def run_words(self, output: Path, *more: str) -> list:
        return ["run", "sweep.yaml", "--output", output, *QUICKLY, *more]

    def a_little_later(self) -> None:
        time.sleep(self.random.uniform(0, LONGEST_SECONDS))

    def empty_folder(self, n: int, what: str) -> Path:
        path = self.folder / f"{what}-{n}"
        path.mkdir()
        return path

    def fault(self, what: str, why: str) -> None:
        self.found.faults.append(f"{what}: {why}")

    def together(self, what: str, *calls: list) -> list[tuple[int | None, str]]:
        """How calls ended that began at once."""
        return [self.commands.end(process, what) for process in [self.commands.start(*words) for words in calls]]

    def merge_into_a_run(self, n: int) -> None:
        """The run's own cases are in its file, or it says that they are not."""
        what, output = f"merge into a run {n}", self.empty_folder(n, "run") / "run.jsonl"
        run = self.commands.start(*self.run_words(output))
        merged = []
        while run.poll() is None:
            self.a_little_later()
            merged.append(self.commands.run(what, "merge", output, self.other)[0])
        status, said = self.commands.end(run, what)
        if set(merged) - {DONE, LINES_LOST, CANNOT_WRITE}:
            self.fault(what, f"merges ended with {merged}")
        if status == DONE and (found := len(cases_of(output))) != COPIES:
            self.fault(what, f"the run ended well, and {found} of {COPIES} cases are in its file: {said[-500:]}")

    def merges(self, n: int) -> None:
        """Every side is there."""
        what, folder = f"merges {n}", self.empty_folder(n, "merges")
        sides = []
        for side in range(self.random.randint(2, 5)):
            sides.append(folder / f"{side}.jsonl")
            sides[-1].write_text(run_of_one_case(f"side_{side}", side))
        statuses = [end[0] for end in self.together(what, *(["merge", folder / "all.jsonl", side, "--force"] for side in sides))]
        names = {case.partition("/")[0] for case in cases_of(folder / "all.jsonl")}
        if len(names) != len(sides) or set(statuses) - {DONE, LINES_LOST}:
            self.fault(what, f"statuses {statuses}; of {len(sides)} sides there are {sorted(names)}")

    def fresh_runs(self, n: int) -> None:
        """What a file held before is in a backup, whoever was interrupted."""
        what, folder = f"fresh runs {n}", self.empty_folder(n, "fresh")
        output, kept = folder / "run.jsonl", set()
        output.write_bytes(self.other.read_bytes())
        for _ in range(self.random.randint(2, 3)):
            kept |= set(output.read_bytes().splitlines())
            runs = [self.commands.start(*self.run_words(output, "--fresh")) for _ in range(self.random.randint(1, 2))]
            self.a_little_later()
            if self.random.random() < 0.7:
                runs[0].send_signal(self.random.choice([signal.SIGINT, signal.SIGTERM, signal.SIGKILL]))
            for run in runs:
                self.end_of_stopped(run, what)
        there = {line for path in folder.iterdir() for line in path.read_bytes().splitlines()}
        if lost := kept - there:
            self.fault(what, f"{len(lost)} of {len(kept)} lines are neither in the file nor in a backup")

    def end_of_stopped(self, run: subprocess.Popen, what: str) -> None:
        out, err = run.communicate()
        if run.returncode not in (DONE, CANNOT_WRITE, INTERRUPTED, -signal.SIGKILL, -signal.SIGINT, -signal.SIGTERM):
            self.fault(what, f"status {run.returncode}: {(out + err).decode('utf-8', 'replace')[-500:]}")

    def histories(self, n: int) -> None:
        """A point is added once."""
        what, folder = f"histories {n}", self.empty_folder(n, "history")
        add = ["history", "--folder", folder, "add", self.other, "--commit", "a" * 40]
        statuses = [end[0] for end in self.together(what, *[add] * self.random.randint(2, 5))]
        points = [line for path in folder.iterdir() for line in path.read_bytes().splitlines() if b'"point"' in line]
        if set(statuses) != {DONE} or len(points) != COPIES or len(set(points)) != COPIES:
            self.fault(what, f"statuses {statuses}; {len(points)} points of {COPIES} cases")

    def replaced_outputs(self, n: int) -> None:
        """A run whose file is taken away or replaced does not end as if it were there."""
        what, output = f"replaced output {n}", self.empty_folder(n, "replaced") / "run.jsonl"
        run = self.commands.start(*self.run_words(output))
        self.a_little_later()
        was_there, still_runs = output.exists(), run.poll() is None
        if was_there and self.random.random() < 0.5:
            output.unlink()
        elif was_there:
            scratch = output.with_suffix(".new")
            scratch.write_text("")
            os.replace(scratch, output)
        status, said = self.commands.end(run, what)
        if status == DONE and was_there and still_runs and len(cases_of(output)) != COPIES and "every case" not in said:
            # It may have ended between the look and the replacement.
            self.found.remarks.append(f"{what}: ended well; its file was taken away as it ended")
            self.late += 1
        elif status not in (DONE, CANNOT_WRITE):
            self.fault(what, f"status {status}: {said[-500:]}")

    late = 0

    def trials(self, count: int) -> None:
        ways = {
            "merges into a run": self.merge_into_a_run,
            "merges at once": self.merges,
            "fresh runs": self.fresh_runs,
            "histories at once": self.histories,
            "outputs taken away": self.replaced_outputs,
        }
        for n in range(count):
            for name, way in ways.items():
                way(n)
                self.found.tried[name] += 1
        if self.late > max(1, count // 2):
            self.fault("replaced outputs", f"{self.late} of {count} runs ended well without their file")


def run_of_one_case(name: str, second: int) -> str:
    """As a run writes it."""
    environment = {"type": "environment", "id": f"e{second}", "time": f"2026-03-01T12:00:{second:02d}Z"}
    record = {
        "type": "record", "schema": 2, "case": f"{name}/serial/fp64/plain@8x8", "kind": "kernel", "name": name, "backend": "serial",
        "precision": "fp64", "method": "plain", "grid": [8, 8], "config": {}, "status": "not_run", "environment": environment["id"],
    }  # fmt: skip
    return f"{json.dumps(environment)}\n{json.dumps(record)}\n"


def cases_of(path: Path) -> set[str]:
    """Of its whole lines."""
    if not path.exists():
        return set()
    lines = [json.loads(line) for line in path.read_bytes().splitlines() if line.endswith(b"}")]
    return {line["case"] for line in lines if line["type"] == "record"}


def run(program: Path, seed: int, count: int) -> Findings:
    with tempfile.TemporaryDirectory() as folder:
        trial = Writers(program, seed, Path(folder))
        trial.trials(count)
        return trial.found
