"""Commands under unusual environments: thread counts, limits, terminals, locales, homes, folders. Each must
end by itself with a documented status and a useful message, and its records must say what ran."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from .commands import QUICKLY, RAW_WORDS
from .findings import Findings

SWEEP = """question: Does it run in this environment?
blocks:
  - {kernels: copy, backends: [serial, openmp, kokkos], methods: default, precisions: fp64, grids: 33x33}
  - {kernels: copy, backends: openmp, methods: plain, precisions: fp64, grids: 33x33, parameters: {threads: [1, max]}}
"""
STATUSES = {0, 1, 2, 3, 4, 5, 130}
SECONDS = 60  # after which a command hangs; most take less than one
# What only a programmer can read. A thread library's own warnings are not ours.
NOT_FOR_USERS = [*RAW_WORDS, ": Success", "Assertion", "AddressSanitizer"]

VARIABLES = {
    "OMP_NUM_THREADS": ["0", "-1", "", "x", "1", "2", "3", "7", "2,2", "100000", "99999999999999999999"],
    "OMP_THREAD_LIMIT": ["1", "2", "0", "x"],
    "OMP_DYNAMIC": ["true", "false", "x"],
    "OMP_PROC_BIND": ["true", "false", "close", "spread", "x"],
    "OMP_PLACES": ["cores", "threads", "{0}", "{0},{1}", "{999}", "x"],
    "OMP_STACKSIZE": ["1", "64k", "x", "100G"],
    "OMP_WAIT_POLICY": ["active", "passive"],
    "KOKKOS_NUM_THREADS": ["1", "2", "0", "-1", "x", "", "100000"],
    "OPENBLAS_NUM_THREADS": ["1", "1000", "x"],
    "TERM": ["", "dumb", "xterm-256color", "x" * 3000],
    "NO_COLOR": ["", "1"],
    "COLUMNS": ["0", "-5", "1", "x"],
    "LC_ALL": ["C", "POSIX", "de_DE.UTF-8", "tr_TR.UTF-8", "x"],
    "PYTHONIOENCODING": ["ascii", "latin-1", "utf-8:strict"],
    "PYTHONUTF8": ["0", "1"],
    "TZ": ["", "x", "Pacific/Chatham"],
    "HOME": ["", "relative", "/proc/nowhere", "/dev/null", "/" + "x" * 300],
    "TMPDIR": ["/proc/nowhere", "/dev/null", ""],
    "XDG_DATA_HOME": ["relative", "/proc/nowhere", "/dev/null", ""],
    "XDG_CACHE_HOME": ["/proc/nowhere", ""],
    "CFDMARK_CACHE_DIR": ["/proc/nowhere", "/dev/null"],
    "CFDMARK_TUNED": ["/proc/nowhere", "/dev/null", "relative"],
    "CFDMARK_PYTHON": ["/proc/nowhere", "/bin/false", ""],
    "CFDMARK_DATA": ["/proc/nowhere", ""],
    "PATH": ["", "/proc/nowhere"],
}
LIMITS = {
    resource.RLIMIT_AS: [2**20 * n for n in (100, 150, 200, 250, 300, 500, 1000, 3000, 6000)],
    resource.RLIMIT_NOFILE: [4, 8, 12, 16, 20, 32],
    resource.RLIMIT_FSIZE: [0, 1, 500, 4000],
    resource.RLIMIT_STACK: [2**10 * n for n in (256, 1024, 8192)],
    resource.RLIMIT_CORE: [0],
}
NAMES = {getattr(resource, name): name for name in dir(resource) if name.startswith("RLIMIT_")}
STREAMS = {"stdin": ["null", "closed"], "stdout": ["full", "closed"], "stderr": ["closed"]}


@dataclass
class Environment:
    """What differs from the environment of the trial itself."""

    variables: dict[str, str | None] = field(default_factory=dict)
    limits: dict[int, int] = field(default_factory=dict)
    streams: dict[str, str] = field(default_factory=dict)
    read_only: bool = False

    def __str__(self) -> str:
        parts = [f"{k}={v[:40]!r}" if v is not None else f"no {k}" for k, v in self.variables.items()]
        parts += [f"{NAMES[limit]}={most}" for limit, most in self.limits.items()]
        parts += [f"{stream} {how}" for stream, how in self.streams.items()]
        return ", ".join(parts + ["a read-only folder"] * self.read_only) or "nothing odd"


# What once crashed, hung or was recorded wrongly: each is tried first.
FOUND_BEFORE = [
    ("run", Environment({"OMP_NUM_THREADS": "100000"})),
    ("run", Environment({"OMP_THREAD_LIMIT": "1", "OMP_NUM_THREADS": "2"})),
    ("list", Environment(limits={resource.RLIMIT_AS: 150 * 2**20})),
    ("run", Environment(limits={resource.RLIMIT_AS: 250 * 2**20})),
    ("merge", Environment(limits={resource.RLIMIT_NOFILE: 4})),  # Python with .pth files ended with a traceback
]


class Environments:
    def __init__(self, program: Path, seed: int, folder: Path):
        self.program, self.random, self.found = program, random.Random(seed), Findings()
        self.folder = folder
        self.sweep = folder / "sweep.yaml"
        self.sweep.write_text(SWEEP, encoding="utf-8")
        self.records = folder / "records.jsonl"
        self.ended(["run", self.sweep, "--output", self.records, *QUICKLY], Environment(), folder)

    def commands(self) -> list[list]:
        solve = ["solve", "--solver", "sor", "--backend", self.random.choice(["serial", "openmp"]), "--grid", "17x17"]
        return [
            ["run", self.sweep, "--output", "run.jsonl", *QUICKLY],
            ["run", self.sweep, "--output", "run.jsonl", *QUICKLY],
            ["run", self.sweep, "--dry-run"],
            [*solve, "--tolerance", "0.5"],
            ["devices", "--no-roofs"],
            ["list"],
            ["--help"],
            ["compare", self.records, self.records],
            ["report", self.records, "--format", "terminal", "--output", "-"],
            ["merge", "merged.jsonl", self.records],
            ["history", "--folder", "history", "add", self.records],
            ["tune", "copy", "--backend", "serial", "--grid", "17x17", "--budget", "1s", "--no-roof", "--keep-nothing", "--output", "t.jsonl"],
            ["new-kernel", "ten_point"],
        ]  # fmt: skip

    def environment(self) -> Environment:
        """A few changes at once: two that are harmless alone may not be together."""
        made = Environment()
        for name in self.random.sample(sorted(VARIABLES), self.random.choice([0, 1, 1, 2, 3])):
            made.variables[name] = self.random.choice([None, *VARIABLES[name]])
        if self.random.random() < 0.4:
            limit = self.random.choice(sorted(LIMITS))
            made.limits[limit] = self.random.choice(LIMITS[limit])
        if self.random.random() < 0.15:
            stream = self.random.choice(sorted(STREAMS))
            made.streams[stream] = self.random.choice(STREAMS[stream])
        made.read_only = self.random.random() < 0.1 and os.geteuid() != 0
        return made

    def ended(self, words: list, environment: Environment, folder: Path) -> subprocess.CompletedProcess:
        variables = dict(os.environ)
        for name, value in environment.variables.items():
            variables.pop(name, None)
            if value is not None:
                variables[name] = value

        def prepare() -> None:
            for name, how in environment.streams.items():
                fd = ("stdin", "stdout", "stderr").index(name)
                if how == "closed":
                    os.close(fd)
                else:
                    os.dup2(os.open("/dev/full" if how == "full" else os.devnull, os.O_RDWR), fd)
            for limit, most in environment.limits.items():
                resource.setrlimit(limit, (most, most))

        process = subprocess.Popen(
            [self.program, *map(str, words)],
            cwd=folder,
            env=variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=prepare,
        )
        try:
            out, err = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return subprocess.CompletedProcess(words, None, "", f"no end within {SECONDS} s")
        return subprocess.CompletedProcess(words, process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))

    def try_one(self, n: int) -> None:
        environment, words, folder = self.environment(), self.random.choice(self.commands()), self.folder / f"{n}"
        if n < len(FOUND_BEFORE):
            name, environment = FOUND_BEFORE[n]
            words = next(command for command in self.commands() if command[0] == name)
        folder.mkdir()
        if environment.read_only:
            folder.chmod(0o555)
        done = self.ended(words, environment, folder)
        run = f"{' '.join(map(str, words))} with {environment}"
        self.found.faults += [f"{run}: {fault}" for fault in self.faults(done, environment) + record_faults(folder)]
        self.found.tried["environments"] += 1
        folder.chmod(0o755)
        shutil.rmtree(folder)

    def faults(self, done: subprocess.CompletedProcess, environment: Environment) -> list[str]:
        text = done.stdout + done.stderr
        if done.returncode not in STATUSES:
            return [f"status {done.returncode}: {text.strip()[-300:]}"]
        found = [f"it says {word!r}: {text.strip()[-300:]}" for word in NOT_FOR_USERS if word in text]
        if done.returncode != 0 and not done.stderr.strip() and not done.stdout.strip() and not environment.streams:
            found.append(f"status {done.returncode} without a word")
        if "\033" in text:
            found.append("it moves the cursor or changes colours where there is no terminal")
        return found


def record_faults(folder: Path) -> list[str]:
    """Of the records that were written here: each line is whole, and names as many threads as ran."""
    found = []
    for path in folder.glob("*.jsonl"):
        text = path.read_bytes()
        if text and not text.endswith(b"\n"):
            found.append(f"{path.name} ends with half a line")
        for line in text.splitlines():
            try:
                record = json.loads(line)
            except ValueError:
                found.append(f"{path.name} has a line that is not JSON")
                continue
            named = record.get("config", {}).get("threads")
            ran = record.get("resources", {}).get("threads")
            if named is not None and ran is not None and named != ran:
                found.append(f"{record['case']} ran on {ran} threads")
    return found


def run(program: Path, seed: int, count: int) -> Findings:
    with tempfile.TemporaryDirectory() as folder:
        trial = Environments(program, seed, Path(folder))
        for n in range(count):
            trial.try_one(n)
        return trial.found
