"""Draws what `cfdmark shape` found: the best objective against evaluations, and the best outline over generations.

usage: python3 -m cfdmark plot-shape SHAPE.json PREFIX        writes PREFIX-history.png, PREFIX-outlines.png,
                                                        PREFIX-vorticity.png if `surface` is there, PREFIX-map.png if
                                                        `map` is there, and PREFIX.html

SHAPE.json: {"title": text, "objective": text, "circle": number, "circle_corners": [[x, y], ...],
             "evaluations": [{"objective": number, "status": text, "generation": integer}, ...],
             "best": [number of each generation],
             "outlines": [{"generation": integer, "drag": number, "lift": number, "corners": [[x, y], ...]}, ...],
             "map": {"names": [text, ...], "points": [[parameter, ..., number or null], ...]},
             "surface": {"best": [[share, number], ...], "circle": the same, "note": text},
             "run": {"grid": [nx, ny], "backend": text, "flows": integer, "flow_seconds": number, ...}}
Corners are in heights of the tunnel. `map` and `surface` may be absent. A point of `map` has the values of one or two
parameters and the objective there, null without a flow. A point of `surface` has its distance from the rear along the
surface, counterclockwise, over the whole length, and |vorticity|. `run` is what the flows cost, and the noise floor, if it was measured
(cfdmark.plot.shape_page has all its keys).
Exit status: 0 done, 2 the input is not as above, 3 a picture could not be written.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from math import log10
from pathlib import Path

from cfdmark.records.record_check import finite

from .shape_page import check_run, gain_text, page_of
from .solution import check, draw_pictures, read_object, set_title

WITH_A_FLOW = ("ok", "unconverged")
WITHOUT = "#d55e00"
DOTS, BEST, CIRCLE = "#9aa5b1", "#0072b2", "#57606a"


def read_shape(path: Path) -> dict:
    shape = read_object(path)
    evaluations, best, outlines = (shape.get(key) for key in ("evaluations", "best", "outlines"))
    check(
        isinstance(evaluations, list)
        and all(isinstance(e, dict) and finite(e.get("objective")) and isinstance(e.get("status"), str) for e in evaluations),
        f"{path}: `evaluations` must be a list of objects with `objective` and `status`",
    )
    check(isinstance(best, list) and all(map(finite, best)), f"{path}: `best` must be a list of numbers")
    check(finite(shape.get("circle")), f"{path}: `circle` must be a number")
    check(
        isinstance(outlines, list) and all(isinstance(o, dict) and finite(o.get("generation")) and finite(o.get("drag")) for o in outlines),
        f"{path}: `outlines` must be a list of objects with `generation` and `drag`",
    )
    for corners in [shape.get("circle_corners"), *(o.get("corners") for o in outlines)]:
        check(
            isinstance(corners, list) and len(corners) > 2 and all(isinstance(c, list) and len(c) == 2 and all(map(finite, c)) for c in corners),
            f"{path}: corners must be a list of at least three [x, y]",
        )
    if "surface" in shape:
        check_surface(path, shape["surface"])
    if "map" in shape:
        check_map(path, shape["map"])
    check_run(path, shape.get("run"))
    return shape


def check_surface(path: Path, surface) -> None:
    check(isinstance(surface, dict) and isinstance(surface.get("note"), str), f"{path}: `surface` must be an object with `note`")
    for key in ("best", "circle"):
        points = surface.get(key)
        check(
            isinstance(points, list) and len(points) > 2 and all(isinstance(p, list) and len(p) == 2 and all(map(finite, p)) for p in points),
            f"{path}: `surface.{key}` must be a list of at least three [share, |vorticity|]",
        )


def check_map(path: Path, lattice) -> None:
    names = lattice.get("names") if isinstance(lattice, dict) else None
    check(isinstance(names, list) and len(names) in (1, 2) and all(isinstance(n, str) for n in names), f"{path}: `map.names` must be one or two names")
    points = lattice.get("points")
    check(
        isinstance(points, list)
        and all(isinstance(p, list) and len(p) == len(names) + 1 and all(map(finite, p[:-1])) and (p[-1] is None or finite(p[-1])) for p in points),
        f"{path}: `map.points` must be lists of {len(names)} parameters and an objective or null",
    )


def draw_history(plt, shape: dict):
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    evaluations = list(enumerate(shape["evaluations"], start=1))
    solved = [(n, e["objective"]) for n, e in evaluations if e["status"] in WITH_A_FLOW]
    lost = [n for n, e in evaluations if e["status"] not in WITH_A_FLOW]
    if solved:
        numbers, values = zip(*solved)
        best = list(accumulate(values, min))
        axes.plot(numbers, values, ".", color=DOTS, markersize=4, label="evaluation")
        ends = ([*numbers, len(evaluations)], [*best, best[-1]])
        axes.step(*ends, where="post", color=BEST, linewidth=1.8, label="best so far")
        noise = shape["run"].get("objective_noise")
        if noise is not None:
            band = [[value + sign * noise for value in ends[1]] for sign in (-1, 1)]
            axes.fill_between(ends[0], *band, step="post", color=BEST, alpha=0.2, linewidth=0, label="noise floor")
    if lost:
        axes.plot(lost, [0.02] * len(lost), "|", transform=axes.get_xaxis_transform(), color=WITHOUT, label="infeasible or without a flow")
    axes.axhline(shape["circle"], color=CIRCLE, linewidth=1, linestyle="--", label="circle of this area")
    if "known_ratio" in shape["run"] and shape.get("objective") == "drag":
        axes.axhline(shape["circle"] * shape["run"]["known_ratio"], color=WITHOUT, linewidth=1, linestyle=":", label="known optimum")
    axes.set(xlabel="evaluations", ylabel=shape.get("objective", ""))
    set_title(axes, shape)
    axes.legend(frameon=False, fontsize=9)
    axes.grid(color="#e4e7eb")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def closed(corners: list) -> tuple[list, list]:
    xs, ys = zip(*corners, corners[0])
    return list(xs), list(ys)


def draw_outlines(plt, shape: dict):
    """Draws the best outline of some generations from top to bottom, each over the circle."""
    outlines = shape["outlines"]
    if not outlines:
        return None
    corners = [c for o in outlines for c in o["corners"]]
    width = max(x for x, _ in corners) - min(x for x, _ in corners)
    height = max(max(y for _, y in o["corners"]) - min(y for _, y in o["corners"]) for o in [*outlines, {"corners": shape["circle_corners"]}])
    tall = 4.0 * height / width
    figure, all_axes = plt.subplots(len(outlines), 1, figsize=(6.4, 0.5 + len(outlines) * (tall + 0.35)), sharex=True, squeeze=False, layout="constrained")
    for axes, outline in zip(all_axes.flat, outlines):
        axes.fill(*closed(outline["corners"]), color=BEST, alpha=0.75, linewidth=0)
        axes.plot(*closed(shape["circle_corners"]), color=CIRCLE, linewidth=0.8, linestyle="--")
        gain = gain_text(shape["run"], outline["drag"], shape["circle"]) if shape.get("objective") == "drag" else ""
        title = f"generation {outline['generation']}: drag {outline['drag']:.5g}{gain}, lift {outline.get('lift', 0):.3g}"
        axes.set_title(title, fontsize=8, loc="left", pad=2)
        axes.set_aspect("equal")
        axes.axis("off")
    figure.suptitle(shape["title"], fontsize=10)
    return figure


def draw_vorticity(plt, shape: dict):
    """Draws |vorticity| along the surface of the best body and of the circle."""
    if "surface" not in shape:
        return None
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    for key, label, style in (("best", "best body", {"color": BEST, "linewidth": 1.8}), ("circle", "circle of this area", {"color": CIRCLE, "linestyle": "--"})):
        axes.plot(*zip(*shape["surface"][key]), label=label, **style)
    axes.set(xlabel="share of the surface, counterclockwise from the rear", ylabel="|vorticity| / (mean speed / height)")
    axes.set_xlim(0, 1)
    axes.set_ylim(bottom=0)
    set_title(axes, shape)
    axes.legend(frameon=False, fontsize=9)
    axes.grid(color="#e4e7eb")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def draw_map(plt, shape: dict):
    """Draws the objective on the lattice: as a line, or as shares above the best in two parameters."""
    if "map" not in shape:
        return None
    names, points = shape["map"]["names"], shape["map"]["points"]
    known = [p for p in points if p[-1] is not None]
    if not known:
        return None
    best = min(known, key=lambda p: p[-1])
    figure, axes = plt.subplots(figsize=(6.4, 4.6), layout="constrained")
    if len(names) == 1:
        axes.plot(*zip(*known), ".-", color=BEST)
        axes.set(xlabel=names[0], ylabel=shape.get("objective", ""))
    else:
        draw_lattice(figure, axes, points, shares_of(shape, best[-1]))
        axes.set(xlabel=names[0], ylabel=names[1])
    axes.plot(*best[:2], "*", color=WITHOUT, markersize=13, label=f"best: {best[-1]:.5g} at " + ", ".join(f"{n}={v:.4g}" for n, v in zip(names, best)))
    set_title(axes, shape)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), frameon=False, fontsize=9)
    return figure


@dataclass
class Shares:
    """How objectives are drawn: the number of one, the ends and the lines of the colours, and their words."""

    of: Callable[[float], float]
    low: float
    high: float
    lines: list[float]
    label: str
    unit: str


def shares_of(shape: dict, best: float) -> Shares:
    """Returns per cent above the best; powers of ten of the circle's for a misfit, whose best may be 0."""
    if shape.get("objective") == "misfit" or best == 0:
        least, circle = 1e-8, abs(shape["circle"]) or 1.0
        return Shares(lambda v: log10(max(abs(v) / circle, least)), log10(least), 1, [-6, -5, -4, -3, -2, -1, 0], "power of ten of the circle's", "")
    lines = [0.5, 1, 2, 5, 10, 20]
    return Shares(lambda v: 100 * (v - best) / abs(best), 0, lines[-1], lines, "% above the best", " %")


def draw_lattice(figure, axes, points: list, shares: Shares) -> None:
    columns, rows = (sorted({p[k] for p in points}) for k in (0, 1))
    value = {(p[0], p[1]): p[2] for p in points}
    drawn = [[float("nan") if value.get((x, y)) is None else shares.of(value[x, y]) for x in columns] for y in rows]
    axes.set_facecolor("#d0d7de")  # no flow
    image = axes.pcolormesh(columns, rows, drawn, shading="nearest", cmap="viridis_r", vmin=shares.low, vmax=shares.high)
    figure.colorbar(image, ax=axes, label=f"{shares.label}; grey: no flow", extend="max")
    if len(columns) > 1 and len(rows) > 1:
        lines = axes.contour(columns, rows, drawn, levels=shares.lines, colors="black", linewidths=0.7, linestyles="solid")
        axes.clabel(lines, fmt=lambda level: f"{level:g}{shares.unit}", fontsize=8)


def main(words: list[str] | None = None) -> int:
    return draw_pictures("plot-shape", __doc__, read_shape, {"history": draw_history, "outlines": draw_outlines, "vorticity": draw_vorticity, "map": draw_map}, words, page_of)
