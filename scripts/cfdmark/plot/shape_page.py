"""The page of a search of shapes: table 8.1 of Normore 2010 row by row, the pictures, and what became of all flows.

`run` of the search: {"grid": [nx, ny], "backend": text, "solver": text, "workers": integer, "devices": integer,
"slots": integer, "reynolds": number, "flows": integer, "iterations": number of a flow, "flow_seconds": number of a
flow on one worker or device, "search_seconds": number, "solved_here": integer, "joules": number of these, 0 without
a counter, "statuses": {text: integer}, "audited": integer, "wrong_stops": integer, "ratio": number to the circle,
"noise": number, half its range, "objective_noise": number, "known_ratio": number, "known_within": number}.
The last four may be absent.
"""

from __future__ import annotations

import base64
from html import escape
from pathlib import Path

from cfdmark.places import PUBLISHED
from cfdmark.published.load import load
from cfdmark.records.record_check import finite
from cfdmark.records.records import BadInput

COUNTS = ("workers", "devices", "flows", "solved_here", "audited", "wrong_stops")
NUMBERS = ("reynolds", "iterations", "flow_seconds", "search_seconds", "joules", "ratio")
MILLION = 1e6
YEAR, DAY, HOUR = 365.25 * 86400, 86400.0, 3600.0
STYLE = """body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #1f2328 }
table { border-collapse: collapse; margin: 1em 0 } td, th { padding: .25em .8em; text-align: right; border-bottom: 1px solid #d8dee4 }
td:first-child, th:first-child, td:last-child { text-align: left } img { max-width: 100% }"""


def check_run(path: Path, run) -> None:
    """Raises BadInput if a key of `run` is missing or has another type."""
    if not isinstance(run, dict):
        raise BadInput(f"{path}: `run` must be an object")
    for key in COUNTS:
        if not isinstance(run.get(key), int) or run[key] < 0:
            raise BadInput(f"{path}: `run.{key}` must be an integer from 0 on")
    for key in NUMBERS:
        if not finite(run.get(key)):
            raise BadInput(f"{path}: `run.{key}` must be a number")
    grid = run.get("grid")
    if not (isinstance(grid, list) and len(grid) == 2 and all(isinstance(n, int) and n > 0 for n in grid)):
        raise BadInput(f"{path}: `run.grid` must be [nx, ny]")
    if not isinstance(run.get("statuses"), dict):
        raise BadInput(f"{path}: `run.statuses` must be an object")


def gain_text(run: dict, drag: float, circle: float) -> str:
    """Returns the gain over the circle with the noise floor, such as ", gain 24.1 % +- 0.4 %"."""
    noise = f" ± {100 * run['noise']:.2g} %" if "noise" in run else ""
    return f", gain {100 * (1 - drag / circle):.3g} %{noise}"


def duration(seconds: float) -> str:
    for unit, length in (("years", YEAR), ("days", DAY), ("hours", HOUR), ("min", 60.0)):
        if seconds >= 2 * length:
            return f"{seconds / length:.3g} {unit}"
    return f"{1e3 * seconds:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def measured(run: dict) -> dict[str, tuple[str, float]]:
    """Returns for rows of the printed table what was measured: its name, and seconds of an evaluation there."""
    one = run["flow_seconds"]
    if run["flows"] == 0 or one <= 0:
        return {}
    if run["backend"] == "cuda":
        slots = f", {run['slots']} flows at a time" if run.get("slots") else ""
        found = {"one GPU": (f"one GPU{slots}", one), "50 GPUs": ("50 by the stated rule", one / 50)}
        if run["devices"] > 1:
            found["GPUs here"] = (f"{run['devices']} GPUs", one / run["devices"])
        return found
    name = "one core" if run["backend"] == "serial" else f"one host by {run['backend']}"
    found = {"one CPU": (name, one), "50 CPUs": (f"50 of it by the stated rule", one / 50)}
    if run["workers"] > 1:
        found["cores here"] = (f"{run['workers']} cores, a shape each", one / run["workers"])
    return found


def table_rows(run: dict) -> list[list[str]]:
    """Returns table 8.1 row by row: printed, per evaluation, here, here for a million, ratio, what can be said."""
    table = load(PUBLISHED / "normore-table-8.1.yaml").tables[0]
    here, rows = measured(run), []
    for hardware, printed, time in zip(table.column("hardware"), table.column("printed"), table.column("time")):
        each = float(time) / MILLION
        row = [str(hardware), str(printed), duration(each)]
        if hardware in here:
            name, seconds = here.pop(hardware)
            said = f"{name}; the printed row is an estimate, so only the cost of an evaluation can be compared"
            row += [duration(seconds), f"{3600 / seconds:.4g}", duration(seconds * MILLION), f"{each / seconds:.3g}", said]
        else:
            row += ["", "", "", "", "not measured by this run"]
        rows.append(row)
    for name, seconds in here.values():
        rows.append([name, "", "", duration(seconds), f"{3600 / seconds:.4g}", duration(seconds * MILLION), "", "measured, not in the table"])
    return rows


