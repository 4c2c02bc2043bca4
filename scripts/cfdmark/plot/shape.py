"""Draws what `cfdmark shape` found: the best objective against evaluations, and the best outline over generations.

usage: python3 -m cfdmark plot-shape SHAPE.json PREFIX        writes PREFIX-history.png and PREFIX-outlines.png

SHAPE.json: {"title": text, "objective": text, "circle": number, "circle_corners": [[x, y], ...],
             "evaluations": [{"objective": number, "status": text, "generation": integer}, ...],
             "best": [number of each generation],
             "outlines": [{"generation": integer, "drag": number, "lift": number, "corners": [[x, y], ...]}, ...]}
Corners are in heights of the tunnel.
Exit status: 0 done, 2 the input is not as above, 3 a picture could not be written.
"""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

from cfdmark.records.record_check import finite

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
    return shape


def draw_history(plt, shape: dict):
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    evaluations = list(enumerate(shape["evaluations"], start=1))
    solved = [(n, e["objective"]) for n, e in evaluations if e["status"] in WITH_A_FLOW]
    lost = [n for n, e in evaluations if e["status"] not in WITH_A_FLOW]
    if solved:
        numbers, values = zip(*solved)
        best = list(accumulate(values, min))
        axes.plot(numbers, values, ".", color=DOTS, markersize=4, label="evaluation")
        axes.step([*numbers, len(evaluations)], [*best, best[-1]], where="post", color=BEST, linewidth=1.8, label="best so far")
    if lost:
        axes.plot(lost, [0.02] * len(lost), "|", transform=axes.get_xaxis_transform(), color=WITHOUT, label="infeasible or without a flow")
    axes.axhline(shape["circle"], color=CIRCLE, linewidth=1, linestyle="--", label="circle of this area")
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
        axes.set_title(f"generation {outline['generation']}: drag {outline['drag']:.5g}, lift {outline.get('lift', 0):.3g}", fontsize=8, loc="left", pad=2)
        axes.set_aspect("equal")
        axes.axis("off")
    figure.suptitle(shape["title"], fontsize=10)
    return figure


def main(words: list[str] | None = None) -> int:
    return draw_pictures("plot-shape", __doc__, read_shape, {"history": draw_history, "outlines": draw_outlines}, words)
