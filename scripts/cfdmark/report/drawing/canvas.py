"""A figure with one axes, rendered as inline SVG or as a file of its own."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from html import escape

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend must be chosen first)
from matplotlib.transforms import Bbox  # noqa: E402

from cfdmark.stats.quantity import Quantity  # noqa: E402

from ..palette import Palette  # noqa: E402

STYLE = {
    "svg.fonttype": "none",  # text stays text: sharp, searchable, in the page's own font
    "text.parse_math": False,  # a dollar in a name is a dollar
    "svg.hashsalt": "cfdmark",
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#8a8f98",
    "axes.labelcolor": "#333a45",
    "text.color": "#1c2128",
    "xtick.color": "#4a5260",
    "ytick.color": "#4a5260",
    "axes.grid": True,
    "grid.color": "#e4e7eb",
    "grid.linewidth": 0.8,
    "axes.axisbelow": True,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "lines.linewidth": 1.8,
}
FILE_STYLE = {"svg.fonttype": "path", "pdf.fonttype": 42}
FILE_DPI = 300
UNDATED = {"svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None, "Creator": None}, "png": {"Software": None}}
LEGEND_LETTER, LEGEND_MARK = 5.0, 36.0  # points: width of a letter, and of a mark with its gaps
POINTS_PER_INCH = 72
WIDTH = 4.3  # inches; a phone shows this at about its natural size
DASHED = (0, (4, 3))


@dataclass(frozen=True)
class Mark:
    """Data of an artist for the page: its tooltip, and the line and method that it belongs to."""

    tip: str
    line: str
    method: str

    def opening(self) -> str:
        """Returns the opening tag of its SVG group. Names from records are escaped."""
        belongs = {"line": self.line, "method": self.method}
        data = "".join(f' data-{key}="{escape(name, quote=True)}"' for key, name in belongs.items() if name)
        if not self.tip:
            return f"<g{data}>"
        return f'<g class="mark"{data}><title>{escape(self.tip)}</title>'


class Canvas:
    """A figure with one axes, and the page data of its artists."""

    def __init__(self, palette: Palette, width: float, height: float, box: tuple[float, float, float, float]):
        self.palette, self.marks = palette, []
        self.alt = self.heading = ""
        self.figure = plt.figure(figsize=(width, height), dpi=72)  # a pixel is a point, as in SVG
        self.axes = self.figure.add_axes(box)

    def title(self, text: str, size: float = 10.5) -> None:
        """Draws the title at the left edge, a fixed distance below the top; smaller if it is too wide."""
        left, below_top = 0.012, 1 - 0.1 / self.figure.get_figheight()
        drawn = self.figure.text(left, below_top, text, fontweight="bold", fontsize=size, va="top")
        room = (1 - 2 * left) * self.figure.bbox.width
        drawn.set_fontsize(size * min(1, room / drawn.get_window_extent().width) if text else size)

    def text(self, text: str, at: tuple[float, float], offset: tuple[float, float], **how):
        """Returns a text, drawn at an offset in points from a place on the axes."""
        return self.axes.annotate(text, at, xytext=offset, textcoords="offset points", **how)

    def dot(self, x: float, y: float, marker, colour: str, size: float, **how):
        """Returns a drawn marker, by default with a thin white edge."""
        how = {"linestyle": "none", "markeredgecolor": "white", "markeredgewidth": 0.7, **how}
        (dot,) = self.axes.plot([x], [y], marker=marker, color=colour, markersize=size, **how)
        return dot

    def intervals(self, points: list[tuple[float, Quantity]], colour: str, width: float):
        """Returns the drawn vertical intervals of those points that have one."""
        ends = [(x, y.low, y.high) for x, y in points if y.has_interval]
        return self.axes.vlines(*(zip(*ends) if ends else ([], [], [])), color=colour, linewidth=width)

    def mark(self, artist, tip: str = "", line: str = "", method: str = "") -> None:
        """Adds a tooltip, and the line and method by whose names the artist can be hidden."""
        artist.set_gid(f"mark{len(self.marks)}")
        self.marks.append(Mark(tip, line, method))

    def described(self, alt: str, heading: str = "") -> Canvas:
        """Sets the description of the picture, and the heading that is common to all its tooltips."""
        self.alt, self.heading = alt, heading
        return self

    def svg(self, prefix: str) -> str:
        """Returns the picture as a part of a page."""
        out = io.StringIO()
        self.figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
        plt.close(self.figure)
        return inline(out.getvalue(), prefix, {"aria-label": self.alt, "data-heading": self.heading}, self.marks)

    def legend(self, handles: list) -> None:
        """Draws a legend below the picture, in as many columns as fit."""
        longest = max((len(handle.get_label()) for handle in handles), default=0)
        columns = max(1, int(self.figure.get_figwidth() * POINTS_PER_INCH / (LEGEND_LETTER * longest + LEGEND_MARK)))
        place = {"loc": "upper left", "bbox_to_anchor": (0, 0), "borderaxespad": 0.2, "columnspacing": 1.2}
        self.figure.legend(handles=handles, ncol=min(columns, len(handles)), frameon=False, fontsize=8.5, **place)

    def file(self, form: str) -> bytes:
        """Returns the picture as a file on white paper: svg, pdf or png. It holds its fonts, and no date."""
        out = io.BytesIO()
        with matplotlib.rc_context(FILE_STYLE):
            boxes = [self.figure.bbox, *(legend.get_window_extent() for legend in self.figure.legends)]
            paper = Bbox.union(boxes).transformed(self.figure.dpi_scale_trans.inverted())
            self.figure.savefig(out, format=form, dpi=FILE_DPI, bbox_inches=paper, facecolor="white", metadata=UNDATED[form])
        return out.getvalue()


def inline(svg: str, prefix: str, names: dict[str, str], marks: list[Mark]) -> str:
    """Prepares a standalone SVG for a page with many: no prologue, unique ids, size from the page. `names`
    are attributes of the picture."""
    # A tenth of a point is enough and halves the page. Texts, between the tags, keep their digits.
    svg = re.sub(
        r"<[^>]*>", lambda tag: re.sub(r"\d+\.\d{2,}", lambda n: f"{float(n.group()):.1f}", tag.group()), svg
    )
    svg = re.sub(r"\s+", " ", svg)
    svg = re.sub(r"'DejaVu Sans',[^;\"]*sans-serif", "sans-serif", svg)  # not matplotlib's list at every text
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.S)
    svg = re.sub(r'\s(?:xmlns(?::xlink)?)="[^"]*"', "", svg, count=2)
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r'(xlink:)?href="#', f'href="#{prefix}-', svg)
    svg = svg.replace("url(#", f"url(#{prefix}-")
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    # Last, so that no replacement above changes a name. Of the other groups only axes keep their names.
    mark_or_group = rf'<g id="{prefix}-(?:mark(\d+)|(?!matplotlib)[^"]*)">'
    svg = re.sub(mark_or_group, lambda found: marks[int(found[1])].opening() if found[1] else "<g>", svg)
    attributes = "".join(f' {key}="{escape(name, quote=True)}"' for key, name in names.items() if name)
    return svg.replace("<svg", f'<svg role="img"{attributes}', 1).strip()
