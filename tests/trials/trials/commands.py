"""Calls of the program and its scripts. Each must end with its own exit status and print nothing that
controls a terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from cfdmark.places import ROOT

from .findings import Findings

SECONDS = 300  # time limit of a call, also on a busy machine
OWN_STATUSES = range(6)
RAW_WORDS = ("Traceback (most recent", "json.exception", "terminate called", "basic_string", "vector::", "std::", "YAML::")
# Control characters except line ends, direction marks, and CI workflow commands except our own annotations.
UNPRINTABLE = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|^ *::(?!(error|warning|notice) title=cfdmark)[a-z-]+", re.MULTILINE)
COPY = """question: What comes of it?
blocks:
  - {kernels: [copy, scale], backends: serial, methods: default, precisions: fp64, grids: [8x8, 9x8]}
"""
COPIES = 4  # cases of it
QUICKLY = ["--no-roofs", "--case-seconds", "0.02", "--processes", "1"]


class Commands:
    def __init__(self, program: Path, folder: Path, found: Findings):
        self.program, self.folder, self.found = program, folder, found
        self.environment = dict(os.environ, CFDMARK_PYTHON=sys.executable)

    def command(self, words) -> list:
        """Returns the command line. The word "python" starts a command of the Python package; others are for
        the program."""
        start, rest = ([sys.executable, ROOT / "scripts/cfdmark"], words[1:]) if words[0] == "python" else ([self.program], words)
        return [*start, *(word if isinstance(word, (bytes, Path)) else str(word) for word in rest)]

    def start(self, *words) -> subprocess.Popen:
        return subprocess.Popen(
            self.command(words),
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def end(self, process: subprocess.Popen, what: str) -> tuple[int | None, str]:
        """Returns the exit status and the output. Adds a fault unless the status is one of the program's own.
        """
        try:
            printed = b"".join(process.communicate(timeout=SECONDS)).decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.found.faults.append(f"{what}: no end within {SECONDS} s")
            return None, ""
        if process.returncode not in OWN_STATUSES or any(word in printed for word in RAW_WORDS):
            self.found.faults.append(f"{what}: status {process.returncode}: {printed.strip()[-1500:]}")
        elif bad := UNPRINTABLE.search(printed):
            near = printed[max(0, bad.start() - 100) : bad.end() + 50]
            self.found.faults.append(f"{what}: it prints {bad[0]!r}: {near!r}")
        return process.returncode, printed

    def run(self, what: str, *words) -> tuple[int | None, str]:
        return self.end(self.start(*words), what)

    def sweep(self) -> Path:
        path = self.folder / "sweep.yaml"
        path.write_text(COPY)
        return path
