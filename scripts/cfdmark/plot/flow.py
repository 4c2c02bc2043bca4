"""Draws the flow that `cfdmark solve` found, and its history.

usage: python3 -m cfdmark plot-flow FLOW.json PREFIX        writes PREFIX-flow.png and PREFIX-history.png, of a cavity PREFIX-profiles.png

FLOW.json: {"title": text, "cell": [dx, dy], "u", "v", "p", "solid": [row at the bottom, ..., row at the top],
            "history": [[iteration, residual], ...], "temperature": [like u], "vortices": [[x, y, psi, vorticity], ...],
            "problem": text, "reynolds": number, "dimensions": 2 or 3}
Members after `history` are optional. A flow in 3-D gives its plane z = 1/2. Value (i, j) lies at the centre of cell (i, j),
((i + 1/2) dx, (j + 1/2) dy). `solid` is 1 in cells of a body, drawn grey, and 0 in the fluid.
A cavity's velocities along its centrelines are compared with published ones at the same Reynolds number, and the largest
differences are printed. A temperature has isotherms; vortex centres are marked, clockwise for negative vorticity.
Exit status: 0 done, 2 the input is not as above, 3 a picture could not be written.
"""

from pathlib import Path

from cfdmark.records.record_check import finite

from . import cavity_profiles
from .solution import check, draw_history, draw_pictures, read_object

LEVELS = 24
LONGEST_INCHES = 11.0


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


def draw_flow(plt, flow: dict):
    """Draws streamlines over the speed with the centres of vortices, the pressure, the vorticity in a colour
    map around 0, and the temperature, if there is one."""
    import numpy as np  # comes with matplotlib

    dx, dy = flow["cell"]
    solid = np.array(flow["solid"]) != 0
    u, v, p = (np.ma.masked_where(solid, np.array(flow[name], dtype=float)) for name in ("u", "v", "p"))
    x, y = (np.arange(u.shape[1]) + 0.5) * dx, (np.arange(u.shape[0]) + 0.5) * dy
    width, height = u.shape[1] * dx, u.shape[0] * dy
    # A body is at rest.
    vorticity = np.gradient(v.filled(0), dx, axis=1) - np.gradient(u.filled(0), dy, axis=0)
    vorticity = np.ma.masked_where(solid, vorticity)
    # It is unbounded at walls; the clipped range shows the middle of the flow, too.
    bound = float(np.percentile(np.abs(vorticity.compressed()), 97)) or 1.0
    panels = [
        ("speed and streamlines", np.hypot(u, v), {"cmap": "viridis"}),
        ("pressure", p - p.mean(), {"cmap": "cividis"}),
        ("vorticity", np.clip(vorticity, -bound, bound), {"cmap": "RdBu_r", "vmin": -bound, "vmax": bound}),
    ]
    if "temperature" in flow:
        panels.append(("temperature", np.ma.masked_where(solid, np.array(flow["temperature"], dtype=float)), {"cmap": "inferno"}))
    side_by_side = width <= 1.5 * height
    wide = LONGEST_INCHES * len(panels) / 3
    figure, axes = plt.subplots(
        1 if side_by_side else len(panels),
        len(panels) if side_by_side else 1,
        figsize=(wide, 4.0) if side_by_side else (LONGEST_INCHES, len(panels) * LONGEST_INCHES * height / width),
        layout="constrained",
    )
    for ax, (title, values, how) in zip(axes, panels):
        filled = ax.contourf(x, y, values, LEVELS, **how)
        figure.colorbar(filled, ax=ax, shrink=0.8)
        ax.set_facecolor("0.5")
        ax.set(title=title, xlim=(0, width), ylim=(0, height), aspect="equal", xlabel="x", ylabel="y")
    if np.hypot(u, v).max() > 0:
        axes[0].streamplot(x, y, u, v, color="white", linewidth=0.6, arrowsize=0.7, density=1.2)
    for px, py, _, vorticity in flow["vortices"]:
        axes[0].plot(px, py, vortex_marker(vorticity), color="#d55e00", markersize=6, fillstyle="none", markeredgewidth=1.6)
    if flow["vortices"]:
        figure.supxlabel("centres of vortices: ○ clockwise, □ the other way", fontsize=8)
    if "temperature" in flow:
        axes[3].contour(x, y, panels[3][1], 10, colors="white", linewidths=0.6)
    figure.suptitle(flow.get("title", ""))
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
    figure.suptitle(flow.get("title", ""))
    return figure


def main(words: list[str] | None = None) -> int:
    pictures = {"flow": draw_flow, "history": draw_history, "profiles": draw_profiles}
    return draw_pictures("plot-flow", __doc__, read_flow, pictures, words)
