"""Colours that follow the page, such as on a dark one. A picture outside a page keeps its own."""

from __future__ import annotations

import re

# Colours of ink, axes, grids and paper, by their names in templates/report.css.
PARTS = {
    "#1c2128": "figure-ink",
    "#333a45": "figure-ink",
    "#4a5260": "figure-soft",
    "#8a8f98": "figure-axis",
    "#e4e7eb": "figure-grid",
    "#ffffff": "figure",
}
TO_WHITE = 0.45  # share of white that is added to line colours on a dark page


def lighter(colour: str) -> str:
    parts = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(p + (255 - p) * TO_WHITE):02x}" for p in parts)


def variable(colour: str) -> str:
    return f"var(--{PARTS.get(colour, 'c' + colour[1:])})"


def themed(svg: str, colours: set[str]) -> str:
    """Turns the colours of parts and `colours` into variables; others, such as those of a heat map, stay."""
    known = {*PARTS, *colours}

    def painted(style: re.Match) -> str:
        return re.sub(
            r"#[0-9a-f]{6}\b", lambda c: variable(c.group()) if c.group() in known else c.group(), style.group()
        )

    return re.sub(r' (?:style|fill)="[^"]*"', painted, svg)  # names and tooltips stay


def rules(colours: set[str]) -> str:
    """Returns the CSS variables of `colours` for light and dark pages."""
    light = " ".join(f"--c{c[1:]}: {c};" for c in sorted(colours))
    dark = " ".join(f"--c{c[1:]}: {lighter(c)};" for c in sorted(colours))
    return f":root {{ {light} }}\n@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}"
