"""Draws what `cfdmark solve` found: the field and its history.

usage: python3 -m cfdmark plot-solution SOLUTION.json PREFIX        writes PREFIX-field.png and PREFIX-history.png

SOLUTION.json: {"title": text, "grid": [nx, ny], "field": [row at the bottom, ..., row at the top],
                "history": [[iteration, relative residual], ...],
                "error_history": [[iteration, max error], ...]}
The field covers the unit square without its edges: value (i, j) lies at
((i + 1) / (nx + 1), (j + 1) / (ny + 1)). Both histories may be empty.
Exit status: 0 done, 2 the input is not as above, 3 a picture could not be written.
"""

import argparse
import io
import json
from pathlib import Path
from textwrap import fill

from cfdmark.output import CannotWrite, write_whole
from cfdmark.program import run_program
from cfdmark.records.record_check import finite
from cfdmark.records.records import BadInput
from cfdmark.text.numbers import power_of_ten
from cfdmark.text.printable import printable

LEVELS = 20
FEW_ISOTHERMS = 10
TITLE_CHARACTERS = 64  # of a line, that fit a picture of 6.4 inches


def check(condition: bool, message: str) -> None:
    if not condition:
        raise BadInput(message)


def read_object(path: Path) -> dict:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"{path} is not JSON: {error}") from error
    check(isinstance(found, dict), f"{path}: expected one JSON object")
    found["title"] = printable(str(found.get("title", "")))
    for key in ("history", "error_history"):
        check_history(path, key, found.get(key) or [])
    return found


def check_history(path: Path, key: str, pairs) -> None:
    sound = isinstance(pairs, list) and all(isinstance(p, list) and len(p) == 2 and finite(p[0]) for p in pairs)
    check(sound, f"{path}: `{key}` must be a list of [iteration, value]")


def read_solution(path: Path) -> dict:
    solution = read_object(path)
    check_field(path, solution)
    return solution


def check_field(path: Path, solution: dict) -> None:
    grid, field = solution.get("grid"), solution.get("field")
    check(
        isinstance(grid, list) and len(grid) == 2 and all(isinstance(n, int) and n >= 2 for n in grid),
        f"{path}: `grid` must be [nx, ny], both at least 2",
    )
    check(
        isinstance(field, list)
        and len(field) == grid[1]
        and all(isinstance(r, list) and len(r) == grid[0] for r in field),
        f"{path}: `field` must be {grid[1]} rows of {grid[0]} numbers",
    )
    check(
        all(finite(v) for row in field for v in row),
        f"{path}: `field` holds a value that is not a finite number",
    )


def history(solution: dict, key: str) -> list[tuple[float, float]]:
    """Returns the pairs that a logarithmic axis can show."""
    return [(i, v) for i, v in solution.get(key) or [] if finite(v) and v > 0]


def draw_field(plt, solution: dict):
    nx, ny = solution["grid"]
    xs = [(i + 1) / (nx + 1) for i in range(nx)]
    ys = [(j + 1) / (ny + 1) for j in range(ny)]
    figure, axes = plt.subplots(figsize=(6.4, 5.4), layout="constrained")
    filled = axes.contourf(xs, ys, solution["field"], LEVELS, cmap="inferno")
    if min(map(min, solution["field"])) < max(map(max, solution["field"])):
        lines = axes.contour(
            xs, ys, solution["field"], FEW_ISOTHERMS, colors="white", linewidths=0.7, alpha=0.8
        )
        axes.clabel(lines, fontsize=7, fmt="%.3g")
    axes.set(
        xlim=(0, 1), ylim=(0, 1), aspect="equal", xlabel="x", ylabel="y", title=solution.get("title", "")
    )
    figure.colorbar(filled, ax=axes, label="temperature")
    return figure


def set_title(axes, solution: dict) -> None:
    """Breaks a title that is longer than a picture is wide: the name of a mesh file may be long."""
    axes.set_title(fill(solution.get("title", ""), TITLE_CHARACTERS), fontsize=10)


def draw_history(plt, solution: dict):
    figure, axes = plt.subplots(figsize=(6.4, 4.2), layout="constrained")
    curves = (
        ("history", "relative residual", "#0072b2", "-"),
        ("error_history", "max error", "#d55e00", "--"),
    )
    for key, label, colour, style in curves:
        pairs = history(solution, key)
        if pairs:
            axes.semilogy(
                *zip(*pairs),
                style,
                color=colour,
                linewidth=1.8,
                marker="o" if len(pairs) < 30 else None,
                markersize=4,
                label=label,
            )
    if axes.lines:
        axes.legend(frameon=False)
    else:
        axes.text(0.5, 0.5, "no history was recorded", transform=axes.transAxes, ha="center", color="#57606a")
    axes.set_xlabel("iteration")
    set_title(axes, solution)
    show_powers(axes)
    axes.grid(color="#e4e7eb")
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def show_powers(axes) -> None:
    """Labels a logarithmic axis with 10⁻⁴, in plain letters: a dollar in a title is a dollar."""
    if axes.get_yscale() == "log":
        axes.yaxis.set_major_formatter(lambda value, _: power_of_ten(value))
        axes.yaxis.set_minor_formatter(lambda *_: "")


def save(figure, path: Path) -> None:
    if not path.parent.is_dir():
        raise CannotWrite(f"cannot write {printable(str(path))}: there is no folder {printable(str(path.parent))}")
    picture = io.BytesIO()
    figure.savefig(picture, dpi=150, format="png")
    write_whole(path, picture.getvalue())
    print(printable(str(path)))


def draw_pictures(program: str, document: str, read, pictures: dict, words: list[str] | None, page=None) -> int:
    """Runs the command: reads the file and writes PREFIX-NAME.png for each picture, and PREFIX.html if there is
    a page. A picture is a function of pyplot and the data, and may return None. A page is a function of the
    data and the written pictures by name, and returns a text. Returns the exit status."""
    parser = argparse.ArgumentParser(
        prog=f"python3 -m cfdmark {program}", description=document, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("solution", type=Path, metavar="SOLUTION.json")
    parser.add_argument("prefix", metavar="PREFIX")

    def act() -> None:
        arguments = parser.parse_args(words)
        import matplotlib

        matplotlib.use("Agg")
        import matplotlib.pyplot as plt

        plt.rcParams["text.parse_math"] = False  # a dollar in a title is a dollar
        solution = read(arguments.solution)
        written = {}
        for name, draw in pictures.items():
            figure = draw(plt, solution)
            if figure is not None:
                written[name] = Path(f"{arguments.prefix}-{name}.png")
                save(figure, written[name])
        if page is not None:
            path = Path(f"{arguments.prefix}.html")
            write_whole(path, page(solution, written).encode("utf-8"))
            print(printable(str(path)))

    return run_program(program, act)


def main(words: list[str] | None = None) -> int:
    pictures = {"field": draw_field, "history": draw_history}
    return draw_pictures("plot-solution", __doc__, read_solution, pictures, words)
