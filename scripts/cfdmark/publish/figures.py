"""Figures in the project's README, made from the records that they quote.

Between a mark such as `<!-- figures: roofs of results/nvidia-h200 -->` and the end mark is the output of a
kind, here the bandwidths, for a device's folder or a file. A third part selects: a regular expression of
cases, a problem, or a row and grid of a tuned table. For a folder the newest record of a clean commit counts
for each case. tests/kept checks the README.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable
from pathlib import Path

from cfdmark.export.layouts import row_text, seconds_text, sizes_of
from cfdmark.output import write_whole
from cfdmark.places import PUBLISHED
from cfdmark.records.records import BadInput, Dataset, Record, is_clean, read_file, read_text, shown
from cfdmark.records.select import BACKENDS, rank
from cfdmark.report.baseline import Baselines, parse_selector
from cfdmark.report.current import Current
from cfdmark.report.sections.context import Context
from cfdmark.report.sections.environment import roof_of, fact_text
from cfdmark.reproduce.command import examine
from cfdmark.reproduce.documents import read_documents
from cfdmark.reproduce.page import for_terminal

from . import headlines

END = "<!-- end of figures -->"
MARK = re.compile(r"(<!-- figures: (\w+) of (\S+?)(?:, (.+?))? -->\n).*?" + re.escape(END), re.S)


def roofs(folder: Path, _: str) -> list[str]:
    """Returns: openmp   fp64 copy 129.2   fp64 triad 150.9, each the newest of a clean commit."""
    data = runs_in(folder)
    newest: dict[tuple, float] = {}
    for environment in sorted(filter(is_clean, data.environments.values()), key=lambda e: str(e.get("time"))):
        for roof in environment.get("roofs", []):
            if "unsound" not in roof:
                key = tuple(fact_text(roof.get(part)) for part in ("backend", "precision", "kernel"))
                newest[key] = roof_of(roof, environment).value
    found: dict[str, list[str]] = {}
    for (backend, precision, kernel), value in sorted(newest.items(), key=lambda item: (rank(item[0][0], BACKENDS), item[0])):
        found.setdefault(backend, []).append(f"{precision} {kernel} {value / 1e9:.1f}")
    return [f"  {backend:<8} {'   '.join(figures)}" for backend, figures in found.items()]


def spread(record: Record) -> str:
    time = record.time
    if time.low is None:
        return "once"
    return f"+-{100 * (time.high - time.low) / 2 / time.value:.1f} %"


def runs_in(folder: Path) -> Dataset:
    """Returns the records of all runs in a device's folder, without published experiments."""
    paths = sorted(folder.glob("*.jsonl"))
    if not paths:
        raise BadInput(f"{folder} holds no records")
    whole = Dataset(files=paths)
    for path in paths:
        read_file(path, whole)
    return whole


def current_in(folder: Path) -> Dataset:
    """Returns the newest clean record of each case of a device's runs."""
    data = runs_in(folder)
    data.records = Current(data.records).records
    return data


def matching(folder: Path, which: str) -> list[Record]:
    found = [r for r in current_in(folder).records if re.search(which, r.case)]
    if not found:
        raise BadInput(f"no measured case in {folder} matches '{which}'")
    return sorted(found, key=lambda r: r.case)


def cases(path: Path, which: str) -> list[str]:
    """Returns the lines of `cfdmark run`."""
    return [
        f"ok  {seconds_text(r.time.value):>8} {spread(r):>9} {r.number('rate', 'bytes_per_second') / 1e9:7.1f} GB/s"
        f"  {r.label}"
        for r in matching(path, which)
    ]


def headline(folder: Path, which: str) -> list[str]:
    """Returns the headlines of a device, or those that begin with a name such as `jacobi`, each with its files."""
    data = current_in(folder)
    context = without_machines(data)
    context.dataset.environments = data.environments
    found = [text for text in headlines.headlines(context) if text.startswith(which)]
    if not found:
        raise BadInput(f"{folder} proves no headline{f' that begins with {which}' if which else ''}")
    return [line for text in found for line in textwrap.wrap(text, 116, subsequent_indent="  ")]


