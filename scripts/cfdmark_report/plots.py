"""Draws panels with matplotlib as inline SVG. Each panel is a picture of its own, so that a narrow page can stack them."""

from __future__ import annotations

import io
import math
import re
from html import escape

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend must be chosen first)
from matplotlib import ticker  # noqa: E402

from .model import Axis, Dot, HeatPanel, LinePanel, Series, StripPanel  # noqa: E402
from .numbers import power_of_ten, short_count, with_unit  # noqa: E402
from .palette import Palette  # noqa: E402

STYLE = {
    "svg.fonttype": "none",  # text stays text: sharp, searchable, in the page's own font
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
WIDTH, HEIGHT = 4.3, 3.2  # inches
LABEL_GAP = 12.0  # points between the labels of two lines
BOLD_LETTER = 6.2  # points a letter of a label takes, at most
FRACTION_LIMIT = 1.5  # rows in cache may exceed the roof many times; they are drawn at the edge


class Canvas:
    """A figure with one axes, and the tooltips of its points."""

    def __init__(self, palette: Palette, width: float, height: float, box: tuple[float, float, float, float]):
        self.palette, self.tips = palette, {}
        self.figure = plt.figure(figsize=(width, height), dpi=72)  # a pixel is a point, as in SVG
        self.axes = self.figure.add_axes(box)

    def tip(self, artist, text: str) -> None:
        if text:
            artist.set_gid(f"tip{len(self.tips)}")
            self.tips[artist.get_gid()] = text

    def svg(self, prefix: str, alt: str) -> str:
        out = io.StringIO()
        self.figure.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
        plt.close(self.figure)
        return inline(out.getvalue(), prefix, alt, self.tips)


def inline(svg: str, prefix: str, alt: str, tips: dict[str, str]) -> str:
    """Makes a standalone SVG fit for a page with many: no prologue, ids of its own, size from the page, tooltips."""
    svg = re.sub(
        r"\d+\.\d{3,}", lambda found: f"{float(found.group()):.2f}", svg
    )  # a hundredth of a point will do
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.S)
    svg = re.sub(r'\s(?:xmlns(?::xlink)?)="[^"]*"', "", svg, count=2)
    for gid, text in tips.items():
        svg = svg.replace(f'<g id="{gid}">', f'<g id="{gid}"><title>{escape(text)}</title>', 1)
    svg = re.sub(r'\bid="', f'id="{prefix}-', svg)
    svg = re.sub(r'(xlink:)?href="#', f'href="#{prefix}-', svg)
    svg = svg.replace("url(#", f"url(#{prefix}-")
    svg = re.sub(r'(<svg[^>]*?) width="[^"]*"', r"\1", svg, count=1)
    svg = re.sub(r'(<svg[^>]*?) height="[^"]*"', r"\1", svg, count=1)
    return svg.replace("<svg", f'<svg role="img" aria-label="{escape(alt, quote=True)}"', 1).strip()


def tick_text(kind: str, value: float) -> str:
    if kind in ("seconds", "bytes"):
        return with_unit(float(f"{value:.3g}"), kind).replace(".00 ", " ").replace(".0 ", " ")
    if kind in ("nodes", "iterations"):
        return short_count(value)
    if kind == "error":
        return power_of_ten(value)
    return f"{100 * value:.0f} %" if kind == "fraction" else f"{value:g}"


def decades(values: list[float]) -> float:
    """How many powers of ten the values span."""
    return math.log10(max(values) / min(values)) if values else 0.0


def set_axis(axis, model: Axis, values: list[float]) -> None:
    """Ticks that people read: the measured sizes where they are few, else 1, (2, 5,) 10."""
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: tick_text(model.kind, value)))
    axis.set_minor_formatter(ticker.NullFormatter())
    if not model.log:
        return
    if model.kind == "nodes" and len(set(values)) <= 5:
        axis.set_major_locator(ticker.FixedLocator(sorted(set(values))))
        axis.set_minor_locator(ticker.NullLocator())
        return
    subs = (1.0,) if model.kind in ("error", "iterations") or decades(values) > 2 else (1.0, 2.0, 5.0)
    axis.set_major_locator(ticker.LogLocator(base=10, subs=subs, numticks=7))
    axis.set_minor_locator(ticker.NullLocator())


def set_scales(axes, x: Axis, y: Axis, points: list[tuple[float, float]]) -> None:
    axes.set_xscale("log" if x.log else "linear")
    axes.set_yscale("log" if y.log else "linear")
    for axis, model, values in (
        (axes.xaxis, x, [p[0] for p in points]),
        (axes.yaxis, y, [p[1] for p in points]),
    ):
        set_axis(axis, model, values)
    axes.set_xlabel(x.label)


