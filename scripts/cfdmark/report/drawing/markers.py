"""A single marker, for legends."""

from __future__ import annotations

from matplotlib.markers import MarkerStyle

LETTERS = {1: "M", 2: "L", 3: "Q", 4: "C", 79: "Z"}  # matplotlib's path codes in SVG


def marker_svg(marker, colour: str) -> str:
    style = MarkerStyle(marker)
    path = style.get_path().transformed(style.get_transform())
    shape = "".join(segment_text(vertices, code) for vertices, code in path.iter_segments())
    return (
        f'<svg class="marker" viewBox="-0.8 -0.8 1.6 1.6" aria-hidden="true"><path fill="{colour}" '
        f'transform="scale(1,-1)" d="{shape}"/></svg>'
    )


def segment_text(vertices, code) -> str:
    letter = LETTERS[int(code)]
    return letter if letter == "Z" else letter + " ".join(f"{v:.3f}" for v in vertices)
