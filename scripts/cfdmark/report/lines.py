"""Figures of lines. Panels of single dots become tables."""

from __future__ import annotations

from cfdmark.text.wording import capital, listed

from .model import Column, Figure, LinePanel, Table


def has_line(panel: LinePanel) -> bool:
    return any(len({p.x for p in series.points}) > 1 for series in panel.series)


def figure(key: str, caption: str, panels: list[LinePanel], note: str = "", **options) -> list[Figure]:
    """Returns one figure of the panels that have a line, or none. The note names those that are only in the
    table."""
    drawn = [p for p in panels if has_line(p)]
    others = [p.title for p in panels if not has_line(p)]
    if not drawn:
        return []
    left = f" Of one size only, so in the table alone: {listed(others)}." if others else ""
    return [Figure(key, caption, drawn, f"{note}{left}".strip(), **options)]


def tables(key: str, panels: list[LinePanel]) -> list[Table]:
    """Returns the panels without a line as tables: one for each kind of axes."""
    kinds = {}
    for panel in panels:
        if not has_line(panel):
            kinds.setdefault((panel.x, panel.y), []).append(panel)
    return [table(f"{key}-{n}", *axes, group) for n, (axes, group) in enumerate(kinds.items(), 1)]


def table(key: str, x, y, panels: list[LinePanel]) -> Table:
    kind = "plain" if y.kind == "nodes" else y.kind
    columns = [
        Column("what", "subject"),
        Column("line", "line"),
        Column("x", x.label, "count" if x.kind == "nodes" else "plain"),
        Column("y", y.label, kind, "plus_minus" if kind == "seconds" else "three_digits"),
    ]
    rows = [[p.title, s.label, point.x, point.y] for p in panels for s in p.series for point in s.points[:1]]
    return Table(key, capital(y.label), columns, rows)