def draw_series(canvas: Canvas, series: Series) -> None:
    colour = canvas.palette.colour(series.colour)
    barred = [p for p in series.points if series.markers and p.y.has_interval]
    canvas.axes.vlines(
        [p.x for p in barred],
        [p.y.low for p in barred],
        [p.y.high for p in barred],
        color=colour,
        linewidth=1.2,
    )
    canvas.axes.plot(
        [p.x for p in series.points],
        [p.y.value for p in series.points],
        color=colour,
        linestyle=series.style,
        solid_capstyle="round",
    )
    for point in series.points if series.markers else []:
        (dot,) = canvas.axes.plot(
            [point.x],
            [point.y.value],
            canvas.palette.marker(point.marker),
            color=colour,
            markersize=6,
            markeredgecolor="white",
            markeredgewidth=0.7,
        )
        canvas.tip(dot, point.note)


def spread(wanted: list[float], gap: float, low: float, high: float) -> list[float]:
    """Moves sorted positions apart until neighbours keep `gap`, within low and high where they fit."""
    placed = list(wanted)
    for i in range(1, len(placed)):
        placed[i] = max(placed[i], placed[i - 1] + gap)
    overflow = (placed[-1] - high) if placed else 0
    if overflow > 0:
        placed[-1] -= overflow
        for i in range(len(placed) - 2, -1, -1):
            placed[i] = min(placed[i], placed[i + 1] - gap)
    return placed


def label_lines(canvas: Canvas, series: list[Series]) -> None:
    """Names each line at the right edge, beside its end; a thin leader joins them where it stops early."""
    axes, box = canvas.axes, canvas.axes.get_window_extent()
    axes.autoscale_view()  # else the transformation below is that of empty axes
    first_of_label = {s.label: s for s in reversed(series) if s.points}.values()
    ends = [(max(((p.x, p.y.value) for p in s.points)), s) for s in first_of_label]
    ends.sort(key=lambda end: end[0][1])
    heights = spread([axes.transData.transform(end)[1] for end, _ in ends], LABEL_GAP, box.y0, box.y1)
    for (end, line), height in zip(ends, heights):
        colour = canvas.palette.colour(line.colour)
        right = (box.x1 + 8) / 72, height / 72
        axes.annotate(
            line.label,
            xy=end,
            xytext=right,
            textcoords=canvas.figure.dpi_scale_trans,
            color=colour,
            va="center",
            ha="left",
            fontweight="bold",
            fontsize=9.5,
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "alpha": 0.45,
                "linewidth": 0.8,
                "shrinkA": 1,
                "shrinkB": 4,
            },
        )


def line_svg(panel: LinePanel, palette: Palette, prefix: str) -> str:
    label_points = max((len(s.label) for s in panel.series), default=0) * BOLD_LETTER + LABEL_GAP
    canvas = Canvas(palette, WIDTH, HEIGHT, (0.165, 0.15, 0.83 - label_points / (72 * WIDTH), 0.70))
    points = [(p.x, p.y.value) for s in panel.series for p in s.points]
    points += [(points[0][0], y) for y in panel.y_range or ()]
    set_scales(canvas.axes, panel.x, panel.y, points)
    for series in panel.series:
        draw_series(canvas, series)
    if panel.y_range:
        canvas.axes.set_ylim(panel.y_range[0] / 1.4, panel.y_range[1] * 1.4)
    if panel.reference is not None:
        canvas.axes.axhline(panel.reference, color="#4d4d4d", linewidth=1, linestyle=(0, (4, 3)))
    canvas.figure.text(0.012, 0.965, panel.title, fontweight="bold", fontsize=10.5, va="top")
    canvas.figure.text(0.012, 0.885, panel.y.label, fontsize=9, va="top", color="#4a5260")
    label_lines(canvas, panel.series)
    return canvas.svg(prefix, f"{panel.title}: {panel.y.label} against {panel.x.label}")


def strip_x(panel: StripPanel, dot: Dot) -> float:
    return min(dot.x.value, FRACTION_LIMIT) if panel.x.kind == "fraction" else dot.x.value


def draw_dot(canvas: Canvas, panel: StripPanel, dot: Dot, y: float) -> None:
    colour, x = canvas.palette.colour(dot.colour), strip_x(panel, dot)
    beyond = x < dot.x.value
    if dot.x.has_interval and not beyond:
        canvas.axes.hlines([y], [dot.x.low], [dot.x.high], color=colour, linewidth=1.2)
    (mark,) = canvas.axes.plot(
        [x],
        [y],
        canvas.palette.marker(dot.marker),
        color=colour,
        markersize=6.5,
        markeredgewidth=1.2,
        markeredgecolor=colour,
        markerfacecolor=colour if dot.filled else "white",
        clip_on=False,
    )
    canvas.tip(mark, dot.note)
    if beyond:
        canvas.axes.annotate(
            f"{100 * dot.x.value:.0f} %",
            (x, y),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=colour,
            annotation_clip=False,
        )


def offsets(dots: list[Dot]) -> list[float]:
    """Small vertical steps by colour, so that dots of different backends do not cover each other."""
    colours = list(dict.fromkeys(d.colour for d in dots))
    step = 0.66 / max(1, len(colours))
    return [(colours.index(d.colour) - (len(colours) - 1) / 2) * step for d in dots]


