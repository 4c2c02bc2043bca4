"""A history as sections of a report, for the terminal, Markdown and the page."""

from __future__ import annotations

from dataclasses import dataclass

from cfdmark.report.model import COUNT, Column, Section, Table, LabelledNumber
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import with_unit
from cfdmark.text.wording import plural

from .change_points import FEWEST_POINTS, Fit, fit
from .changes import Change, ExactChange, by_size, changes_of, exact_changes
from .timeline import Timeline

BARS = "▁▂▃▄▅▆▇█"
SPARKLINE_POINTS = 24
FIGURES = {
    "registers": "registers",
    "local_bytes": "spilled bytes",
    "shared_bytes": "shared bytes",
    "occupancy": "occupancy",
    "iterations": "iterations",
    "field_bytes": "bytes of fields",
}


@dataclass
class Story:
    """A timeline with its fit and changes."""

    timeline: Timeline
    fit: Fit
    changes: list[Change]
    exact: list[ExactChange]

    @property
    def times(self) -> list[float]:
        return [p.raw["median"] for p in self.timeline.measured]


def story_of(timeline: Timeline, facts: dict[str, dict], smallest_effect: float) -> Story:
    found = fit([p.raw["median"] for p in timeline.measured], smallest_effect)
    return Story(timeline, found, changes_of(timeline, found, facts), exact_changes(timeline))


def percent(ratio: float) -> str:
    return f"{100 * (ratio - 1):+.1f} %"


def change_cell(ratio: float) -> LabelledNumber:
    return LabelledNumber(percent(ratio), ratio)


def sparkline(values: list[float]) -> str:
    """Returns the newest values between their least and greatest; flat if they are within two percent."""
    shown = values[-SPARKLINE_POINTS:]
    if not shown:
        return ""
    low, high = min(shown), max(shown)
    if high <= 1.02 * low:
        return BARS[3] * len(shown)
    return "".join(BARS[round((v - low) / (high - low) * (len(BARS) - 1))] for v in shown)


def since_first(story: Story) -> LabelledNumber | str:
    times = story.times
    return change_cell(times[-1] / times[0]) if len(times) > 1 else ""


OVERVIEW_COLUMNS = [
    Column("median", "newest", "seconds", "plus_minus", of=lambda s: s.timeline.newest),
    Column("since_first", "since first", optional=True, of=since_first),
    Column("changes", "changes", COUNT, of=lambda s: len(s.changes)),
    Column("points", "points", COUNT, of=lambda s: len(s.times)),
    Column("trend", "trend", of=lambda s: sparkline(s.times) if len(s.times) > 1 else ""),
    Column("case", "case", keep_end=True, of=lambda s: s.timeline.label),
    Column("device", "device", optional=True, of=lambda s: s.timeline.device),
]


def overview(stories: list[Story]) -> Section:
    commits = {p.commit for s in stories for p in s.timeline.points}
    found = f"{plural(len(stories), 'case')} at {plural(len(commits), 'commit')}."
    table = Table.of("cases", "Every case", OVERVIEW_COLUMNS, stories)
    return Section("cases", "Cases over time", found, tables=[table])


POINT_COLUMNS = [
    Column("commit", "commit"),
    Column("date", "measured"),
    Column("time", "time", "seconds", "plus_minus"),
    Column("level", "against the level before"),
    Column("remark", "remark"),
    *(Column(key, head, COUNT, optional=True) for key, head in FIGURES.items() if key != "occupancy"),
]


def remarks(story: Story, point) -> str:
    summary = [f"◆ {percent(c.place.ratio)}, began in {c.commits}" for c in story.changes if c.began is point]
    if not point.ok:
        summary.append(f"{point.raw['status']}: {point.raw.get('reason', '')}")
    if point.raw.get("dirty"):
        summary.append("uncommitted changes")
    return "; ".join(summary)


def against_level(story: Story) -> dict[int, LabelledNumber]:
    """Returns each point's time against the level of the point before, by identity of the point."""
    measured, levels = story.timeline.measured, story.fit.levels
    return {id(p): change_cell(p.raw["median"] / level) for p, level in zip(measured[1:], levels)}


