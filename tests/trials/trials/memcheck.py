"""Runs the suite's device tests under compute-sanitizer in parallel and collects its errors."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from cfdmark.records.records import BadInput

from .findings import Findings
from .gpu import look_for_gpu

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")
# Those that take longest go first: they compile or launch most.
LONG = ("every cuda method", "every shipped sweep", "flows on a device", "vortices on a device", "recorded iterations", "registers and occ")
LOST_ON_PURPOSE = "[device_lost]"
SUMMARY = re.compile(r"(?:ERROR|RACECHECK) SUMMARY: (\d+)")
UNTOUCHED = "before first instrumented API call"


@dataclass
class Test:
    name: str
    command: list[str]
    folder: str | None


@dataclass
class Outcome:
    test: Test
    errors: int = 0
    detail: str = ""  # the first lines of the first error
    processes: int = 0  # that touched a device
    passed: bool = True
    cut_off: bool = False


def tests_of(build: Path) -> list[Test]:
    done = subprocess.run(["ctest", "--show-only=json-v1"], cwd=build, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BadInput(f"{build}: ctest says: {done.stderr.strip()}")
    tests = [test for test in json.loads(done.stdout)["tests"] if "command" in test]
    folders = [{p["name"]: p["value"] for p in test["properties"]}.get("WORKING_DIRECTORY") for test in tests]
    return [Test(test["name"], test["command"], folder) for test, folder in zip(tests, folders)]


def those_of_a_device(program: Path) -> set[str]:
    """Of a test program whose other tests emulate one, or compile for one."""
    done = subprocess.run([program, "[gpu]", "--list-test-names-only"], capture_output=True, text=True, check=False)
    return set(done.stdout.splitlines())


def why_left_out(test: Test, of_a_device: set[str]) -> str:
    """Empty for a test that is run."""
    program = Path(test.command[0]).name
    if LOST_ON_PURPOSE in test.command:
        return "loses its device on purpose, by a wrong address"
    if program == "cfdmark_tests" or (program == "cfdmark_cuda_tests" and test.name in of_a_device):
        return ""
    if program == "cfdmark_cuda_tests":
        return "compile for a device, or emulate one"
    return "touch no device, or by programs that the others start too (Python, shell, nvcc, tuning's searches)"


def read_logs(outcome: Outcome, folder: Path) -> None:
    for log in sorted(folder.glob("*.log")):
        text = log.read_text(encoding="utf-8", errors="replace")
        counts = [int(n) for n in SUMMARY.findall(text)]
        # A process that was killed wrote no summary: what it printed until then counts.
        errors = sum(counts) if counts else len(re.findall(r"^=+ (?:Invalid|Misaligned|Program hit|Error: Race|Uninit)", text, re.M))
        outcome.processes += UNTOUCHED not in text
        if errors and not outcome.detail:
            told = [line for line in text.splitlines() if line.strip("= ") and "COMPUTE-SANITIZER" not in line]
            outcome.detail = "\n  ".join(told[:12])
        outcome.errors += errors


class Memcheck:
    def __init__(self, sanitizer: str, tool: str, seconds: float, folder: Path):
        self.sanitizer, self.tool, self.folder = sanitizer, tool, folder
        self.end = time.monotonic() + seconds

    def run(self, numbered: tuple[int, Test]) -> Outcome:
        number, test = numbered
        outcome = Outcome(test)
        left = self.end - time.monotonic()
        if left <= 0:
            outcome.cut_off = True
            return outcome
        folder = self.folder / str(number)
        folder.mkdir()
        # What tests provoke of the API is theirs to judge; their output is read by tests, so it is written elsewhere.
        command = [self.sanitizer, "--tool", self.tool, "--target-processes", "all"]
        if self.tool == "memcheck":
            command += ["--report-api-errors", "no"]
        process = subprocess.Popen(
            [*command, "--log-file", str(folder / "%p.log"), *test.command],
            cwd=test.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        try:
            outcome.passed = process.wait(left) == 0
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            outcome.cut_off = True
        read_logs(outcome, folder)
        return outcome


def findings_of(outcomes: list[Outcome], left_out: dict[str, int]) -> Findings:
    found = Findings()
    found.tried["tests"] = sum(not o.cut_off for o in outcomes)
    found.tried["processes that touched a device"] = sum(o.processes for o in outcomes)
    found.faults = [f"{o.test.name}: {o.errors} errors\n  {o.detail}" for o in outcomes if o.errors]
    if not found.tried["processes that touched a device"]:
        found.faults.append("the tool saw no process that touched a device")
    # Of a test that touches no device the tool makes a failure of its own.
    failed = [o for o in outcomes if not o.passed and o.processes and not o.cut_off and not o.errors]
    for words, some in (
        ("cut off by the end of the time, no error until then", [o for o in outcomes if o.cut_off and not o.errors]),
        ("failed without an error of the tool (it slows what is timed)", failed),
    ):  # fmt: skip
        if some:
            found.remarks.append(f"{len(some)} tests {words}:")
            found.remarks += [f"  {o.test.name}" for o in some]
    found.remarks += [f"skipped: {count} tests that {why}" if count > 1 else f"skipped: one that {why}" for why, count in left_out.items()]
    return found


def run(program: Path, tool: str, jobs: int, seconds: float) -> Findings:
    """Raises BadInput where it cannot be done."""
    name = look_for_gpu(program)
    sanitizer = shutil.which("compute-sanitizer", path=f"{os.environ.get('PATH', '')}:/usr/local/cuda/bin")
    if not sanitizer:
        raise BadInput("compute-sanitizer, which comes with CUDA's toolkit, is not installed")
    build = program.parent
    of_a_device = those_of_a_device(build / "tests/cfdmark_cuda_tests")
    chosen, left_out = [], {}
    for test in tests_of(build):
        if why := why_left_out(test, of_a_device):
            left_out[why] = left_out.get(why, 0) + 1
        else:
            chosen.append(test)
    chosen.sort(key=lambda test: not test.name.startswith(LONG))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        trial = Memcheck(sanitizer, tool, seconds, Path(folder))
        outcomes = list(pool.map(trial.run, enumerate(chosen)))
    found = findings_of(outcomes, left_out)
    found.remarks.insert(0, f"{tool} on {name}, {jobs} side by side, {seconds:.0f} s at most")
    return found
