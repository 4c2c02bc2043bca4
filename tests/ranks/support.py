"""What the tests of ranks as processes share: where the program is, and a command with all its processes."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
import unittest
import uuid
from pathlib import Path

PROGRAM = Path(os.environ.get("CFDMARK_PROGRAM", "build/ci/cfdmark")).resolve()
MODULE = PROGRAM.parent / "cfdmark_mpi.so"
LIMIT = 150  # seconds; starting processes takes long on a busy machine


def why_not() -> str:
    """Why no ranks can be processes here; empty if they can."""
    if not MODULE.exists():
        return "the program was built without MPI (Debian: apt install openmpi-bin libopenmpi-dev)"
    return "" if shutil.which("mpirun") else "no mpirun here (Debian: apt install openmpi-bin)"


def stopped(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


class Job:
    """A command of the program. Its processes are found by a variable that they all inherit."""

    def __init__(self, *words: str, **variables: str):
        self.mark = f"CFDMARK_TEST_JOB={uuid.uuid4()}"
        name, _, value = self.mark.partition("=")
        self.process = subprocess.Popen([str(PROGRAM), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **variables, name: value})

    def processes(self) -> dict[int, str]:
        """The command lines of the job's processes."""
        found = {}
        for folder in Path("/proc").iterdir():
            try:
                if folder.name.isdigit() and self.mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                    words = (folder / "cmdline").read_bytes().decode().split("\0")
                    if not stopped(int(folder.name)):
                        found[int(folder.name)] = " ".join(words)
            except (FileNotFoundError, ProcessLookupError, PermissionError):
                pass  # it has ended
        return found

    def ranks(self) -> list[int]:
        return sorted(pid for pid, words in self.processes().items()
                      if "--rank-of" in words and words.startswith(str(PROGRAM)))

    def launcher(self) -> int | None:
        return next((pid for pid, words in self.processes().items() if words.startswith("mpirun")), None)

    def worker(self) -> int | None:
        return next((pid for pid, words in self.processes().items() if re.search(r"/proc/self/exe worker *($|--launcher)", words)), None)

    def wait_for_solving(self) -> None:
        """Until the first rank prints its title: all have then met."""
        if not self.process.stdout.readline():
            raise AssertionError(f"no title: {self.process.stderr.read()}")
        time.sleep(0.2)

    def kill(self) -> None:
        """After a test that failed."""
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)
        self.process.communicate()

    def end(self) -> tuple[int, str, str, float]:
        """Status, output, errors and the seconds until the end."""
        start = time.monotonic()
        try:
            out, errors = self.process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        errors = "".join(line for line in errors.splitlines(True) if "machine is busy" not in line)
        return self.process.returncode, out, errors, time.monotonic() - start

    def left(self) -> dict[int, str]:
        """The processes that are there 3 s later."""
        end = time.monotonic() + 3
        while (found := self.processes()) and time.monotonic() < end:
            time.sleep(0.02)
        return found


class TestOfJobs(unittest.TestCase):
    def job(self, *words: str, **variables: str) -> Job:
        job = Job(*words, **variables)
        self.addCleanup(job.kill)
        return job

    def ended(self, job: Job, status: int, within: float = 10) -> str:
        """The error of a job, which ends with this status within some seconds and leaves nothing."""
        found, _, errors, seconds = job.end()
        self.assertEqual(found, status, errors)
        self.assertEqual(job.left(), {}, errors)
        self.assertLess(seconds, within, errors)
        return errors
