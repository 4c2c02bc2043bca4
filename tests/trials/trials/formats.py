"""Every command that reads a file, given files of every format that a command writes, and of some that none
does."""

from __future__ import annotations

import json
import os
import random
import shutil
import tempfile
from pathlib import Path

from .commands import QUICKLY, ROOT, Commands
from .findings import Findings

# What reads a file. `{}` is the file, `{folder}` a folder that holds it alone.
READERS = [
    ["run", "{}", "--dry-run"],
    ["run", "sweep.yaml", "--output", "{}", *QUICKLY],
    ["report", "{}", "--format", "markdown", "--output", "-"],
    ["merge", "merged.jsonl", "{}", "--force"],
    ["merge", "{}", "records.jsonl", "--force"],
    ["history", "--folder", "history", "add", "{}", "--commit", "a" * 40],
    ["history", "--folder", "{folder}", "show"],
    ["history", "--folder", "{folder}", "report", "--output", "history.html"],
    ["compare", "{}", "{}", "--force"],
    ["compare", "records.jsonl", "{}", "--format", "junit"],
    ["compare", "{folder}", "{folder}", "--format", "markdown"],
    ["gate", "{}", "{}"],
    ["tune", "space", "{}", "--replays", "1", "--t1", "t1.json", "--t4", "t4.json", "--page", "space.html"],
    ["tune", "layouts", "--tuned", "{folder}", "--csv", "layouts.csv", "--header", "layouts.hpp"],
    ["solve", "--solver", "simple", "--problem", "channel", "--grid", "16x8", "--mask", "{}", "--max-iterations", "1"],
    ["solve", "--solver", "simple", "--problem", "channel", "--grid", "16x8", "--polygon", "{}", "--max-iterations", "1"],
    ["python", "plot-solution", "{}", "plot"],
    ["python", "plot-flow", "{}", "plot"],
    ["python", "published", "{}"],
    ["python", "space-page", "{}", "--output", "page.html"],
    ["python", "space-page", "records.jsonl", "--traces", "{}", "--output", "page.html"],
]  # fmt: skip


class Formats:
    def __init__(self, program: Path, seed: int, folder: Path):
        self.random, self.found = random.Random(seed), Findings()
        self.folder, self.files = folder, folder / "formats"
        self.files.mkdir()
        self.commands = Commands(program, folder, self.found)
        self.write_all()

    def write(self, *words) -> None:
        self.commands.run(f"writing: {words[0]}", *words)

    def write_all(self) -> None:
        """One file of each format."""
        files, records = self.files, self.folder / "records.jsonl"
        self.write("run", self.commands.sweep(), "--output", records, "--gbench", files / "gbench.json", *QUICKLY)
        self.write("report", records, "--format", "all", "--output", files)
        comparisons = [word for ending in ("json", "xml", "md", "txt") for word in ("--output", files / f"comparison.{ending}")]
        self.write("compare", records, records, *comparisons)
        self.write("history", "--folder", self.folder / "kept", "add", records)
        self.write("history", "--folder", self.folder / "kept", "report", "--output", files / "timelines.html")
        self.write("tune", "space", records, "--replays", "0", "--t4", files / "t4.json", "--page", files / "space.html")
        self.write("tune", "layouts", "--csv", files / "layouts.csv", "--header", files / "layouts.hpp", "--json", files / "layouts.json")
        self.write("solve", "--solver", "jacobi", "--grid", "8x8", "--max-iterations", "5", "--plot", files / "solution")
        self.write("solve", "--solver", "simple", "--grid", "8x8", "--max-iterations", "5", "--vtk", files / "flow.vti", "--plot", files / "flow")
        shutil.copy(records, files)
        for n, path in enumerate((self.folder / "kept").glob("*.jsonl")):
            shutil.copy(path, files / f"history-{n}.jsonl")
        shutil.copy(self.folder / "sweep.yaml", files)
        for name in ("published", "tuned"):
            shutil.copy(self.random.choice(sorted((ROOT / "results" / name).rglob("*.[jy][sa][om][nl]"))), files)
        for path in sorted((ROOT / "tests/examples/others").glob("*.json")):
            shutil.copy(path, files)
        self.write_others()

    def write_others(self) -> None:
        """What no command writes."""
        files, records = self.files, (self.folder / "records.jsonl").read_bytes()
        odd = {
            "empty": b"", "newlines": b"\n\n\n", "zeros": bytes(4096), "random": self.random.randbytes(5000), "null": b"null", "list": b"[]",
            "object": b"{}", "deep": b"[" * 100000, "deep-object": b'{"a":' * 50000, "digits": b'{"benchmarks": [' + b"9" * 5000 + b"]}",
            "utf-16.jsonl": records.decode().encode("utf-16"), "bom.jsonl": b"\xef\xbb\xbf" + records, "latin-1.jsonl": b'{"type": "\xe9"}',
            "surrogate.json": b'{"benchmarks": [{"name": "\\ud800"}], "context": {"date": "9999-99-99"}}', "windows.jsonl": records.replace(b"\n", b"\r\n"),
            "cut.jsonl": records[: len(records) // 2], "yaml": b"a: &a [*a, *a]\n", "one-line.jsonl": records.replace(b"\n", b" "),
            "numbers.json": json.dumps({"type": "record", "case": 1, "grid": [1e400, -1]}).encode(),
        }  # fmt: skip
        for name, data in odd.items():
            (files / name).write_bytes(data)
        (files / "folder").mkdir()
        os.symlink("nowhere", files / "dangling")
        os.symlink("/dev/null", files / "device")

    def formats(self, count: int) -> None:
        names = sorted(os.listdir(self.files))
        both = [(reader, name) for reader in READERS for name in names]
        for reader, name in self.random.sample(both, min(count, len(both))):
            alone = self.folder / "alone"
            shutil.rmtree(alone, ignore_errors=True)
            alone.mkdir()
            copy = alone / name
            if (self.files / name).is_dir():
                copy.mkdir()
            else:
                shutil.copy(self.files / name, copy, follow_symlinks=False)
            words = [word.replace("{folder}", str(alone)).replace("{}", str(copy)) for word in reader]
            self.commands.run(f"{' '.join(reader)}: {name}", *words)
            self.found.tried["files to commands"] += 1


def run(program: Path, seed: int, count: int) -> Findings:
    with tempfile.TemporaryDirectory() as folder:
        trial = Formats(program, seed, Path(folder))
        trial.formats(count)
        return trial.found
