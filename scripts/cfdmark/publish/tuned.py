"""A device's tuned layouts in a few lines: what they gain, and the largest gains."""

from __future__ import annotations

from pathlib import Path
from statistics import median

from cfdmark.export.layouts import gains_of, is_unconfirmed, sizes_of
from cfdmark.records.records import BadInput
from cfdmark.report.model import Column, Table
from cfdmark.text.wording import from_to, plural

from .layouts import commit_text, gain_of, grids_text, layout_text, read_table, what_text

ROWS = 6  # in the table


def entries_of(folder: Path) -> list[dict]:
    """Returns the layouts in a folder of tables, without files that cannot be read, which the site names."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            found += read_table(path)[2]
        except BadInput:
            continue
    return found


def finding(entries: list[dict]) -> str:
    """Returns the number of layouts, what they gain over the defaults, and of what age they are."""
    gains = [max(gains_of(e)) for e in entries if gains_of(e)]
    names = plural(len({(e["kind"], e["name"]) for e in entries}), "kernel or solver", "kernels and solvers")
    sizes = plural(sum(len(sizes_of(e)) for e in entries), "size")
    dates = from_to(sorted(e["time"][:10] for e in entries))
    commits = plural(len({commit_text(e["program"]) for e in entries}), "commit")
    alone = sum(map(is_unconfirmed, entries))
    gained = f"; over the defaults they gain {median(gains):.2f} times in the median and at most {max(gains):.1f}" if gains else ""
    unsure = f" Of {alone:,} no fresh process confirmed that nothing measured is faster." if alone else ""
    return f"{plural(len(entries), 'layout')} of {names} on {sizes}, tuned {dates} at {commits}{gained}.{unsure}"


def table(entries: list[dict]) -> Table:
    """Returns the layout that gains most of each of the kernels and solvers that gain most, in fp64."""
    best: dict[str, dict] = {}
    for entry in entries:
        name = what_text(entry)
        if entry["precision"] == "fp64" and not is_unconfirmed(entry):
            best[name] = max(best.get(name, entry), entry, key=lambda e: e["gain"]["value"])
    most = sorted(best.values(), key=lambda e: -e["gain"]["value"])[:ROWS]
    columns = [
        Column("what", "kernel or solver", of=what_text),
        Column("backend", "backend", of=lambda entry: entry["backend"]),
        Column("grid", "tuned on", of=grids_text),
        Column("layout", "layout", of=lambda entry: layout_text(entry["winner"])),
        Column("gain", "gain over the default", "ratio", "brackets", of=gain_of),
        Column("date", "date", of=lambda entry: entry["time"][:10]),
    ]
    return Table.of("tuned", "Largest gains of tuned layouts, fp64", columns, most)
