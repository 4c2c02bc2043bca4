"""HTML page of a history: changes, their timelines, and a line for each case."""

from __future__ import annotations

import re
from types import SimpleNamespace

from cfdmark.records.select import grouped
from cfdmark.report.model import Axis, Figure, Mark, Point, Section, TimelinePanel
from cfdmark.report.palette import Palette
from cfdmark.report.renderers.html import Page, render_page
from cfdmark.text.numbers import quantity_with_unit
from cfdmark.text.wording import cut_front, listed, plural

from .tables import Story, changes_section, overview, percent

MOST_PANELS = 60  # a panel has 20 to 40 kB
TICKS = 4
FOOTER = (
    "Each point is the median of a measurement with its 95 % interval, from six samples on, in the order of"
    " the commits. The line is the level, which may drift; a dashed line is where it jumped. Triangles at the"
    " upper edge are beyond it. Made by cfdmark."
)


def title_lines(name: str, limit: int = 48) -> str:
    """Breaks a long case after its grid; parts that are still too long lose their front."""
    place = re.match(r"[^@]*@[^:;]*", name)
    if len(name) <= limit or not place:
        return cut_front(name, limit)
    return "\n".join(cut_front(part, limit) for part in (place[0], name[place.end() :]) if part)


def levels(story: Story) -> list[tuple[list[float], list[float]]]:
    """Returns the fitted level, in pieces from jump to jump."""
    bounds = [0, *(c.index for c in story.fit.changes), len(story.fit.levels)]
    return [(list(range(a, b)), story.fit.levels[a:b]) for a, b in zip(bounds, bounds[1:]) if b > a]


def ticks(story: Story) -> list[tuple[float, str]]:
    """Returns ticks at some commits, evenly spread, including the newest."""
    points = story.timeline.measured
    count = min(TICKS, len(points))
    places = sorted({round(n * (len(points) - 1) / max(1, count - 1)) for n in range(count)})
    return [(place, points[place].commit[:7]) for place in places]


def panel(story: Story) -> TimelinePanel:
    points = [
        Point(n, p.time, note=f"{p.name}, {p.date}: {quantity_with_unit(p.time, 'seconds')}")
        for n, p in enumerate(story.timeline.measured)
    ]
    marks = [Mark(c.place.index - 0.5, percent(c.place.ratio), c.place.ratio > 1) for c in story.changes]
    axis = Axis("time", "seconds", log=False)
    return TimelinePanel(title_lines(story.timeline.label), axis, points, levels(story), marks, ticks(story))


def subject(story: Story) -> str:
    return story.timeline.case.partition("/")[0]


def timelines_section(stories: list[Story]) -> Section:
    """Returns the cases that changed, and the others folded by kernel or solver, up to the size limit of the
    page."""
    drawable = [s for s in stories if s.timeline.measured]
    changed = sorted((s for s in drawable if s.changes), key=lambda s: -max(c.place.ratio for c in s.changes))
    shown = (changed + [s for s in drawable if not s.changes])[:MOST_PANELS]
    section = Section("timelines", "Timelines")
    for name, group in grouped(shown, lambda s: "" if s.changes else subject(s)).items():
        title = f"{name}, no change ({len(group)})" if name else "Cases that changed, the worst first"
        key = f"steady-{name}" if name else "changed"
        section.figures.append(Figure(key, title, list(map(panel, group)), collapsed=bool(name)))
    section.finding = f"{plural(len(shown), 'timeline')}, {len(changed[:MOST_PANELS])} with changes."
    if left := len(drawable) - len(shown):
        which = "`cfdmark history report CASE-REGEX` draws those you name"
        section.note = f"{plural(left, 'case')} more than a page holds: {which}."
    if not drawable:
        section.empty = "No case has a measured time."
    return section


def palette_of(stories: list[Story]) -> Palette:
    parts = [s.timeline.case.replace("@", "/").split("/") for s in stories]
    records = [SimpleNamespace(operation=p[0], backend=p[1], method=p[3]) for p in parts if len(p) > 3]
    return Palette(SimpleNamespace(records=records))


def summary(stories: list[Story]) -> str:
    points = [p for s in stories for p in s.timeline.points]
    dates = sorted({p.date for p in points})
    commits = {p.commit for p in points}
    devices = sorted({s.timeline.device for s in stories})
    when = dates[0] if len(dates) == 1 else f"{dates[0]} to {dates[-1]}"
    return " · ".join([listed(devices), when, plural(len(commits), "commit")])


def render(stories: list[Story], title: str, effect: float, warnings: list[str], note: str, home="") -> str:
    """Returns the page. Changes below `effect` are not reported; `note` explains the order of the points."""
    sections = [changes_section(stories, effect), overview(stories), timelines_section(stories)]
    sections[1].note = note
    footer = f"{FOOTER} {note}".strip()
    return render_page(sections, Page(title, summary(stories), footer, warnings, palette_of(stories), home))
