"""Runs on a GPU that are killed, hang, lose their device, find little memory or share it. No written record
may be lost, no case may have a result that it did not measure, and records must name the problem."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from cfdmark.records.records import BadInput

from .findings import Findings
from .stops import Stops, children_of, newest_records

AT_ONCE = 4  # runs that are killed, side by side
HANG_SECONDS = 6  # that a case may take
LAST_SECONDS = 60  # within which anything of these ends
GIGABYTE = 10**9
# Two kernels are sound, and one can be made to go wrong.
SMALL = "{kernels: [copy, triad, scale], backends: cuda, methods: default, precisions: fp64, grids: [64x64, 512x512]}"
LARGE = "{kernels: [copy], backends: cuda, methods: default, precisions: fp64, grids: [64x64, 16384x16384]}"
FAULTY = "triad"


def look_for_gpu(program: Path) -> str:
    """Its name."""
    done = subprocess.run([str(program), "devices", "--no-roofs", "--json"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BadInput(done.stderr.strip() or f"{program} devices ends with {done.returncode}")
    gpu = json.loads(done.stdout)["gpu"]
    if "name" not in gpu:
        raise BadInput(f"no GPU can be used: {gpu['reason']}")
    return gpu["name"]


def cuda_runtime_of(program: Path) -> str:
    found = re.search(r"libcudart\S* => (/\S+)", subprocess.run(["ldd", str(program)], capture_output=True, text=True, check=False).stdout)
    if not found:
        raise BadInput(f"{program} does not load libcudart as a library, in whose place a fault could come")
    return found[1]


class Gpu:
    def __init__(self, program: Path, seed: int, folder: Path):
        self.program, self.seed, self.folder, self.found = program, seed, folder, Findings()
        self.runtime = cuda_runtime_of(program)
        self.faults_library = program.parent / "tests/libcfdmark_device_faults.so"
        if not self.faults_library.exists():
            raise BadInput(f"{self.faults_library} is not built: build all of {program.parent}")

    # What the trials do.

    def start(self, name: str, block: str, *options: str, fault: dict | None = None) -> subprocess.Popen:
        sweep = self.folder / f"{name}.yaml"
        sweep.write_text(f"question: What if it goes wrong?\nblocks:\n  - {block}\n")
        command = [str(self.program), "run", str(sweep), "--output", str(self.output(name)), "--no-roofs", *options]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ | (fault or {}))

    def output(self, name: str) -> Path:
        return self.folder / f"{name}.jsonl"

    def records(self, name: str) -> dict[str, dict]:
        return newest_records(self.output(name).read_bytes()) if self.output(name).exists() else {}

    def expect(self, what: str, condition: bool, detail: object) -> None:
        if not condition:
            self.found.faults.append(f"{what}: {detail}")

    def end(self, what: str, process: subprocess.Popen, *statuses: int) -> None:
        try:
            _, err = process.communicate(timeout=LAST_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            _, err = process.communicate()
            self.expect(what, False, f"did not end within {LAST_SECONDS} s")
        self.expect(what, process.returncode in statuses, f"status {process.returncode}: {err[-500:]}")

    def completes(self, name: str, block: str) -> None:
        """The same command, with nothing in its way, does the rest and keeps what was there."""
        kept = self.output(name).read_bytes()
        self.end(f"{name}, again", self.start(name, block, "--case-seconds", "0.1"), 0)
        self.expect(name, self.output(name).read_bytes().startswith(kept[: kept.rfind(b"\n") + 1]), "lines that had been written are gone")
        wrong = {case: record["status"] for case, record in self.records(name).items() if record["status"] != "ok"}
        self.expect(f"{name}, again", not wrong, wrong)

    def fault(self, kind: str, after: int) -> dict[str, str]:
        return {
            "LD_PRELOAD": str(self.faults_library),
            "CFDMARK_FAULT": kind,
            "CFDMARK_FAULT_IN": FAULTY.capitalize(),  # the type of its cell, in the name of the device function
            "CFDMARK_FAULT_AFTER": str(after),
        }

    def only_the_faulty(self, name: str, status: str, reason: str) -> None:
        """Expects a fault to be reported for the faulty cases only; the others are measured."""
        records = self.records(name)
        self.expect(name, len(records) == 6, f"{len(records)} of 6 cases have a record")
        for case, record in records.items():
            told = f"{record['status']}: {record.get('reason', '')}"
            if record["name"] != FAULTY:
                self.expect(f"{name}, {case}", record["status"] == "ok", told)
                continue
            self.expect(f"{name}, {case}", record["status"] == status and re.search(reason, told), told)
            self.expect(f"{name}, {case}", "time" not in record, "has a time")
        self.found.remarks += [f"{name}: {record.get('reason', 'no reason')}" for record in records.values() if record["name"] == FAULTY][:1]

    # The trials.

    def kills(self, count: int) -> None:
        start = time.monotonic()
        undisturbed = Stops(self.program, self.seed, self.folder / "first", "cuda")
        undisturbed.finish("an undisturbed run", b"")
        longest = time.monotonic() - start
        self.found.faults += undisturbed.found.faults

        def some(job: int) -> Findings:
            stops = Stops(self.program, self.seed + job, self.folder / f"kills-{job}", "cuda", longest)
            stops.kills(len(range(job, count, AT_ONCE)))
            return stops.found

        with ThreadPoolExecutor(AT_ONCE) as jobs:
            for found in jobs.map(some, range(AT_ONCE)):
                self.found.faults += found.faults
                self.found.tried += found.tried
        self.found.remarks.append(f"kills: after up to {longest:.1f} s, which a whole run takes")

    def hangs(self, after: int) -> None:
        limit = ("--case-seconds", "0.1", "--timeout", f"{HANG_SECONDS}s")
        self.end("hang", self.start("hang", SMALL, *limit, fault=self.fault("hang", after)), 1)
        self.only_the_faulty("hang", "timeout", f"took longer than {HANG_SECONDS}")
        self.completes("hang", SMALL)
        # Who kills a run that hangs is rid of its worker too.
        run = self.start("hang-killed", SMALL, "--case-seconds", "0.1", fault=self.fault("hang", after))
        began = time.monotonic()
        while not self.records("hang-killed") and time.monotonic() - began < LAST_SECONDS:
            time.sleep(0.2)  # of copy: triad is next
        time.sleep(2)
        workers = children_of(run.pid)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        time.sleep(5)
        left = [worker for worker in workers if is_alive(worker)]
        self.expect("hang-killed", workers and not left, f"workers {workers}, of which after 5 s there are {left}")
        self.completes("hang-killed", SMALL)
        self.found.tried["hangs"] += 2

    def losses(self, after: int) -> None:
        self.end("lost", self.start("lost", SMALL, "--case-seconds", "0.1", fault=self.fault("astray", after)), 1)
        self.only_the_faulty("lost", "error", "the device is lost to this process")
        self.completes("lost", SMALL)
        self.found.tried["lost devices"] += 1

    def little_memory(self) -> None:
        # The program's own start takes about half a gigabyte: first there is room for that and a small case, then not even for it.
        for name, leave, sound in (("little memory", 3 * GIGABYTE, 1), ("no memory", GIGABYTE // 8, 0)):
            with subprocess.Popen(
                [sys.executable, Path(__file__).with_name("hold_memory.py"), self.runtime, str(leave)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            ) as holder:  # fmt: skip
                free = int(holder.stdout.readline() or -1)
                self.expect(name, 0 <= free <= leave + GIGABYTE // 8, f"{free} bytes are free where {leave} should be")
                self.end(name, self.start(name, LARGE, "--case-seconds", "0.1"), *((0, 1) if sound else (1,)))
                holder.stdin.close()
            records = self.records(name).values()
            self.expect(name, len(records) == 2, f"{len(records)} of 2 cases have a record")
            self.expect(name, sum(r["status"] == "ok" for r in records) == sound, [r["status"] for r in records])
            for record in (r for r in records if r["status"] != "ok"):
                self.expect(name, re.search(r"[\d.]+ (GB|MiB) (are )?(free|used)", record["reason"]), record["reason"])
                self.found.remarks.append(f"{name} ({free / 1e9:.2f} GB free): {record['reason']}")
            self.completes(name, LARGE)
            self.found.tried["devices with little memory"] += 1

    def two_at_once(self) -> None:
        until_time_is_up = ("--interval", "0.0001")
        first = self.start("first of two", SMALL, "--case-seconds", "2", *until_time_is_up)
        while not self.records("first of two") and first.poll() is None:
            time.sleep(0.05)
        self.end("second of two", self.start("second of two", SMALL, "--case-seconds", "0.2", *until_time_is_up), 0)
        self.expect("first of two", first.poll() is None, "had ended before the second")
        self.end("first of two", first, 0)
        self.end("alone", self.start("alone", SMALL, "--case-seconds", "0.2"), 0)
        for name, shared in (("second of two", True), ("alone", False)):
            load = self.environment(name)["gpu"].get("load", {})
            self.expect(name, load.get("busy") is shared, f"other users of the device are reported as {load}")
            self.found.remarks.append(f"{name}: {load}")
        for name in ("first of two", "second of two", "alone"):
            others = [record.get("device_state", {}).get("other_processes") for record in self.records(name).values()]
            self.found.remarks.append(f"{name}: other processes, by its records: {others}")
            if None not in others:  # else NVML hides processes here, and only the environment knows
                self.expect(name, any(others) is (name != "alone"), others)
        self.found.tried["runs side by side"] += 2

    def environment(self, name: str) -> dict:
        return json.loads(self.output(name).read_text().splitlines()[0])


def is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1][0] != "Z"
    except OSError:
        return False


def run(program: Path, seed: int, kills: int) -> Findings:
    """Raises BadInput where nothing can be tried."""
    name = look_for_gpu(program)
    with tempfile.TemporaryDirectory() as folder:
        trial = Gpu(program, seed, Path(folder))
        trial.found.remarks.append(f"on {name}")
        trial.kills(kills)
        trial.hangs(after=seed % 7)
        trial.losses(after=seed % 11)
        trial.little_memory()
        trial.two_at_once()
        return trial.found
