"""What the tests of the site share: a small folder of results, made of records that were measured, and the command."""

from __future__ import annotations

import contextlib
import io
import shutil
import subprocess
import sys
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
RESULTS = ROOT / "results"
sys.path.insert(0, str(ROOT / "scripts"))

from cfdmark.publish import command  # noqa: E402


def run(*words) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of the command."""
    out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            status = command.main([str(word) for word in words])
        except SystemExit as stop:  # argparse
            status = stop.code
    out.flush()
    return status, out.buffer.getvalue().decode("utf-8"), err.getvalue()


class Links(HTMLParser):
    def __init__(self, page: Path):
        super().__init__()
        self.targets: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        self.targets += [v for k, v in attributes if k in ("href", "src") and not v.startswith("#")]


def tracked(*words: str) -> list[str]:
    """Files that git tracks; skips the test where there is no repository."""
    try:
        command_line = ["git", "ls-files", *words]
        done = subprocess.run(command_line, cwd=ROOT, capture_output=True, text=True, check=False)
    except OSError:
        raise unittest.SkipTest("there is no git here") from None
    if done.returncode != 0:
        raise unittest.SkipTest("the sources are not in a git repository, so nothing is tracked")
    return done.stdout.splitlines()


class Small(unittest.TestCase):
    """A folder of results with one device, one experiment, one tuned table and a history."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.results, self.output = Path(scratch.name) / "results", Path(scratch.name) / "site"
        self.experiment = self.results / "device" / "reproduce" / "shinn-memory.jsonl"
        self.copy("nvidia-h200/reproduce/shinn-memory.jsonl", self.experiment)
        self.copy("nvidia-h200/reproduce/review-smoothing.jsonl", self.results / "device" / "run.jsonl")
        self.copy("tuned/nvidia-h200/jacobi.json", self.results / "tuned" / "device" / "jacobi.json")
        shutil.copytree(RESULTS / "published", self.results / "published")

    @staticmethod
    def copy(name: str, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(RESULTS / name, target)

    def make(self, *words) -> tuple[int, str, str]:
        return run("--results", self.results, "--output", self.output, *words)

    def page(self, name: str = "index.html") -> str:
        return (self.output / name).read_text(encoding="utf-8").replace("<wbr>", "")
