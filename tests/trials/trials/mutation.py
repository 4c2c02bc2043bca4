"""Sends spoiled records, results of other programs, histories, tuned tables, published figures and sweeps
through all their readers. Nothing may end in a signal, a traceback or a library's message, and both
readers of records must skip the same lines."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import subprocess
import tempfile
import traceback
from pathlib import Path

from cfdmark.history.command import main as history
from cfdmark.merge.command import main as merge
from cfdmark.places import ROOT
from cfdmark.published.command import main as published
from cfdmark.records.records import BadInput, Dataset, read_file
from cfdmark.report.command import main as report
from cfdmark.reproduce import documents
from cfdmark.reproduce.command import examine

from .commands import RAW_WORDS
from .findings import Findings
from .mutate import spoiled_bytes, spoiled_json, spoiled_line

LINES_A_FILE = 40
LINES_TO_READ = 5000  # of a file that is only read
SECONDS = 300  # that a program may take, even at the lowest priority next to other work
MOST_BYTES_TO_REPRODUCE = 200_000
SOUND = 4  # lines at the head of a file that are not spoiled


class Trial:
    def __init__(self, program: Path, seed: int, keep: Path | None, folder: Path):
        self.program, self.keep, self.folder = program, keep, folder
        self.random = random.Random(seed)
        self.found = Findings()

    def cfdmark(self, file: Path, *words) -> str:
        """What the program printed; a fault unless it ended in one of its own ways."""
        command = [str(self.program), *map(str, words)]
        try:
            done = subprocess.run(
                command, capture_output=True, cwd=self.folder, timeout=SECONDS, stdin=subprocess.DEVNULL, check=False
            )
        except subprocess.TimeoutExpired:
            self.found.add(words[0], f"did not end within {SECONDS} s", file, self.keep)
            return ""
        said = (done.stdout + done.stderr).decode("utf-8", "replace")
        if done.returncode not in range(6) or any(word in said for word in RAW_WORDS):
            self.found.add(f"cfdmark {words[0]}", f"status {done.returncode}: {said}", file, self.keep)
        return said

    def python(self, file: Path, name: str, main, *words) -> str:
        out, err = io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
                main([str(word) for word in words])
        except BaseException:  # noqa: BLE001  (whatever it is, it is a fault)
            self.found.add(name, traceback.format_exc(), file, self.keep)
        return err.getvalue()

    def records(self, count: int) -> None:
        lines = sound_lines("record")
        sweep = self.folder / "one.yaml"
        sweep.write_text("question: q\nblocks:\n  - {kernels: copy, backends: serial, methods: default, grids: 8x8}\n")
        for start in range(0, count, LINES_A_FILE):
            file = self.folder / "records.jsonl"
            chosen = self.random.sample(lines, min(LINES_A_FILE, count - start))
            spoiled = [spoiled_line(self.random, line) for line in chosen]
            file.write_bytes(b"\n".join([line.encode() for line in SOUND_LINES] + spoiled) + b"\n")
            said = self.cfdmark(file, "tune", "space", file, "--replays", 0)
            self.cfdmark(file, "compare", file, file, "--force")
            warned = self.python(file, "report", report, file, "--format", "markdown", "--output", "-")
            if (cpp := left_out(said)) != (python := left_out(warned)):
                self.found.add("the readers differ", f"C++ {cpp - python} Python {python - cpp}", file, self.keep)
            self.python(file, "merge", merge, self.folder / "merged.jsonl", file, "--force")
            self.python(file, "history add", history, "--folder", self.folder / "history", "add", file)
            if start % (10 * LINES_A_FILE) == 0:
                self.python(file, "report", report, file, "--format", "all", "--output", self.folder / "pages")
                self.cfdmark(file, "run", sweep, "--output", file, "--no-roofs", "--case-seconds", 0.01, "--processes", 1,
                             "--gbench", self.folder / "g.json")  # fmt: skip
            self.found.tried["records"] += len(chosen)

    def readers(self, count: int) -> None:
        """Many more lines, through nothing but the two readers."""
        lines = sound_lines("record")
        for start in range(0, count, LINES_TO_READ):
            file = self.folder / "records.jsonl"
            chosen = self.random.choices(lines, k=min(LINES_TO_READ, count - start))
            spoiled = [spoiled_line(self.random, line) for line in chosen]
            file.write_bytes(b"\n".join([line.encode() for line in SOUND_LINES] + spoiled) + b"\n")
            said = self.cfdmark(file, "tune", "space", file, "--replays", 0)
            dataset = Dataset(files=[file])
            self.python(file, "read_file", lambda _: read_file(file, dataset))
            if (cpp := left_out(said)) != (python := left_out("\n".join(dataset.warnings))):
                self.found.add("the readers differ", f"C++ {cpp - python} Python {python - cpp}", file, self.keep)
            self.found.tried["lines through the readers alone"] += len(chosen)

    def others(self, count: int) -> None:
        sound = [json.loads(path.read_text("utf-8")) for path in sorted((ROOT / "tests/examples/others").glob("*.json"))]
        for n in range(count):
            file = self.folder / "others.json"
            file.write_text(spoiled_json(self.random, self.random.choice(sound)), "utf-8", "replace")
            self.python(file, "history add", history, "--folder", self.folder / "theirs", "add", file, "--commit", 40 * "a")
            if n % 10 == 0:
                self.cfdmark(file, "compare", file, file, "--force")
            self.found.tried["files of others"] += 1

    def histories(self, count: int) -> None:
        lines = sound_lines("point")
        folder = self.folder / "points"
        folder.mkdir()
        for start in range(0, count, LINES_A_FILE):
            file = folder / "history.jsonl"
            chosen = self.random.sample(lines, min(LINES_A_FILE, count - start))
            file.write_bytes(b"\n".join([lines[0].encode()] + [spoiled_line(self.random, line) for line in chosen]))
            for words in (["show"], ["changes"], ["changes", "--format", "markdown"]):
                self.python(file, f"history {words[0]}", history, "--folder", folder, *words)
            self.found.tried["points of histories"] += len(chosen)

    def tables(self, count: int) -> None:
        tables = [json.loads(path.read_text()) for path in sorted(ROOT.glob("results/tuned/*/*.json"))]
        folder = self.folder / "tuned"
        (folder / "device").mkdir(parents=True)
        for _ in range(count):
            file = folder / "device" / "table.json"
            table = self.random.choice(tables)
            few = table | {"entries": self.random.sample(table["entries"], min(3, len(table["entries"])))}
            file.write_text(spoiled_json(self.random, few))
            self.cfdmark(file, "tune", "layouts", "--tuned", folder, "--csv", self.folder / "layouts.csv", "--header",
                         self.folder / "layouts.hpp")  # fmt: skip
            self.found.tried["tuned tables"] += 1

    def reproductions(self, count: int) -> None:
        """Records of published experiments, whose comparisons look at single settings."""
        known = documents.read_all(documents.PUBLISHED)
        kept = [path for path in sorted(ROOT.glob("results/*/reproduce/*.jsonl")) if path.stem in known]
        kept = [path for path in kept if path.stat().st_size < MOST_BYTES_TO_REPRODUCE]
        for _ in range(count):
            path = self.random.choice(kept)
            file = self.folder / path.name
            lines = path.read_text("utf-8").splitlines()
            file.write_bytes(b"\n".join(line.encode() if n % 3 else spoiled_line(self.random, line) for n, line in enumerate(lines)))
            document = known[path.stem]
            self.python(file, "reproduce", lambda _, document=document: self.examine(document))
            self.found.tried["reproductions"] += 1

    def examine(self, document) -> None:
        with contextlib.suppress(BadInput):
            examine(document, self.folder)

    def figures(self, count: int) -> None:
        texts = [path.read_bytes() for path in sorted(ROOT.glob("results/published/*.yaml"))]
        for _ in range(count):
            file = self.folder / "published.yaml"
            file.write_bytes(spoiled_bytes(self.random, self.random.choice(texts)))
            self.python(file, "published", published, file)
            self.found.tried["published figures"] += 1

    def sweeps(self, count: int) -> None:
        texts = [path.read_bytes() for path in sorted(ROOT.glob("sweeps/**/*.yaml"))]
        for _ in range(count):
            file = self.folder / "sweep.yaml"
            file.write_bytes(spoiled_bytes(self.random, self.random.choice(texts)))
            self.cfdmark(file, "run", file, "--dry-run")
            self.found.tried["sweeps"] += 1


def sound_lines(kind: str) -> list[str]:
    """Of this type, and what belongs to it, of all that is kept."""
    wanted = {"record": ("record", "environment"), "point": ("point", "facts")}[kind]
    lines = [line for path in sorted(ROOT.glob("results/**/*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    return [line for line in lines if json.loads(line)["type"] in wanted]


def left_out(text: str) -> set[int]:
    return {int(n) for n in re.findall(r"records\.jsonl:(\d+): line skipped", text)}


SOUND_LINES = [
    line for line in (ROOT / "tests/report/fixtures/synthetic.jsonl").read_text("utf-8").splitlines()
][:SOUND]  # fmt: skip


def run(program: Path, seed: int, counts: dict[str, int], keep: Path | None) -> Findings:
    with tempfile.TemporaryDirectory() as folder:
        trial = Trial(program, seed, keep, Path(folder))
        for name, count in counts.items():
            getattr(trial, name)(count)
        return trial.found
