"""Draws panels as inline SVG, one picture each, so that a narrow page can stack them."""

from __future__ import annotations

import re

import matplotlib

from ..model import BarPanel, HeatPanel, LinePanel, RooflinePanel, StripPanel, TimelinePanel
from ..palette import Palette
from .bars import bar_svg
from .canvas import STYLE
from .heat import heat_svg
from .lines import line_svg
from .markers import marker_svg
from .roofline import roofline_svg
from .strips import strip_svg
from .timeline import timeline_svg

__all__ = ["draw", "marker_svg"]
DRAWERS = {
    BarPanel: bar_svg,
    LinePanel: line_svg,
    RooflinePanel: roofline_svg,
    StripPanel: strip_svg,
    HeatPanel: heat_svg,
    TimelinePanel: timeline_svg,
}


def draw(panel, palette: Palette, prefix: str) -> str:
    """Returns the SVG of a panel. `prefix` keeps its ids unique on the page; it may hold a name from a
    record."""
    with matplotlib.rc_context(STYLE):
        return DRAWERS[type(panel)](panel, palette, as_id(prefix))


def as_id(name: str) -> str:
    """Returns a unique id: letters, digits, - and _ stay."""
    return re.sub(r"[^A-Za-z0-9_-]", lambda c: f".{ord(c.group()):x}.", name)
