"""The tuned layouts as a C++ header for other programs: layouts.hpp.in with the layouts filled in."""

from __future__ import annotations

import json
import re
from pathlib import Path

from .layouts import gains_of, is_for_time, name_text, operator_text, regret_text, seconds_text, sizes_of, sizes_text

TEMPLATE = Path(__file__).with_name("layouts.hpp.in")


def capability_of(architecture: str) -> int:
    """compute capability 9.0 is 90."""
    found = re.match(r"compute capability (\d+)\.(\d+)", architecture)
    return 10 * int(found[1]) + int(found[2]) if found else 0


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def evidence(layout: dict) -> str:
    winner, gain = layout["winner"], layout.get("gain", {})
    parts = []
    if "median" in winner:
        parts.append(f"{seconds_text(winner['median'])}, {winner.get('samples', 0)} samples")
    if len(sizes_of(layout)) > 1:
        gains = gains_of(layout)
        told = f"{min(gains):.3f} to {max(gains):.3f} times as fast as the default, " if gains else ""
        parts = [f"tuned on {sizes_text(layout)}: {told}at most {regret_text(layout)} times the best one's time"]
    elif "low" in gain:
        interval = f"[{gain['low']:.3f}, {gain['high']:.3f}]"
        parts.append(f"{gain['value']:.3f} times as fast as the default {interval}")
    parts += [layout.get("rule", ""), f"{len(layout.get('ties', []))} as good"]
    parts.append(f"{layout.get('search', {}).get('strategy', '?')} search, {layout.get('time', '')}")
    return re.sub(r"[\n\\]", " ", "; ".join(parts))  # a comment ends with its line


def parameter_text(name: str, value) -> str:
    return f"{{{quoted(name)}, 0, {quoted(value)}}}" if isinstance(value, str) else f"{{{quoted(name)}, {value}}}"


def entry_text(layout: dict) -> str:
    words = [layout["device"], capability_of(layout["architecture"])]
    words += [name_text(layout) + operator_text(layout), layout["backend"], layout["precision"]]
    words += [layout["winner"]["method"]]
    words += layout["grid"] + [1] * (3 - len(layout["grid"]))
    words += [layout["holds"]["least_cells"], layout["holds"]["most_cells"]]
    parameters = ", ".join(parameter_text(*setting) for setting in layout["winner"]["config"].items())
    listed = ", ".join(quoted(w) if isinstance(w, str) else str(w) for w in words)
    return f"    // {evidence(layout)}\n    Layout{{{listed}, {{{{{parameters}}}}}}},\n"


def header(layouts: list[dict]) -> str:
    # The answer over all methods, by time, is the one to use, unless its kernel has changed since, as in lookups.
    of_use = [layout for layout in layouts if layout["scope"] == "all" and is_for_time(layout)]
    kept = [layout for layout in of_use if layout["current"]]
    most = max([1] + [len(layout["winner"]["config"]) for layout in kept])
    entries = "".join(map(entry_text, kept))
    array = f"inline constexpr std::array<Layout, {len(kept)}> layouts = {{{{\n{entries}}}}};\n"
    return (
        TEMPLATE.read_text()
        .replace("@left_out@", str(len(of_use) - len(kept)))
        .replace("@most_parameters@", str(most))
        .replace("@layouts@", array)
    )
