"""Draws what `cfdmark solve` found on a mesh: the field on its triangles or on the outside of a body, and the history.

usage: python3 -m cfdmark plot-mesh-solution SOLUTION.json PREFIX     writes PREFIX-field.png and PREFIX-history.png

SOLUTION.json: {"title": text, "dimensions": 2 or 3, "label": name of the values,
                "points": [[x, y, z], ...], "triangles": [[point, point, point], ...],
                "values": [value at a point, ...] or [value of a triangle, ...],
                "history": [[iteration, relative residual], ...]}
Exit status: 0 done, 2 the input is not as above, 3 a picture could not be written.
"""

from pathlib import Path

from cfdmark.records.record_check import finite

from .solution import check, draw_history, draw_pictures, read_object, set_title

FEW = 3000  # triangles whose sides are drawn, at most
LEVELS = 20


def read_mesh_solution(path: Path) -> dict:
    """Raises BadInput."""
    solution = read_object(path)
    points, values, triangles = (solution.get(key) for key in ("points", "values", "triangles"))
    check(solution.get("dimensions") in (2, 3), f"{path}: `dimensions` must be 2 or 3")
    sound = isinstance(points, list) and all(isinstance(p, list) and len(p) == 3 and all(map(finite, p)) for p in points)
    check(sound, f"{path}: `points` must be a list of [x, y, z]")
    check(
        isinstance(triangles, list)
        and bool(triangles)
        and all(isinstance(t, list) and len(t) == 3 and all(isinstance(n, int) and 0 <= n < len(points) for n in t) for t in triangles),
        f"{path}: `triangles` must be a list of three numbers of points each",
    )
    sound = isinstance(values, list) and len(values) in (len(points), len(triangles)) and all(map(finite, values))
    check(sound, f"{path}: `values` must be {len(points)} finite numbers, one a point, or {len(triangles)}, one a triangle")
    return solution


def means(solution: dict) -> list[float]:
    """Returns a value for each triangle."""
    values, triangles = solution["values"], solution["triangles"]
    if len(values) == len(triangles):
        return values
    return [sum(values[n] for n in triangle) / 3 for triangle in triangles]


def draw_mesh_field(plt, solution: dict):
    return (draw_triangles if solution["dimensions"] == 2 else draw_body)(plt, solution)


def draw_triangles(plt, solution: dict):
    x, y, _ = zip(*solution["points"])
    values, triangles = solution["values"], solution["triangles"]
    figure, axes = plt.subplots(figsize=(6.4, 5.4), layout="constrained")
    at_points = len(values) == len(x)
    if at_points:
        filled = axes.tripcolor(x, y, triangles, values, shading="gouraud", cmap="inferno")
    else:
        filled = axes.tripcolor(x, y, triangles, facecolors=values, cmap="inferno")
    if len(triangles) <= FEW:
        axes.triplot(x, y, triangles, color="white", linewidth=0.2, alpha=0.6)
    if at_points and min(values) < max(values):
        axes.tricontour(x, y, triangles, values, LEVELS // 2, colors="white", linewidths=0.7, alpha=0.8)
    axes.set(aspect="equal", xlabel="x", ylabel="y")
    set_title(axes, solution)
    figure.colorbar(filled, ax=axes, label=solution.get("label", ""))
    return figure


def draw_body(plt, solution: dict):
    """Draws the outside of a body, each triangle in the colour of its mean value."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    points, triangles, shown = solution["points"], solution["triangles"], means(solution)
    colours = plt.cm.ScalarMappable(plt.Normalize(min(shown), max(shown)), "inferno")
    figure = plt.figure(figsize=(7.2, 5.4), layout="constrained")
    axes = figure.add_subplot(projection="3d")
    edge = "#00000040" if len(triangles) <= FEW else "none"
    axes.add_collection3d(
        Poly3DCollection(
            [[points[n] for n in t] for t in triangles], facecolors=colours.to_rgba(shown), edgecolors=edge, linewidths=0.2
        )
    )
    ranges = [(min(axis), max(axis)) for axis in zip(*points)]
    axes.set(xlim=ranges[0], ylim=ranges[1], zlim=ranges[2], xlabel="x", ylabel="y", zlabel="z")
    set_title(axes, solution)
    axes.set_box_aspect([high - low for low, high in ranges])
    figure.colorbar(colours, ax=axes, label=solution.get("label", ""), shrink=0.7, pad=0.12)
    return figure


def main(words: list[str] | None = None) -> int:
    pictures = {"field": draw_mesh_field, "history": draw_history}
    return draw_pictures("plot-mesh-solution", __doc__, read_mesh_solution, pictures, words)