def strip_svg(panel: StripPanel, palette: Palette, prefix: str) -> str:
    height = 0.85 + 0.38 * len(panel.rows)
    longest = max(len(label) for label, _ in panel.rows)
    left = min(0.45, 0.06 + 0.018 * longest)
    canvas = Canvas(palette, WIDTH, height, (left, 0.45 / height, 0.90 - left, 1 - 0.78 / height))
    for index, (_, dots) in enumerate(panel.rows):
        for dot, offset in zip(dots, offsets(dots)):
            draw_dot(canvas, panel, dot, index + offset)
    canvas.axes.set_yticks(range(len(panel.rows)), [wrapped(label) for label, _ in panel.rows])
    canvas.axes.set_ylim(len(panel.rows) - 0.5, -0.5)
    if panel.reference is not None:
        canvas.axes.axvline(panel.reference, color="#4d4d4d", linewidth=1.2, linestyle=(0, (4, 3)), zorder=1)
    set_strip_range(canvas.axes, panel)
    canvas.figure.text(0.012, 1 - 0.08 / height, panel.title, fontweight="bold", fontsize=10.5, va="top")
    return canvas.svg(prefix, f"{panel.title}: {panel.x.label}")


def set_strip_range(axes, panel: StripPanel) -> None:
    values = [strip_x(panel, d) for _, dots in panel.rows for d in dots]
    axes.set_xlim(0, max([*values, panel.reference or 0]) * 1.06)
    axes.xaxis.set_major_locator(ticker.MaxNLocator(5))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: tick_text(panel.x.kind, value)))
    axes.set_xlabel(panel.x.label)
    axes.tick_params(axis="y", length=0)


def wrapped(label: str, limit: int = 20) -> str:
    """Breaks a long row label once, at the comma or else at the last space or underscore that fits."""
    if len(label) <= limit:
        return label
    at = label.find(", ") + 1 or 1 + max(label.rfind(mark, 0, limit) for mark in " _")
    return label if at <= 0 else label[:at] + "\n" + label[at:].strip()


def heat_svg(panel: HeatPanel, palette: Palette, prefix: str) -> str:
    xs, ys = sorted({x for x, _ in panel.cells}), sorted({y for _, y in panel.cells})
    height = 0.95 + 0.36 * len(ys)
    canvas = Canvas(palette, WIDTH, height, (0.13, 0.45 / height, 0.84, 1 - 0.80 / height))
    colours, top = matplotlib.colormaps["cividis_r"], min(max(max(panel.cells.values()), 1.2), 3.0)
    for (x, y), value in panel.cells.items():
        shade = min(1.0, (value - 1) / (top - 1)) * 0.85
        at, framed = (xs.index(x), ys.index(y)), (x, y) == panel.best
        canvas.axes.add_patch(
            plt.Rectangle(
                (at[0] - 0.48, at[1] - 0.46),
                0.96,
                0.92,
                facecolor=colours(shade),
                edgecolor="#c2185b" if framed else "none",
                linewidth=2.2 if framed else 0,
            )
        )
        text = canvas.axes.text(
            *at,
            f"{value:.2f}",
            ha="center",
            va="center",
            fontsize=9.5,
            color="white" if shade > 0.5 else "#1c2128",
            fontweight="bold" if framed else "normal",
        )
        canvas.tip(text, f"{panel.x_label}={x}, {panel.y_label}={y}: {value:.3f} times the best")
    set_heat_axes(canvas.axes, panel, xs, ys)
    canvas.figure.text(0.012, 1 - 0.08 / height, panel.title, fontweight="bold", fontsize=9.5, va="top")
    return canvas.svg(prefix, f"{panel.title}: time relative to the best shape")


def set_heat_axes(axes, panel: HeatPanel, xs: list[int], ys: list[int]) -> None:
    axes.set_xlim(-0.5, len(xs) - 0.5)
    axes.set_ylim(-0.5, len(ys) - 0.5)
    axes.set_xticks(range(len(xs)), [str(x) for x in xs])
    axes.set_yticks(range(len(ys)), [str(y) for y in ys])
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    axes.grid(False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


DRAWERS = {LinePanel: line_svg, StripPanel: strip_svg, HeatPanel: heat_svg}


def draw(panel, palette: Palette, prefix: str) -> str:
    with matplotlib.rc_context(STYLE):
        return DRAWERS[type(panel)](panel, palette, prefix)


def marker_svg(marker: str, colour: str) -> str:
    """A marker alone, for legends."""
    style = matplotlib.markers.MarkerStyle(marker)
    path = style.get_path().transformed(style.get_transform())
    shape = "".join(segment_text(vertices, code) for vertices, code in path.iter_segments())
    return (
        f'<svg class="marker" viewBox="-0.8 -0.8 1.6 1.6" aria-hidden="true"><path fill="{colour}" '
        f'transform="scale(1,-1)" d="{shape}"/></svg>'
    )


def segment_text(vertices, code) -> str:
    letter = {1: "M", 2: "L", 3: "Q", 4: "C", 79: "Z"}[int(code)]
    return letter if letter == "Z" else letter + " ".join(f"{v:.3f}" for v in vertices)
