"""Legends of strips, rooflines and bars. Lines carry their names, and heat maps have a scale."""

from __future__ import annotations

from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from cfdmark.records.select import BACKENDS, rank

from ..model import BarPanel, RooflinePanel, StripPanel
from ..palette import BOUNDS, Palette

GREY = "#4a5260"


def colours_of(panels: list) -> dict[str, str]:
    """Returns colours by label, as the palette names them."""
    colours = sorted({d.colour for d in dots_of(panels)}, key=lambda c: rank(c.partition(":")[2], [*BACKENDS, *BOUNDS]))
    bars = [bar for p in panels if isinstance(p, BarPanel) for _, bar, _ in p.bars]
    return {c.partition(":")[2]: c for c in colours} | {part.label: part.colour for bar in bars for part in bar}


def methods_of(panels: list) -> list[str]:
    """Returns the methods whose markers differ; none if there is only one."""
    markers = sorted({d.marker for d in dots_of(panels)}, key=lambda m: (m != "plain", m))
    return markers if len(markers) > 1 else []


def dots_of(panels: list) -> list:
    dots = [d for p in panels if isinstance(p, StripPanel) for _, row in p.rows for d in row]
    return dots + [d for p in panels if isinstance(p, RooflinePanel) for d in p.points]


def handles(panels: list, palette: Palette) -> list:
    """Returns the entries for matplotlib."""
    entries = [Patch(color=palette.colour(colour), label=label) for label, colour in colours_of(panels).items()]
    how = {"linestyle": "none", "markersize": 6}
    return entries + [Line2D([], [], color=GREY, marker=palette.marker(m), label=m, **how) for m in methods_of(panels)]
