"""Draws panels, one picture each: as inline SVG, so that a narrow page can stack them, or as files."""

from __future__ import annotations

import re
from collections.abc import Iterable

import matplotlib

from ..model import BarPanel, Figure, HeatPanel, LinePanel, RooflinePanel, StripPanel, TimelinePanel
from ..palette import Palette
from .bars import bar_drawing
from .canvas import STYLE, plt
from .heat import heat_drawing
from .legend import handles
from .lines import line_drawing
from .markers import marker_svg
from .roofline import roofline_drawing
from .strips import strip_drawing
from .timeline import timeline_drawing

__all__ = ["draw", "draw_files", "marker_svg", "with_shared_y"]
DRAWERS = {
    BarPanel: bar_drawing,
    LinePanel: line_drawing,
    RooflinePanel: roofline_drawing,
    StripPanel: strip_drawing,
    HeatPanel: heat_drawing,
    TimelinePanel: timeline_drawing,
}


def draw(panel, palette: Palette, prefix: str) -> str:
    """Returns the SVG of a panel. `prefix` keeps its ids unique on the page; it may hold a name from a
    record."""
    with matplotlib.rc_context(STYLE):
        return DRAWERS[type(panel)](panel, palette).svg(as_id(prefix))


def draw_files(panel, palette: Palette, forms: Iterable[str]) -> dict[str, bytes]:
    """Returns the picture of a panel with its legend, by format: svg, pdf, png."""
    with matplotlib.rc_context(STYLE):
        canvas = DRAWERS[type(panel)](panel, palette)
        if entries := handles([panel], palette):
            canvas.legend(entries)
        files = {form: canvas.file(form) for form in forms}
        plt.close(canvas.figure)
        return files


def with_shared_y(figure: Figure) -> Figure:
    """Gives all panels the same range, if the figure says so."""
    if figure.share_y:
        values = [p.y.value for panel in figure.panels for s in panel.series for p in s.points]
        for panel in figure.panels:
            panel.y_range = (min(values), max(values))
    return figure


def as_id(name: str) -> str:
    """Returns a unique id: letters, digits, - and _ stay."""
    return re.sub(r"[^A-Za-z0-9_-]", lambda c: f".{ord(c.group()):x}.", name)