def table(head: list[str], rows: list[list[str]]) -> str:
    def line(tag: str, cells: list[str]) -> str:
        return "<tr>" + "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in cells) + "</tr>"

    return "<table>" + line("th", head) + "".join(line("td", row) for row in rows) + "</table>"


def outcome(run: dict) -> str:
    text = f"The best outline has {run['ratio']:.4f} of the drag of a circle of its area on the same grid"
    if "noise" in run:
        text += f", with a noise floor of ± {run['noise']:.4f}: the range over places of a shape in a cell"
    if "known_ratio" in run:
        reached = run["ratio"] <= run["known_ratio"] + run["known_within"]
        text += f". The known optimum is {run['known_ratio']:g}: {'reached' if reached else 'not reached'} within {run['known_within']:g}"
    return text + "."


def parts(run: dict) -> list[list[str]]:
    """Returns the time by part of a search whose flows were all solved by this run."""
    if run["flows"] == 0 or run["solved_here"] < run["flows"] or run["search_seconds"] <= 0:
        return []
    at_once = run["devices"] if run["devices"] > 1 else run["workers"]
    solving = run["flow_seconds"] * run["flows"] / at_once
    other = max(0.0, run["search_seconds"] - solving)
    return [[name, duration(s), f"{100 * s / run['search_seconds']:.1f} %"] for name, s in (("solving", solving), ("idle workers, optimiser, records", other))]


def picture(path: Path, text: str) -> str:
    data = base64.b64encode(path.read_bytes()).decode("ascii")
    return f'<p><img alt="{escape(text)}" src="data:image/png;base64,{data}"></p>'


def page_of(shape: dict, pictures: dict[str, Path]) -> str:
    run = shape["run"]
    nx, ny = run["grid"]
    joules = f", {run['joules'] / run['solved_here']:.3g} J each" if run["joules"] > 0 and run["solved_here"] > 0 else ""
    mesh = "" if (nx, ny) == (1024, 512) else f" The table's mesh is 1024x512; these flows are on {nx}x{ny}."
    cost = (
        f"{run['flows']} flows at Re {run['reynolds']:g} by {run.get('solver', run['backend'])}, {run['iterations']:.0f} iterations and "
        f"{duration(run['flow_seconds'])} each{joules}.{mesh}"
    )
    statuses = [[name, str(count)] for name, count in sorted(run["statuses"].items())]
    if run["audited"]:
        statuses.append(["audited stops, of which wrong", f"{run['audited']}, {run['wrong_stops']}"])
    head = ["hardware", "printed", "an evaluation, printed", "an evaluation, here", "an hour", "a million, here", "times as fast", ""]
    blocks = [
        f"<h1>{escape(shape['title'])}</h1><p>{escape(outcome(run))}</p>",
        "<h2>The cost of an evaluation</h2><p>Normore 2010, table 8.1, estimates a million flow solves; the document shows no result and states no flow.</p>",
        f"<p>{escape(cost)}</p>",
        table(head, table_rows(run)),
    ]
    if "outlines" in pictures:
        blocks += ["<h2>From the first to the best outline</h2>", picture(pictures["outlines"], "the best outline over generations")]
    if "history" in pictures:
        blocks += ["<h2>The best against evaluations</h2>", picture(pictures["history"], "the best objective against evaluations")]
    if "map" in pictures:
        blocks += ["<h2>All shapes of the lattice</h2>", picture(pictures["map"], "the objective over the parameters")]
    if "vorticity" in pictures:
        blocks += [
            "<h2>The best body next to the circle</h2>",
            f"<p>{escape(shape['surface']['note'])}.</p>",
            picture(pictures["vorticity"], "|vorticity| along the surface"),
        ]
    blocks += ["<h2>What became of the evaluations</h2>", table(["status", "evaluations"], statuses)]
    time = parts(run)
    if time:
        blocks += ["<h2>Time by part</h2>", table(["part", "time", "share"], time)]
    body = "\n".join(blocks)
    return f'<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>{escape(shape["title"])}</title><style>{STYLE}</style>\n{body}\n</html>\n'
