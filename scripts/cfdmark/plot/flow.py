"""Draws the flow that `cfdmark solve` found, and its history.

usage: python3 -m cfdmark plot-flow FLOW.json PREFIX        writes PREFIX-flow.png and PREFIX-history.png, of a cavity PREFIX-profiles.png

FLOW.json: {"title": text, "cell": [dx, dy], "u", "v", "p", "solid": [row at the bottom, ..., row at the top],
            "history": [[iteration, residual], ...], "temperature": [like u], "vortices": [[x, y, psi, vorticity], ...],
            "residuals": {name: like `history`}, "problem": text, "reynolds": number, "rayleigh": number, "time": number,
            "dimensions": 2 or 3}
Members after `history` are optional. A flow in 3-D gives its plane z = 1/2. Value (i, j) lies at the centre of cell (i, j),
((i + 1/2) dx, (j + 1/2) dy). `solid` is 1 in cells of a body, drawn grey, and 0 in the fluid.
A cavity's velocities along its centrelines are compared with published ones at the same Reynolds number, and the largest
differences are printed. A temperature has isotherms; vortex centres are marked, clockwise for negative vorticity.
Exit status: 0 done, 2 the input is not as above, 3 a picture could not be written.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cfdmark.records.record_check import finite

from . import cavity_profiles
from .solution import check, check_history, draw_history, draw_pictures, history, read_object, show_powers

LEVELS = 24
OUTLIERS = 0.02  # share of cells on each side that may lie outside the range of colours
LONGEST_INCHES = 11.0
LEFT, RIGHT, ABOVE, BELOW, TITLE, FOOT = 0.62, 0.78, 0.30, 0.50, 0.40, 0.20  # inches around fields, for labels and scales
MOST_DENSE = 3.0  # times the usual density of streamlines along a long flow
RESIDUAL_COLOURS = ("#0072b2", "#d55e00", "#00876a", "#882255", "#b07d1e", "#4d4d4d")


@dataclass(frozen=True)
class Panel:
    title: str
    values: Any  # masked array of rows, from the bottom
    range: tuple[float, float]  # of the colours
    colours: str  # name of a colour map


def read_flow(path: Path) -> dict:
    flow = read_object(path)
    cell = flow.get("cell")
    check(
        isinstance(cell, list) and len(cell) == 2 and all(finite(h) and h > 0 for h in cell),
        f"{path}: `cell` must be [dx, dy], both above 0",
    )
    for name in ("u", "v", "p", "solid", *(["temperature"] if "temperature" in flow else [])):
        check_rows(path, name, flow)
    vortices = flow.setdefault("vortices", [])
    check(
        isinstance(vortices, list)
        and all(isinstance(v, list) and len(v) == 4 and all(map(finite, v)) for v in vortices),
        f"{path}: `vortices` must be a list of [x, y, psi, vorticity]",
    )
    residuals = flow.get("residuals") or {}
    check(isinstance(residuals, dict), f"{path}: `residuals` must be an object of lists")
    for name, looks in residuals.items():
        check_history(path, f"residuals.{name}", looks)
    for name in ("reynolds", "rayleigh", "time"):
        check(finite(flow.get(name) or 0), f"{path}: `{name}` must be a number")
    return flow


def check_rows(path: Path, name: str, flow: dict) -> None:
    rows, like = flow.get(name), flow.get("u")
    check(
        isinstance(rows, list)
        and len(rows) >= 2
        and len(rows) == len(like)
        and all(isinstance(row, list) and len(row) == len(like[0]) >= 2 for row in rows),
        f"{path}: `{name}` must be rows of numbers, in the shape of `u`",
    )
    check(
        all(finite(v) for row in rows for v in row),
        f"{path}: `{name}` holds a value that is not a finite number",
    )


def vortex_marker(vorticity: float) -> str:
    """Returns a circle for clockwise flow, a square for counter-clockwise flow."""
    return "o" if vorticity < 0 else "s"


def robust_range(values, share: float = OUTLIERS) -> tuple[float, float]:
    """Returns the range without the extreme values on both sides, which singular corners would stretch so far
    that all else has one colour; the whole range if that is at most twice as wide."""
    import numpy as np

    whole = float(values.min()), float(values.max())
    low, high = (float(v) for v in np.percentile(values.compressed(), [100 * share, 100 * (1 - share)]))
    if whole[1] - whole[0] <= 2 * (high - low):
        low, high = whole
    return (low, high) if low < high else (low - 0.5, high + 0.5)


def panels_of(flow: dict) -> list[Panel]:
    import numpy as np

    dx, dy = flow["cell"]
    solid = np.array(flow["solid"]) != 0
    u, v, p = (np.ma.masked_where(solid, np.array(flow[name], dtype=float)) for name in ("u", "v", "p"))
    # A body is at rest.
    vorticity = np.gradient(v.filled(0), dx, axis=1) - np.gradient(u.filled(0), dy, axis=0)
    vorticity = np.ma.masked_where(solid, vorticity)
    # It is unbounded at walls; the clipped range shows the middle of the flow, too.
    bound = float(np.percentile(np.abs(vorticity.compressed()), 97)) or 1.0
    speed, pressure = np.ma.hypot(u, v), p - p.mean()
    panels = [
        Panel("speed and streamlines", speed, (0.0, float(speed.max()) or 1.0), "viridis"),
        Panel("pressure", pressure, robust_range(pressure), "cividis"),
        Panel("vorticity", vorticity, (-bound, bound), "RdBu_r"),
    ]
    if "temperature" in flow:
        temperature = np.ma.masked_where(solid, np.array(flow["temperature"], dtype=float))
        panels.append(Panel("temperature", temperature, robust_range(temperature, 0.0), "inferno"))
    return panels


def heading(flow: dict, between: str = "   ") -> str:
    """Returns the title with the numbers that the flow is known by."""
    numbers = [f"{sign} = {flow[name]:g}" for name, sign in (("reynolds", "Re"), ("rayleigh", "Ra"), ("time", "time")) if flow.get(name)]
    return between.join([flow.get("title", ""), ", ".join(numbers)]).strip()


def frames(plt, count: int, aspect: float):
    """Returns a figure, and for each panel the axes of its field and of its scale. Fields have the same width
    and fill the figure: side by side, or below each other if they are long. `aspect` is height over width."""
    columns = count if aspect >= 1 / 1.5 else 1
    across = LONGEST_INCHES * max(1, columns / 3)
    cell = across / columns
    wide = cell - LEFT - RIGHT
    tall = wide * aspect
    high = TITLE + (tall + ABOVE + BELOW) * (count // columns) + FOOT
    figure = plt.figure(figsize=(across, high))
    axes = []
    for n in range(count):
        x = (n % columns) * cell + LEFT
        y = high - TITLE - (n // columns) * (tall + ABOVE + BELOW) - ABOVE - tall
        field = figure.add_axes((x / across, y / high, wide / across, tall / high))
        scale = figure.add_axes(((x + wide + 0.12) / across, y / high, 0.14 / across, tall / high))
        axes.append((field, scale))
    return figure, axes


def draw_flow(plt, flow: dict):
    """Draws streamlines over the speed with the centres of vortices, the pressure, the vorticity in a colour
    map around 0, and the temperature, if there is one."""
    import numpy as np
    from matplotlib import ticker

    dx, dy = flow["cell"]
    ny, nx = len(flow["u"]), len(flow["u"][0])
    x, y = (np.arange(nx) + 0.5) * dx, (np.arange(ny) + 0.5) * dy
    around = np.concatenate(([0], x, [nx * dx])), np.concatenate(([0], y, [ny * dy]))
    panels = panels_of(flow)
    figure, axes = frames(plt, len(panels), ny * dy / (nx * dx))
    for (field, scale), panel in zip(axes, panels):
        low, high = panel.range
        below, above = panel.values.min() < low, panel.values.max() > high
        ends = {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}[bool(below), bool(above)]
        filled = field.contourf(*around, to_the_walls(panel.values), np.linspace(low, high, LEVELS + 1), cmap=panel.colours, extend=ends)
        figure.colorbar(filled, cax=scale, ticks=[t for t in ticker.MaxNLocator(5).tick_values(low, high) if low <= t <= high])
        field.set_facecolor("0.5")
        field.set(title=panel.title, xlim=(0, nx * dx), ylim=(0, ny * dy), xlabel="x", ylabel="y")
    speed, *_ = (field for field, _ in axes)
    mark_motion(speed, x, y, flow)
    if flow["vortices"]:
        figure.text(0.5, 0.06 / figure.get_figheight(), "centres of vortices: ○ clockwise, □ the other way", ha="center", fontsize=8)
    if "temperature" in flow:
        axes[3][0].contour(*around, to_the_walls(panels[3].values), 10, colors="white", linewidths=0.6)
    figure.suptitle(heading(flow), y=1 - 0.08 / figure.get_figheight(), va="top")
    return figure


def to_the_walls(values):
    """Returns the values with those of the outermost cells again on the boundary."""
    import numpy as np

    return np.ma.array(np.pad(values.filled(0), 1, "edge"), mask=np.pad(np.ma.getmaskarray(values), 1, "edge"))


def mark_motion(axes, x, y, flow: dict) -> None:
    """Draws streamlines and the centres of vortices."""
    import numpy as np

    u, v = (np.ma.masked_where(np.array(flow["solid"]) != 0, np.array(flow[name], dtype=float)) for name in ("u", "v"))
    if np.ma.hypot(u, v).max() > 0:
        length = min(MOST_DENSE, max(1.0, float(x[-1] / y[-1]) / 2))
        axes.streamplot(x, y, u, v, color="white", linewidth=0.6, arrowsize=0.7, density=(1.2 * length, 1.2))
    for px, py, _, vorticity in flow["vortices"]:
        axes.plot(px, py, vortex_marker(vorticity), color="#d55e00", markersize=6, fillstyle="none", markeredgewidth=1.6)


def draw_residuals(plt, flow: dict):
    """Draws the history of each residual; of a file without them the largest alone."""
    residuals = flow.get("residuals") or {}
    if not residuals:
        return draw_history(plt, flow)
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    for colour, (name, looks) in zip(RESIDUAL_COLOURS, residuals.items()):
        pairs = history({"looks": looks}, "looks")
        if pairs:
            marker = "o" if len(pairs) < 30 else None
            axes.semilogy(*zip(*pairs), color=colour, linewidth=1.6, marker=marker, markersize=3.5, label=name.replace("_", " "))
    if axes.lines:
        axes.legend(frameon=False, fontsize=9)
    else:
        axes.text(0.5, 0.5, "no residual was above 0", transform=axes.transAxes, ha="center", color="#57606a")
    axes.set(xlabel="iteration", ylabel="residual")
    axes.set_title(heading(flow, "\n"), fontsize=10)
    show_powers(axes)
    axes.grid(color="#e4e7eb")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def draw_profiles(plt, flow: dict):
    """Draws u along the vertical centreline and v along the horizontal one; None for other flows than a
    cavity."""
    if flow.get("problem") != "cavity":
        return None
    published = cavity_profiles.references(flow.get("reynolds", 0), flow.get("dimensions", 2))
    figure, axes = plt.subplots(1, 2, figsize=(LONGEST_INCHES, 4.4), layout="constrained")
    for ax, (component, along) in zip(axes, (("u", "y"), ("v", "x"))):
        mine = cavity_profiles.on_the_centreline(component, flow[component])
        ax.plot(mine.at, mine.value, color="#0072b2", linewidth=1.8, label="here")
        for marker, (source, profiles) in zip("os^", published.items()):
            theirs = profiles[component]
            ax.plot(theirs.at, theirs.value, marker, color="#333333", fillstyle="none", markersize=5, label=source)
            difference, at = cavity_profiles.largest_difference(mine, theirs)
            error = cavity_profiles.KNOWN_ERRORS.get(source)
            known = f" ({error})" if error else ""
            print(f"{component} differs from {source}{known} by {difference:.2g} of the lid's speed at most, at {along} = {at:g}")
        ax.set(xlabel=along, ylabel=component, xlim=(0, 1))
        ax.grid(color="#e4e7eb")
        ax.legend(frameon=False, fontsize=8)
    figure.suptitle(heading(flow))
    return figure


def main(words: list[str] | None = None) -> int:
    pictures = {"flow": draw_flow, "history": draw_residuals, "profiles": draw_profiles}
    return draw_pictures("plot-flow", __doc__, read_flow, pictures, words)
