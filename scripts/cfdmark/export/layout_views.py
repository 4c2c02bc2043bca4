"""Output of `cfdmark tune layouts`: a summary, or the layouts row by row, within a screen's width."""

from __future__ import annotations

import statistics
import textwrap
from itertools import groupby

from cfdmark.text.wording import plural

from .layouts import choice_text, config_text, gain_text, gains_of, is_unconfirmed, name_text, objective_text
from .layouts import regret_text, row_text, seconds_text, sides_text, sizes_of, sizes_text
from .own_kernel import start_of

WIDTH = 100  # columns of a screen
MOST_LINES = 50  # lines of a screen
LAYOUT_WIDTH, GAIN_WIDTH, REGRET_WIDTH, START_WIDTH = 29, 14, 12, 24
HEADS = ["", "sides", "layout", "gain", "regret", "start of your own"]
ALL_HEADS = ["", "row", "tuned on", "for sides of", "method", "layout", "time", "gain over the default", "regret", "start here for a kernel of your own", "as good"]  # fmt: skip


def wrapped(text: str, width: int) -> list[str]:
    """Wraps a text after a comma or a colon if possible."""
    spaced = text.replace(",", ", ").replace(":", ": ")
    lines = textwrap.wrap(spaced, width + 1) if spaced else [""]
    return [line.replace(", ", ",").replace(": ", ":").rstrip() for line in lines]


