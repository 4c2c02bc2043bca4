"""Draws a mesh with its cells coloured by their numbers, so that one sees what a numbering does, or by rank.

usage: python3 -m cfdmark plot-mesh MESH.vtu PICTURE.png [--colour rank]

MESH.vtu: triangles or tetrahedra as `cfdmark mesh MESH --numbering N --output MESH.vtu` writes them, with at most
20,000 cells; for ranks with `--ranks N`. Of tetrahedra the side with the lowest z is drawn, which must be a plane.
Exit status: 0 done, 2 the file cannot be drawn, 3 the picture could not be written.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from cfdmark.program import run_program
from cfdmark.records.records import BadInput, read_bytes, shown

from .solution import check, save

MOST_CELLS = 20_000
ARRAY = re.compile(rb'<DataArray type="(\w+)" Name="(\w+)" NumberOfComponents="(\d+)" format="appended" offset="(\d+)"/>')
TYPES = {b"Float64": "<f8", b"Int32": "<i4", b"Int64": "<i8", b"UInt8": "u1"}
MARK = b'<AppendedData encoding="raw">\n_'
FLAT = 1e-9  # of the height: nodes of one plane


@dataclass
class DrawnMesh:
    """Triangles in the plane with the number of the cell that each belongs to."""

    points: list  # (x, y)
    triangles: list  # three points each
    numbers: list
    cells: int
    ranks: list | None = None  # of each cell, if the file has them


def arrays_of(path: Path) -> dict:
    """Returns the arrays of a file by name. Raises BadInput."""
    import numpy as np

    content = read_bytes(path)
    head, mark, data = content.partition(MARK)
    check(bool(mark), f"{shown(path)}: not a file that cfdmark mesh writes: there are no appended raw arrays")
    found = {}
    for kind, name, components, offset in ARRAY.findall(head):
        check(kind in TYPES, f"{shown(path)}: array {name.decode()} has the unknown type {kind.decode()}")
        start = int(offset)
        size = int.from_bytes(data[start : start + 8], "little")
        values = data[start + 8 : start + 8 + size]
        whole = len(values) == size and size % np.dtype(TYPES[kind]).itemsize == 0
        check(whole, f"{shown(path)}: array {name.decode()} is incomplete")
        found[name.decode()] = np.frombuffer(values, TYPES[kind]).reshape(-1, max(1, int(components)))
    return found


def read_mesh(path: Path) -> DrawnMesh:
    """Raises BadInput unless the file holds a mesh that can be drawn."""
    arrays = arrays_of(path)
    missing = [name for name in ("Points", "connectivity", "types") if name not in arrays]
    check(not missing, f"{shown(path)}: there is no array {' or '.join(missing)}")
    points, types = arrays["Points"], arrays["types"].ravel()
    check(0 < len(types) <= MOST_CELLS, f"{shown(path)}: {len(types):,} cells; 1 to {MOST_CELLS:,} can be drawn")
    kind = int(types[0])
    check(kind in (5, 10) and bool((types == kind).all()), f"{shown(path)}: the cells must be triangles or tetrahedra")
    corners, entries = (3 if kind == 5 else 4), arrays["connectivity"].ravel()
    sound = len(entries) == corners * len(types) and points.shape[1] == 3
    check(sound and bool(((entries >= 0) & (entries < len(points))).all()), f"{shown(path)}: a cell names a node that does not exist")
    cells = entries.reshape(-1, corners)
    drawn = flat_mesh(points, cells) if kind == 5 else lowest_side(path, points, cells)
    drawn.ranks = ranks_in(path, arrays, len(cells))
    return drawn


def flat_mesh(points, cells) -> DrawnMesh:
    return DrawnMesh(points[:, :2], cells.tolist(), list(range(len(cells))), len(cells))


def ranks_in(path: Path, arrays: dict, cells: int) -> list | None:
    """Returns the rank of each cell; None if the file has no array `rank`."""
    if "rank" not in arrays:
        return None
    ranks = arrays["rank"].ravel()
    sound = len(ranks) == cells and bool(((ranks >= 0) & (ranks < cells) & (ranks == ranks.round())).all())
    check(sound, f"{shown(path)}: array rank must have a whole number for each cell")
    return [int(rank) for rank in ranks]


def lowest_side(path: Path, points, cells) -> DrawnMesh:
    """Returns the faces of tetrahedra that lie in the plane of the lowest z."""
    low, high = points[:, 2].min(), points[:, 2].max()
    on_side = points[:, 2] <= low + FLAT * (high - low)
    faces = [(face, n) for n, cell in enumerate(cells.tolist()) for face in combinations(cell, 3) if on_side[list(face)].all()]
    if not faces:
        raise BadInput(f"{shown(path)}: no face lies in the plane of the lowest z, so there is no side to draw")
    return DrawnMesh(points[:, :2], [face for face, _ in faces], [n for _, n in faces], len(cells))


def draw_mesh(plt, mesh: DrawnMesh, title: str, colour: str = "number"):
    figure, axes = plt.subplots(figsize=(5.6, 5), layout="constrained")
    x, y = mesh.points[:, 0], mesh.points[:, 1]
    edge = "white" if len(mesh.triangles) <= 2000 else "none"
    by_rank = colour == "rank"
    values = [mesh.ranks[n] for n in mesh.numbers] if by_rank else mesh.numbers
    shades = plt.get_cmap("turbo", max(mesh.ranks) + 1) if by_rank else "viridis"
    drawn = axes.tripcolor(x, y, mesh.triangles, facecolors=values, cmap=shades, edgecolors=edge, linewidth=0.2)
    if by_rank:
        drawn.set_clim(-0.5, max(mesh.ranks) + 0.5)
        figure.colorbar(drawn, ax=axes, label="rank", ticks=sorted(set(mesh.ranks)))
    else:
        drawn.set_clim(0, max(1, mesh.cells - 1))
        figure.colorbar(drawn, ax=axes, label="number of the cell")
    axes.set(aspect="equal", title=title)
    axes.set_axis_off()
    return figure


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m cfdmark plot-mesh", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("mesh", type=Path, metavar="MESH.vtu")
    parser.add_argument("picture", type=Path, metavar="PICTURE.png")
    parser.add_argument("--colour", choices=("number", "rank"), default="number", help="of a cell: its number or its rank (default: number)")

    def act() -> None:
        arguments = parser.parse_args(words)
        mesh = read_mesh(arguments.mesh)
        has_ranks = arguments.colour != "rank" or mesh.ranks is not None
        check(has_ranks, f"{shown(arguments.mesh)}: there is no array rank; write the file by cfdmark mesh --ranks N")
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        plt.rcParams["text.parse_math"] = False
        save(draw_mesh(plt, mesh, shown(Path(arguments.mesh.name)), arguments.colour), arguments.picture)

    return run_program("plot-mesh", act)
