"""Files with unusual names, given to every command that reads or writes files."""

from __future__ import annotations

import os
import random
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from .commands import QUICKLY, UNPRINTABLE, Commands
from .findings import Findings

STEMS = [
    b"two words", b"x\n::error title=forged::planted", b"\x1b[31mred\x1b]0;title\x07", b"\xff\xfe not UTF-8", "é \u202e \u2028".encode(),
    b"a|b`c`", b"=1+1", b"-o", b"--help", b"%s%n", b"{0}{}", b"$(touch planted)", b";touch planted", b"'", b'"', b"<b>&amp;", b"#",
    b"\\", b" ", b"~", b"*", b"[a](b)", b"\r\r", b"\xed\xa0\x80", b"\xef\xbf\xbf", b"l" * 190, b"@file", b"nul\x7f",
]  # fmt: skip
# Each is given the records, and a folder and a stem for what it writes.
COMMANDS = {
    "report": lambda records, out: ["report", records, "--format", "all", "--output", out],
    "report to the screen": lambda records, out: ["report", records, "--format", "terminal"],
    "report as Markdown": lambda records, out: ["report", records, "--format", "markdown", "--output", "-"],
    "merge": lambda records, out: ["merge", out + b".jsonl", records],
    "history add": lambda records, out: ["history", "--folder", out, "add", records, "--commit", "a" * 40],
    "compare": lambda records, out: ["compare", records, records, "--output", out + b".xml", "--output", out + b".md", "--output", out + b".json"],
    "compare with annotations": lambda records, out: ["compare", records, records, "--format", "github"],
    "compare nothing": lambda records, out: ["compare", records, out],
    "tune space": lambda records, out: ["tune", "space", records, "--replays", "0", "--t4", out + b".t4", "--page", out + b".html"],
    "run a sweep": lambda records, out: ["run", records, "--dry-run"],
    "run": lambda records, out: ["run", "sweep.yaml", "--output", out + b".jsonl", *QUICKLY, "--filter", "copy.*@8x8"],
    "solve": lambda records, out: ["solve", "--solver", "jacobi", "--grid", "8x8", "--plot", out, "--max-iterations", "3"],
    "published": lambda records, out: ["python", "published", records],
    "plot": lambda records, out: ["python", "plot-solution", records, out],
}


class Names:
    def __init__(self, program: Path, seed: int, folder: Path):
        self.random, self.found = random.Random(seed), Findings()
        self.folder = folder
        self.commands = Commands(program, folder, self.found)
        self.records = folder / "records.jsonl"
        self.commands.run("records", "run", self.commands.sweep(), "--output", self.records, *QUICKLY)

    def look_at(self, what: str, folder: Path) -> None:
        """No page holds what rules a terminal, and XML is XML."""
        for name in os.listdir(os.fsencode(folder)):
            path = Path(folder, os.fsdecode(name))
            if path.is_dir():
                self.look_at(what, path)
            elif path.suffix in (".md", ".html", ".tex", ".csv", ".xml"):
                text = path.read_text("utf-8", "replace").replace("\t", " ")
                if bad := UNPRINTABLE.search(text):
                    self.found.faults.append(f"{what}: {path.suffix} holds {bad[0]!r}: {text[max(0, bad.start() - 100) : bad.end()]!r}")
                if path.suffix == ".xml":
                    ElementTree.fromstring(text)

    def names(self, count: int) -> None:
        both = [(name, stem) for stem in STEMS for name in COMMANDS]
        for n, (name, stem) in enumerate(self.random.sample(both, min(count, len(both)))):
            here = os.fsencode(self.folder / f"{n}")
            os.mkdir(here)
            records = os.path.join(here, stem + b".jsonl")
            os.link(self.records, records)
            what = f"{name}, {stem!r}"
            self.commands.run(what, *COMMANDS[name](records, os.path.join(here, stem)))
            self.look_at(what, self.folder / f"{n}")
            self.found.tried["odd names"] += 1
        if (self.folder / "planted").exists():
            self.found.faults.append("a name was run as a command")


def run(program: Path, seed: int, count: int) -> Findings:
    with tempfile.TemporaryDirectory() as folder:
        trial = Names(program, seed, Path(folder))
        trial.names(count)
        return trial.found