def padded(rows: list[list[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip(" ") + "\n" for row in rows)


def start_text(layout: dict) -> str:
    """Returns plain:block_x=64 (1.310), with its time over the least time measured."""
    start = start_of(layout)
    if start is None:
        return "" if layout["kind"] == "solver" else "not measured"
    if start.choice == {key: layout["winner"][key] for key in ("method", "config")}:
        return "the same"
    return f"{start.text} ({start.cost_text()})"


def mark(layout: dict) -> str:
    return "" if layout["current"] else "*"


def row_lines(layout: dict) -> list[list[str]]:
    """Returns a layout in as many lines as its longest cell needs. A solver has no start, and more room for
    its layout."""
    room = START_WIDTH if layout["kind"] == "solver" else 0
    cells = [
        [mark(layout)],
        [sides_text(layout)],
        wrapped(choice_text(layout["winner"]), LAYOUT_WIDTH + room),
        wrapped(gain_text(layout), GAIN_WIDTH),
        wrapped(regret_text(layout), REGRET_WIDTH),
        wrapped(start_text(layout), START_WIDTH),
    ]
    height = max(map(len, cells))
    return [list(line) for line in zip(*(cell + [""] * (height - len(cell)) for cell in cells))]


def group_of(layout: dict) -> tuple[str, str, str, str]:
    shape = "cubes" if len(layout["grid"]) == 3 else "squares"
    return layout["device"], layout["architecture"], row_text(layout) + objective_text(layout), shape


def table(layouts: list[dict]) -> str:
    """Returns the layouts of each row below its name."""
    parts = []
    for (device, architecture, row, shape), group in groupby(sorted(layouts, key=group_of), group_of):
        lines = [line for layout in group for line in row_lines(layout)]
        heads = HEADS if any(line[-1] for line in lines) else [*HEADS[:-1], ""]
        parts.append(f"{row}, {shape}, on {device} ({architecture})\n" + padded([heads, *lines]))
    return "\n".join(parts) + notes(layouts)


def wide_row(layout: dict) -> list[str]:
    winner = layout["winner"]
    return [
        mark(layout),
        row_text(layout) + objective_text(layout),
        sizes_text(layout),
        sides_text(layout),
        winner["method"],
        config_text(layout),
        seconds_text(winner["median"]) if "median" in winner else "",
        gain_text(layout),
        regret_text(layout),
        start_text(layout),
        str(len(layout.get("ties", []))),
    ]


def wide_table(layouts: list[dict]) -> str:
    """Returns a line for each layout with all columns, of any length."""
    parts = []
    for (device, architecture), group in groupby(layouts, lambda l: (l["device"], l["architecture"])):
        parts.append(f"{device} ({architecture})\n" + padded([ALL_HEADS] + [wide_row(l) for l in group]))
    return "\n".join(parts) + notes(layouts)


def notes(layouts: list[dict]) -> str:
    """Returns the notes that apply to some layout of the table."""
    several = any(len(sizes_of(layout)) > 1 for layout in layouts)
    texts = [
        (any(not layout["current"] for layout in layouts), "* tuned with another source: not used until it is tuned again"),
        (several, "gain: over the default, from the least to the greatest of the sizes"),
        (any(map(regret_text, layouts)), "regret: the layout's time over the best config's, the worst of its sizes, by fresh processes"),
        (any(map(is_unconfirmed, layouts)), "unconfirmed: no fresh process confirmed the best; a number is the time over the least time measured"),
        (any(map(start_of, layouts)), "start of your own: the best measured layout of one step a launch, and its time over the least measured"),
    ]  # fmt: skip
    lines = [line for applies, text in texts if applies for line in textwrap.wrap(text, WIDTH)]
    return "".join(line + "\n" for line in lines)


def device_summary(device: str, architecture: str, layouts: list[dict]) -> list[str]:
    kinds = {kind: {l["name"] for l in layouts if l["kind"] == kind} for kind in ("kernel", "solver")}
    counted = " and ".join(plural(len(names), kind) for kind, names in kinds.items() if names)
    lines = [f"{device} ({architecture}): {plural(len(layouts), 'layout')} of {counted}"]
    if gains := [(max(gains_of(layout)), row_text(layout)) for layout in layouts if gains_of(layout)]:
        most, row = max(gains)
        middle = statistics.median(gain for gain, _ in gains)
        lines.append(f"  largest gain of each layout over the default: median {middle:.2f}, at most {most:.2f} ({row})")
    if expired := sum(not layout["current"] for layout in layouts):
        lines.append(f"  {expired} tuned with another source: not used until they are tuned again")
    if unconfirmed := [layout for layout in layouts if is_unconfirmed(layout)]:
        worst = max(layout.get("range", {}).get("unconfirmed_regret", 1) for layout in unconfirmed)
        lines.append(
            f"  {len(unconfirmed)} unconfirmed: no fresh process measured the best; the worst takes"
            f" {worst:.2f} times the least time measured"
        )
    return lines


def summary(layouts: list[dict], method: str) -> str:
    """Returns the layouts of each device in one screen, and the names of kernels and solvers. `method` is the
    only one, or empty."""
    of_method = f" --method {method}" if method else ""
    lines = []
    for (device, architecture), group in groupby(layouts, lambda l: (l["device"], l["architecture"])):
        lines += [part for line in device_summary(device, architecture, list(group)) for part in textwrap.wrap(line, WIDTH, subsequent_indent="    ")]  # fmt: skip
    names = ", ".join(sorted({name_text(layout) for layout in layouts}))
    lines += ["", *textwrap.wrap(names, WIDTH, break_on_hyphens=False), ""]
    lines += [
        f"{len(layouts)} layouts are more than a screen. Name some, or print all:",
        f"  cfdmark tune layouts {row_text(layouts[0])}{of_method}    those with each word in device or row",
        f"  cfdmark tune layouts{of_method} --all    a line for each layout",
    ]
    return "\n".join(lines) + "\n"


def shown(layouts: list[dict], all_of_them: bool, method: str = "") -> str:
    """Returns a table if it fits a screen or shows one kernel or solver on one device; otherwise a summary.
    """
    if all_of_them:
        return wide_table(layouts)
    is_of_one_row = len({group_of(layout)[:3] for layout in layouts}) <= 1
    if not is_of_one_row and len(layouts) > MOST_LINES:
        return summary(layouts, method)
    text = table(layouts)
    return text if is_of_one_row or text.count("\n") <= MOST_LINES else summary(layouts, method)