def details(story: Story, newest: int) -> Section:
    """Returns every point of one case; `newest` limits their number, 0 shows all."""
    relative = against_level(story)
    rows = [
        [p.name, p.date, p.time, relative.get(id(p), ""), remarks(story, p)]
        + [p.raw.get(key) for key in FIGURES if key != "occupancy"]
        for p in story.timeline.points
    ]
    counted = f"{plural(len(rows), 'point')}, {plural(len(story.changes), 'change')}"
    found = f"{story.timeline.label} on {story.timeline.device}: {counted}."
    if newest and len(rows) > newest:
        found += f" The newest {newest} are shown (--rows 0 shows all)."
        rows = rows[-newest:]
    table = Table("points", "Oldest first", POINT_COLUMNS, rows)
    return Section("points", "A case over time", found, tables=[table])


CHANGE_COLUMNS = [
    Column("change", "change", of=lambda c: change_cell(c.place.ratio)),
    Column("before", "before", "seconds", of=lambda c: Quantity(c.place.before)),
    Column("after", "after", "seconds", of=lambda c: Quantity(c.place.after)),
    Column("case", "case", keep_end=True, of=lambda c: c.timeline.label),
    Column("device", "device", optional=True, of=lambda c: c.timeline.device),
    Column("commits", "began in", of="commits"),
    Column("date", "measured", optional=True, of=lambda c: c.began.date),
    Column("facts", "also changed", of=lambda c: "; ".join(c.facts)),
]
EXACT_COLUMNS = [
    Column("figure", "figure", of=lambda c: FIGURES[c.figure]),
    Column("before", "before", of=lambda c: f"{c.before:g}"),
    Column("after", "after", of=lambda c: f"{c.after:g}"),
    Column("case", "case", keep_end=True, of=lambda c: c.timeline.label),
    Column("device", "device", optional=True, of=lambda c: c.timeline.device),
    Column("began", "began at", of=lambda c: c.began.name),
]


def finding(changes: list[Change], stories: list[Story]) -> str:
    short = sum(len(s.timeline.measured) < FEWEST_POINTS for s in stories)
    have = f"{plural(short, 'case')} {'has' if short == 1 else 'have'}"
    too_short = f" {have} fewer than {FEWEST_POINTS} points, too few to find a change." if short else ""
    if not changes:
        return f"None of {plural(len(stories), 'case')} changed.{too_short}"
    slower = [c for c in changes if c.place.ratio > 1]
    cases = {(c.timeline.case, c.timeline.device) for c in changes}
    summary = f"{plural(len(changes), 'change')} in {len(cases)} of {plural(len(stories), 'case')}: "
    summary += f"{len(slower)} slower, {len(changes) - len(slower)} faster."
    if slower:
        worst = by_size(slower)[0]
        times = f"{with_unit(worst.place.before, 'seconds')} to {with_unit(worst.place.after, 'seconds')}"
        summary += f" The worst: {worst.timeline.label} went from {times} ({percent(worst.place.ratio)}) in {worst.commits}."
    return summary + too_short


def changes_section(stories: list[Story], smallest_effect: float) -> Section:
    changes = by_size([c for s in stories for c in s.changes])
    section = Section("changes", "Changes", finding=finding(changes, stories))
    if changes:
        section.tables.append(Table.of("changes", "Worst first", CHANGE_COLUMNS, changes))
    if exact := [c for s in stories for c in s.exact]:
        title = "Figures that do not drift, and changed"
        section.tables.append(Table.of("exact-changes", title, EXACT_COLUMNS, exact))
    section.note = (
        f"Changes of less than {100 * smallest_effect:g} % are not reported. The range that a change began in is one for git"
        " log; it holds the culprit with 95 % confidence. Method: least penalised bounded loss (Fearnhead and Rigaill 2019) around"
        " a level that may drift (Romano and others 2022)."
    )
    return section
