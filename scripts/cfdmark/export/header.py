"""The tuned layouts as a C++ header for other programs: layouts.hpp.in with the layouts filled in."""

from __future__ import annotations

import json
import re
from pathlib import Path

from .across_devices import devices_of, pairs
from .layouts import gains_of, interval_text, is_for_time, is_unconfirmed, name_text, operator_text
from .layouts import seconds_text, sizes_of, sizes_text
from .own_kernel import as_layout, start_of

TEMPLATE = Path(__file__).with_name("layouts.hpp.in")


def capability_of(architecture: str) -> int:
    """Returns 90 for compute capability 9.0."""
    found = re.match(r"compute capability (\d+)\.(\d+)", architecture)
    return 10 * int(found[1]) + int(found[2]) if found else 0


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def in_comment(parts: list[str]) -> str:
    """Joins texts into a comment of one line."""
    return re.sub(r"[\n\\]", " ", "; ".join(part for part in parts if part))


def confirmed_text(layout: dict) -> str:
    """Returns the regret that no fresh process confirmed, if there is one."""
    seen = layout.get("range", {}).get("unconfirmed_regret")
    if seen is not None:
        return f"unconfirmed: {seen:.3f} times the least time measured, which no fresh process confirmed"
    return "unconfirmed: no fresh process measured it" if is_unconfirmed(layout) else ""


def evidence(layout: dict) -> str:
    winner, gain = layout["winner"], layout.get("gain", {})
    parts = []
    if "median" in winner:
        parts.append(f"{seconds_text(winner['median'])}, {winner.get('samples', 0)} samples")
    if len(sizes_of(layout)) > 1:
        gains = gains_of(layout)
        gained = f"{min(gains):.3f} to {max(gains):.3f} times as fast as the default, " if gains else ""
        regret = layout["range"].get("regret")
        most = "no regret is known" if regret is None else f"at most {regret:.3f} times the best one's time"
        parts = [f"tuned on {sizes_text(layout)}: {gained}{most}"]
    elif interval := interval_text(gain):
        parts.append(f"{gain['value']:.3f} times as fast as the default {interval}")
    parts += [confirmed_text(layout), layout.get("rule", ""), f"{len(layout.get('ties', []))} as good"]
    return in_comment([*parts, f"{layout.get('search', {}).get('strategy', '?')} search", layout.get("time", "")])


def start_evidence(layout: dict, cost: str) -> str:
    return in_comment([f"tuned on {sizes_text(layout)}: {cost} times the least time measured", layout.get("time", "")])


def parameter_text(name: str, value) -> str:
    return f"{{{quoted(name)}, 0, {quoted(value)}}}" if isinstance(value, str) else f"{{{quoted(name)}, {value}}}"


def entry_text(layout: dict, comment: str) -> str:
    range_ = layout.get("range", {})
    words = [layout["device"], capability_of(layout["architecture"])]
    words += [name_text(layout) + operator_text(layout), layout["backend"], layout["precision"]]
    words += [layout["winner"]["method"]]
    words += layout["grid"] + [1] * (3 - len(layout["grid"]))
    words += [layout["holds"]["least_cells"], layout["holds"]["most_cells"]]
    words += [range_.get("regret", 0), range_.get("unconfirmed_regret", 0)]
    parameters = ", ".join(parameter_text(*setting) for setting in layout["winner"]["config"].items())
    listed = ", ".join(quoted(w) if isinstance(w, str) else str(w) for w in words)
    return f"    // {comment}\n    Layout{{{listed}, {{{{{parameters}}}}}}},\n"


def array_text(name: str, entries: list[str]) -> str:
    return f"inline constexpr std::array<Layout, {len(entries)}> {name} = {{{{\n{''.join(entries)}}}}};\n"


def carries_over_text(layouts: list[dict]) -> str:
    """Returns the largest measured cost of another device's layout."""
    costs = [(c.cost, of, to) for of, to, found in pairs(devices_of(layouts)) for c in found if c.cost is not None]
    if not costs:
        return "What such a layout costs was not measured here"
    cost, of, to = max(costs)
    return f"That may cost: up to {cost:.2f} times the best time ({in_comment([of])}'s on {in_comment([to])})"


def header(layouts: list[dict], of_one_method: bool = False) -> str:
    """Returns the header with the layouts over all methods by time whose kernel is unchanged, as in lookups.
    `of_one_method`: the layouts are already selected (own_kernel.of_method)."""
    of_use = [layout for layout in layouts if of_one_method or (layout["scope"] == "all" and is_for_time(layout))]
    kept = [layout for layout in of_use if layout["current"]]
    starts = [(as_layout(layout, start), start) for layout in kept if (start := start_of(layout))]
    every = kept + [layout for layout, _ in starts]
    most = max([1] + [len(layout["winner"]["config"]) for layout in every])
    parts = {
        "left_out": str(len(of_use) - len(kept)),
        "most_parameters": str(most),
        "carries_over": carries_over_text(kept),
        "layouts": array_text("layouts", [entry_text(layout, evidence(layout)) for layout in kept]),
        "starts": array_text("starts", [entry_text(at, start_evidence(at, of.cost_text())) for at, of in starts]),
    }
    return re.sub(r"@(\w+)@", lambda found: parts[found[1]], TEMPLATE.read_text(encoding="utf-8"))
