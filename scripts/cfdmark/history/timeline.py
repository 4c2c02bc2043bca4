"""Points of one case on one machine, in the order of their commits."""

from __future__ import annotations

import re
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from cfdmark.records.record_check import finite
from cfdmark.records.records import BadInput, machine_letter
from cfdmark.stats.quantity import FEWEST_FOR_INTERVAL, Quantity, count_text
from cfdmark.text.suggestion import did_you_mean

from .store import Lines

SHORT = 10  # letters of a commit


@dataclass(frozen=True)
class Point:
    raw: dict

    @property
    def commit(self) -> str:
        return self.raw["commit"]

    @property
    def name(self) -> str:
        """The short commit; a plus marks uncommitted changes."""
        return self.commit[:SHORT] + ("+" if self.raw.get("dirty") else "")

    @property
    def date(self) -> str:
        return self.raw["time"][:10]

    @property
    def ok(self) -> bool:
        return self.raw["status"] == "ok"

    @property
    def time(self) -> Quantity | None:
        if not self.ok:
            return None
        low, high = self.raw.get("ci_low"), self.raw.get("ci_high")
        if finite(samples := self.raw.get("samples")) and samples < FEWEST_FOR_INTERVAL:
            return Quantity(self.raw["median"], count=count_text(((0.0,) * int(samples),)))
        return Quantity(self.raw["median"], *((low, high) if finite(low) and finite(high) else ()))


@dataclass
class Timeline:
    case: str
    device: str  # with a letter if the history has several machines of this name
    points: list[Point]

    @property
    def label(self) -> str:
        """The case's name for people, from the newest point that has one."""
        return next((p.raw["label"] for p in reversed(self.points) if "label" in p.raw), self.case)

    @cached_property
    def measured(self) -> list[Point]:
        """Points that can show a change: with a time, and of a clean commit."""
        return [p for p in self.points if p.ok and not p.raw.get("dirty")]

    @property
    def newest(self) -> Quantity | None:
        return self.measured[-1].time if self.measured else None


@dataclass
class Order:
    """Order of commits: rank by commit. Without ranks points stay in the order in which they were added."""

    rank: dict[str, int]
    note: str = ""


def ancestors(folder: Path) -> list[str]:
    """Returns the commits that led to HEAD, oldest first; none outside a git repository."""
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    command = ["git", "-C", str(folder), "rev-list", "--topo-order", "--reverse", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", check=False)
    except OSError:  # no git here
        return []
    return done.stdout.split() if done.returncode == 0 else []


def order_of(folder: Path, lines: Lines) -> Order:
    """Orders by ancestry if git knows every commit: clocks jump, and old commits are measured late."""
    commits = {p["commit"] for p in lines.points.values()}
    # The history may be on its own branch; the current repository then knows more commits.
    known = max(
        (ancestors(place) for place in (Path.cwd(), folder)),
        key=lambda found: len(commits.intersection(found)),
    )
    rank = {commit: n for n, commit in enumerate(known)}
    unknown = len(commits - rank.keys())
    if not unknown:
        return Order(rank)
    if len(commits) == unknown:
        return Order({}, "git does not know these commits here; they are in the order in which they were added")
    which = f"{unknown} of {len(commits)} commits did not lead to git's HEAD"
    why = "another branch, or a shallow clone"
    return Order({}, f"{which} ({why}): all are in the order in which they were added")


def machine_names(lines: Lines) -> dict[tuple[str, str], str]:
    """Returns names by device and machine: `AMD EPYC, 2 cores`, with `, machine B` if several share that
    name."""
    machines: dict[str, dict[str, None]] = {}
    for raw in lines.points.values():
        machines.setdefault(raw["device"], {})[raw["machine"]] = None
    return {
        (device, machine): f"{device}, machine {machine_letter(n)}" if len(known) > 1 else device
        for device, known in machines.items()
        for n, machine in enumerate(known)
    }


def timelines(lines: Lines, order: Order, case: str | None = None) -> list[Timeline]:
    """Returns the timelines of cases that match. Raises BadInput if there are none."""
    found: dict[tuple, Timeline] = {}
    wanted, names = pattern(case), machine_names(lines)
    for raw in lines.points.values():
        if wanted.search(raw["case"]) or wanted.search(raw.get("label", "")):
            key = raw["case"], names[raw["device"], raw["machine"]]
            found.setdefault(key, Timeline(*key, points=[])).points.append(Point(raw))
    if not found:
        raise BadInput(why_none(lines, case))
    for timeline in found.values():
        timeline.points.sort(key=lambda p: order.rank.get(p.commit, 0))  # stable
    return [found[key] for key in sorted(found)]


def pattern(case: str | None) -> re.Pattern:
    try:
        return re.compile(case or "")
    except re.error as error:
        raise BadInput(f"'{case}' is not a regular expression: {error}") from error


def why_none(lines: Lines, case: str | None) -> str:
    names = sorted({p["case"] for p in lines.points.values()})
    if not names:
        return "the history is empty; `cfdmark history add RECORDS...` adds to it"
    return f"no case of the history matches '{case}'{did_you_mean(case, names, cutoff=0.3)}"
