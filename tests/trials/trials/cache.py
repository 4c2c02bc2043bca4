"""Trials of compiled device code on disk: spoiled, cut, replaced or written concurrently, it must give the
same results."""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from cfdmark.records.records import BadInput

from .findings import Findings
from .mutate import spoiled_bytes

KERNEL = "copy"
PRECISIONS = ["fp32", "fp64"]
LONGEST_SECONDS = 1.0  # until a kill, and a little more than compiling takes
PROGRAM_SECONDS = 60  # after which it hangs


class Cache:
    """`cfdmark inspect` reads and writes the cache as a run on a GPU does, and needs none."""

    def __init__(self, program: Path, seed: int, folder: Path):
        self.program, self.random, self.found = program, random.Random(seed), Findings()
        self.folder = folder / "cache"
        self.entries = self.folder / "nvrtc"
        self.other = folder / "somebody-elses"
        self.right = {p: self.inspect(p).stdout for p in PRECISIONS}
        if not all(self.right.values()):
            raise BadInput(f"{program} cannot inspect {KERNEL}: {self.inspect(PRECISIONS[0]).stderr.strip()}")

    def command(self, precision: str) -> list[str]:
        return [str(self.program), "inspect", KERNEL, "--precision", precision]

    def start(self, precision: str, limit: int | None = None) -> subprocess.Popen:
        def small_disk() -> None:
            if limit is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        environment = dict(os.environ, CFDMARK_CACHE_DIR=str(self.folder))
        return subprocess.Popen(
            self.command(precision),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
            preexec_fn=small_disk,
        )

    def end(self, process: subprocess.Popen) -> subprocess.CompletedProcess:
        try:
            out, err = process.communicate(timeout=PROGRAM_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return subprocess.CompletedProcess(process.args, None, "", f"no end within {PROGRAM_SECONDS} s")
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def inspect(self, precision: str, limit: int | None = None) -> subprocess.CompletedProcess:
        return self.end(self.start(precision, limit))

    def check(self, what: str, ended: subprocess.CompletedProcess, precision: str) -> None:
        if ended.returncode != 0 or ended.stdout != self.right[precision]:
            self.found.faults.append(f"{what}: status {ended.returncode}: {(ended.stderr or ended.stdout)[-500:]}")

    def check_all(self, what: str) -> None:
        """Expects the right answer for each entry; then that each is kept and found, not written again."""
        for precision in PRECISIONS:
            self.check(what, self.inspect(precision), precision)
        kept = self.facts()
        for precision in PRECISIONS:
            self.check(f"{what}, again", self.inspect(precision), precision)
        if self.facts() != kept or len(kept) < len(PRECISIONS):
            self.found.faults.append(f"{what}: the entry is not kept")
        if self.entries.stat().st_mode & 0o077:
            self.found.faults.append(f"{what}: others may look into the folder")

    def facts(self) -> dict[str, int]:
        """Returns when each entry was written, without leftovers of killed processes."""
        files = (f for f in self.entries.iterdir() if f.is_file() and not f.suffix)
        return {f.name: f.stat().st_mtime_ns for f in files}

    def entry(self) -> Path:
        return self.entries / self.random.choice(sorted(self.facts()))

    def bytes_changed(self) -> None:
        entry = self.entry()
        entry.write_bytes(spoiled_bytes(self.random, entry.read_bytes()))

    def cut(self) -> None:
        entry = self.entry()
        os.truncate(entry, self.random.randrange(entry.stat().st_size))

    def code_of_another(self) -> None:
        one, other = (self.entries / name for name in self.random.sample(sorted(self.facts()), 2))
        shutil.copyfile(one, other)

    def others_may_write(self) -> None:
        self.entry().chmod(self.random.choice([0o620, 0o602, 0o666]))

    def link(self) -> None:
        """To what is right, even: that file is not this user's to believe, nor to write."""
        entry = self.entry()
        shutil.move(entry, self.other)
        (os.symlink if self.random.random() < 0.8 else os.link)(self.other, entry)
        if not entry.is_symlink():
            entry.chmod(0o666)

    def pipe(self) -> None:
        entry = self.entry()
        entry.unlink()
        os.mkfifo(entry)

    def open_folder(self) -> None:
        """It is closed when something is written."""
        self.entry().unlink()
        self.entries.chmod(0o777)

    def spoil(self, count: int) -> None:
        ways = [
            self.bytes_changed,
            self.cut,
            self.code_of_another,
            self.others_may_write,
            self.link,
            self.pipe,
            self.open_folder,
        ]
        for n in range(count):
            way = ways[n] if n < len(ways) else self.random.choice(ways)
            way()
            before = self.other.read_bytes() if self.other.exists() else None
            self.check_all(f"{way.__name__} {n + 1}")
            if before is not None and self.other.read_bytes() != before:
                self.found.faults.append(f"{way.__name__} {n + 1}: a file outside the cache was written")
            self.other.unlink(missing_ok=True)
            self.found.tried["spoiled entries"] += 1

    def full_disks(self, count: int) -> None:
        for n in range(count):
            precision = self.random.choice(PRECISIONS)
            shutil.rmtree(self.folder)
            self.check(f"full disk {n + 1}", self.inspect(precision, limit=self.random.randrange(4000)), precision)
            self.check_all(f"after full disk {n + 1}")
            self.found.tried["full disks"] += 1

    def kills(self, count: int) -> None:
        for n in range(count):
            shutil.rmtree(self.folder)
            process = self.start(self.random.choice(PRECISIONS))
            time.sleep(self.random.uniform(0, LONGEST_SECONDS))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            self.check_all(f"kill {n + 1}")
            self.found.tried["kills"] += 1

    def at_once(self, count: int) -> None:
        for n in range(count):
            shutil.rmtree(self.folder)
            asked = [self.random.choice(PRECISIONS) for _ in range(4)]
            for precision, process in [(p, self.start(p)) for p in asked]:
                self.check(f"at once {n + 1}", self.end(process), precision)
            self.check_all(f"after at once {n + 1}")
            self.found.tried["starts at once"] += len(asked)


def run(program: Path, seed: int, counts: dict[str, int]) -> Findings:
    """`counts` by method of Cache. BadInput if the program has no device code to keep."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Cache(program, seed, Path(folder))
        for name, count in counts.items():
            getattr(trial, name)(count)
        return trial.found
