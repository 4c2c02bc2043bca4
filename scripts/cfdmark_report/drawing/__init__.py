"""Draws panels as inline SVG; each is a picture of its own, so that a narrow page can stack them."""

from __future__ import annotations

import matplotlib

from ..model import HeatPanel, LinePanel, StripPanel, TimelinePanel
from ..palette import Palette
from .canvas import STYLE
from .heat import heat_svg
from .lines import line_svg
from .markers import marker_svg
from .strips import strip_svg
from .timeline import timeline_svg

__all__ = ["draw", "marker_svg"]
DRAWERS = {
    LinePanel: line_svg,
    StripPanel: strip_svg,
    HeatPanel: heat_svg,
    TimelinePanel: timeline_svg,
}


def draw(panel, palette: Palette, prefix: str) -> str:
    with matplotlib.rc_context(STYLE):
        return DRAWERS[type(panel)](panel, palette, prefix)
