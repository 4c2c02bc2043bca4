"""Folder of a history: an append-only file of JSON lines for each device."""

from __future__ import annotations

import json
import os
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from cfdmark.foreign.read import read as read_foreign
from cfdmark.output import CannotWrite, locked
from cfdmark.records.record_check import checked, expect
from cfdmark.records.records import BadInput, Record, shown, usable_lines

from . import foreign_points
from .point import facts_id, facts_of, part, point_of, slug

FOLDER = Path("results/history")
KEY = ("case", "device", "machine", "program", "commit", "dirty", "time")


def key_of(point: dict) -> tuple:
    return tuple(point.get(name) for name in KEY)


@dataclass
class Lines:
    """Contents of the files of a history."""

    points: dict[tuple, dict] = field(default_factory=dict)  # by key; a later line replaces an earlier one
    facts: dict[str, dict] = field(default_factory=dict)  # by id
    homes: set[tuple[Path, str]] = field(default_factory=set)  # facts that each file holds
    warnings: list[str] = field(default_factory=list)


def parse(line: str) -> dict:
    raw = checked(line, ("point", "facts"))
    if raw["type"] == "point":
        expect(raw["status"] != "ok" or "median" in raw, "`median` is missing, but `status` is ok")
    return raw


def read_file(path: Path, lines: Lines) -> None:
    for _, raw in usable_lines(path, lines.warnings, parse):
        if raw["type"] == "facts":
            lines.facts[raw["id"]] = raw["facts"]
            lines.homes.add((path, raw["id"]))
        else:
            lines.points[key_of(raw)] = raw


def read_folder(folder: Path) -> Lines:
    lines = Lines()
    for path in sorted(folder.glob("*.jsonl")):
        read_file(path, lines)
    return lines


def usable(place: str, environment: dict, commit: str | None, warnings: list[str]) -> dict | None:
    """Returns the environment with the commit of its points; None, with a warning, if there is none."""
    program = part(environment, "program")
    if not environment.get("time"):
        warnings.append(f"{place}: an environment without a time: its records are skipped")
        return None
    if not program.get("commit") and not commit:
        why = "the program did not know its commit (built outside git): its records are skipped"
        warnings.append(f"{place}: {why}; name it with --commit")
        return None
    return {**environment, "program": {**program, "commit": program.get("commit") or commit}}


def points_of_file(path: Path, commit: str | None, machine: str | None, time: str, warnings: list[str]) -> list:
    """Returns the points of a record file, each with its facts. Its records may come from several commits and
    times."""
    if others := read_foreign(path, machine, time):
        return foreign_points.points(path, others, commit, warnings)
    found, environments = [], {}
    for number, raw in usable_lines(path, warnings):
        place = f"{shown(path)}:{number}"
        if raw["type"] == "environment":
            environments[raw.get("id")] = usable(place, raw, commit, warnings)
        elif raw["status"] != "not_run":
            if raw.get("environment") not in environments:
                warnings.append(f"{place}: line skipped: its environment is not in the file before it")
            elif environment := environments[raw["environment"]]:
                found.append((point_of(Record(raw), environment, machine), facts_of(environment)))
    return found


def append(path: Path, new: list[dict]) -> None:
    """Appends whole lines or, on a full disk, none. The caller holds the file's lock."""
    try:
        with open(path, "ab+") as file:
            size = file.seek(0, os.SEEK_END)
            text = "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in new)
            file.seek(max(0, size - 1))
            if file.read(1) not in (b"", b"\n"):
                text = "\n" + text  # only the line that was cut off is lost
            try:
                file.write(text.encode("utf-8"))
                file.flush()
                os.fsync(file.fileno())
            except OSError:
                os.ftruncate(file.fileno(), size)
                raise
    except OSError as error:
        why = error.strerror or error
        raise CannotWrite(f"cannot write {shown(path)}: {why}; nothing was added to it") from error


@dataclass
class Added:
    new: Counter = field(default_factory=Counter)  # points by file
    known: int = 0  # points that were in the history before
    dirty: int = 0  # new points of a build with uncommitted changes
    warnings: list[str] = field(default_factory=list)


def add(folder: Path, files: list[Path], commit: str | None, machine: str | None, time: str) -> Added:
    """Adds the points of record files to a history; points that it already has are skipped. `commit` is that
    of builds that do not record theirs, `machine` names a pool whose machines count as one, `time` selects
    Google Benchmark's time."""
    added, wanted = Added(), {}
    for path in files:
        before = len(added.warnings)
        found = points_of_file(path, commit, machine, time, added.warnings)
        if not found:
            none = f"nothing to add from {shown(path)}: no usable record"
            raise BadInput("\n".join([*added.warnings[before:], none]))
        for point, facts in found:
            wanted[key_of(point)] = (point, facts)
    with ExitStack() as locks:
        # All files are locked in one order before the history is read: otherwise concurrent calls add a point twice.
        for path in sorted({home_of(folder, point) for point, _ in wanted.values()}):
            locks.enter_context(locked(path))
        add_new(folder, wanted, added)
    return added


def home_of(folder: Path, point: dict) -> Path:
    return folder / f"{slug(point['device'])}.jsonl"


def add_new(folder: Path, wanted: dict[tuple, tuple[dict, dict]], added: Added) -> None:
    """Appends points that the history does not have. The caller holds the locks of its files."""
    lines = read_folder(folder)
    new: dict[Path, list[dict]] = {}
    for key, (point, facts) in wanted.items():
        if lines.points.get(key) == point:
            added.known += 1
            continue
        path = home_of(folder, point)
        home = path, facts_id(facts)
        if home not in lines.homes:  # each file can be read alone
            lines.homes.add(home)
            new.setdefault(path, []).append({"type": "facts", "id": facts_id(facts), "facts": facts})
        new.setdefault(path, []).append(point)
        added.new[path] += 1
        added.dirty += point["dirty"]
    for path, added_lines in new.items():
        append(path, added_lines)