def without_machines(data: Dataset) -> Context:
    """Returns the records as those of one device: rows without machine labels."""
    alone = Dataset(data.records)
    return Context(alone, Baselines(alone, parse_selector(None, alone)))


def candidate(choice: dict) -> str:
    config = ",".join(f"{key}={value}" for key, value in choice["config"].items())
    name = f"{choice['method']}:{config}" if config else choice["method"]
    interval = f" [{seconds_text(choice['ci_low'])}, {seconds_text(choice['ci_high'])}]" if "ci_low" in choice else ""
    return f"{name:<44} {seconds_text(choice['median']):>9}{interval}, {choice['samples']} samples"


def tuned_at(path: Path, which: str) -> tuple[dict, dict]:
    """Returns the entry for this size, and its winner, default and gain there; of several the one of the
    narrowest range, as in a lookup."""

    def width(found: tuple[dict, dict]) -> float:
        held = found[0].get("range")
        return held["most_cells"] / held["least_cells"] if held else 1.0

    there = [
        (entry, size)
        for entry in json.loads(read_text(path))["entries"]
        for size in sizes_of(entry)
        if which == f"{row_text(entry)} on {'x'.join(map(str, size['grid']))}"
    ]
    if not there:
        raise BadInput(f"{path} has no entry {which}")
    return min(there, key=width)


def tuned(path: Path, which: str) -> list[str]:
    """Returns the lines of `cfdmark tune`; `which` as in `jacobi/cuda/fp64 on 4096x4096`."""
    entry, there = tuned_at(path, which)
    search, gain = entry["search"], there["gain"]
    counts = ", ".join(f"{count} {status}" for status, count in sorted(search["configs"].items()))
    searched = (
        f": {sum(search['configs'].values())} configs, {counts}; {search['samples']} samples in"
        f" {seconds_text(search['seconds'])}"
    )
    own, usual = there["winner"]["method"], there["default"]["method"]
    another = "" if own == usual else f", by another method than {usual}"
    lines = [
        which + (searched if there["grid"] == entry["grid"] else ""),
        f"  use      {candidate(there['winner'])}",
        f"  default  {candidate(there['default'])}",
        f"  gain     {gain['value']:.3f} times as fast as the default"
        + (f" [{gain['low']:.3f}, {gain['high']:.3f}]" if "low" in gain else "")
        + another,
        f"  why      {entry['rule']}",
    ]
    return lines if there["winner"] != there["default"] else [line for line in lines if "  default  " not in line]


def verdict(path: Path, _: str) -> list[str]:
    """Returns the first lines of `cfdmark reproduce` for the records of a published experiment."""
    documents, wrong = read_documents([PUBLISHED / f"{path.stem}.yaml"])
    if wrong:
        raise BadInput("\n".join(wrong))
    section = for_terminal(examine(documents[path.stem], path.parent).sections[0])
    return [section.finding, "", *section.text]


KINDS: dict[str, Callable[[Path, str], list[str]]] = {f.__name__: f for f in (roofs, cases, headline, tuned, verdict)}


def with_figures(text: str, root: Path) -> str:
    """Returns the text with the contents of its marks replaced. Raises BadInput for a mark that cannot be
    followed."""

    def made(mark: re.Match) -> str:
        if mark[2] not in KINDS:
            raise BadInput(f"figures: unknown kind '{mark[2]}'; known are {', '.join(KINDS)}")
        lines = KINDS[mark[2]](root / mark[3], mark[4] or "")
        return f"{mark[1]}\n{textwrap.indent(chr(10).join(lines), '    ')}\n\n{END}"

    return MARK.sub(made, text)


def write_figures(readme: Path) -> None:
    write_whole(readme, with_figures(read_text(readme), readme.parent))
    print(f"site: {shown(readme)}", flush=True)
