"""Changes of cases, and the commits where they began."""

from __future__ import annotations

from dataclasses import dataclass

from .change_points import ChangePoint, Fit
from .point import EXACT
from .timeline import Point, Timeline


@dataclass(frozen=True)
class Change:
    """A case that became slower or faster."""

    timeline: Timeline
    place: ChangePoint  # indices into the timeline's measured points
    facts: list[str]  # facts that changed together with the commit

    @property
    def began(self) -> Point:
        return self.timeline.measured[self.place.index]

    @property
    def commits(self) -> str:
        """The range of commits in git's notation that contains the culprit with 95 % confidence. A single
        commit means the same build."""
        old, new = (self.timeline.measured[n].commit for n in (self.place.first - 1, self.place.last))
        return "same commit" if old == new else f"{old[:10]}..{new[:10]}"


@dataclass(frozen=True)
class ExactChange:
    """A change of a figure that does not drift, such as registers."""

    timeline: Timeline
    figure: str
    before: float
    after: float
    began: Point


def difference(old: dict, new: dict) -> list[str]:
    """Returns: compiler GNU 12.2.0 -> GNU 13.3.0."""
    keys = sorted(k for k in old.keys() | new.keys() if old.get(k) != new.get(k))
    return [f"{key} {old.get(key, 'absent')} → {new.get(key, 'absent')}" for key in keys]


def changes_of(timeline: Timeline, found: Fit, facts: dict[str, dict]) -> list[Change]:
    """Returns the changes of a timeline; `facts` are those of the history's environments, by id."""
    points, changes = timeline.measured, []
    for place in found.changes:
        old, new = (facts.get(points[n].raw.get("facts"), {}) for n in (place.first - 1, place.last))
        changes.append(Change(timeline, place, difference(old, new)))
    return changes


def exact_changes(timeline: Timeline) -> list[ExactChange]:
    """Returns changes of exact figures between neighbouring points that have them."""
    found = []
    for figure in EXACT:
        with_figure = [p for p in timeline.measured if figure in p.raw]
        for old, new in zip(with_figure, with_figure[1:]):
            if old.raw[figure] != new.raw[figure]:
                found.append(ExactChange(timeline, figure, old.raw[figure], new.raw[figure], new))
    return found


def by_size(changes: list[Change]) -> list[Change]:
    """Sorts the worst slowdown first, the largest gain last."""
    return sorted(changes, key=lambda c: (-c.place.ratio, c.timeline.case, c.timeline.device))
