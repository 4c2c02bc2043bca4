"""Figures as files of their own, each with its data."""

from __future__ import annotations

import argparse
from pathlib import Path

from cfdmark.output import write_whole
from cfdmark.records.records import Dataset

from .figure_data import data_of
from .model import Figure, Section
from .palette import Palette

FORMS = ("svg", "pdf", "png")


def forms_from(text: str) -> list[str]:
    """Returns the formats of an option, such as svg,pdf. Raises argparse's error for an unknown one."""
    named = [word.strip() for word in text.split(",")]
    for word in named:
        if word not in FORMS:
            raise argparse.ArgumentTypeError(f"unknown format '{word}'; choose from {', '.join(FORMS)}, separated by commas")
    return list(dict.fromkeys(named))


def add_option(parser: argparse.ArgumentParser, folder: str) -> None:
    parser.add_argument(
        "--figures",
        type=forms_from,
        default=[],
        metavar="FORMATS",
        help=f"also write each panel of a figure as a file, and its data as CSV, in {folder}: svg, pdf, png, separated by commas",
    )


def stems_of(figure: Figure) -> list[str]:
    """Returns the names of a figure's files, one a panel, without their endings."""
    from .drawing import as_id  # matplotlib takes a second to load

    key = as_id(figure.key.strip("-"))
    return [key] if len(figure.panels) == 1 else [f"{key}-{n}" for n in range(1, len(figure.panels) + 1)]


def paths_of(sections: list[Section], forms: list[str], folder: str) -> dict[str, list[str]]:
    """Returns the pictures for LaTeX by the key of their figure, without endings; none if LaTeX reads none of the
    formats."""
    if not {"pdf", "png"} & set(forms):
        return {}
    return {f.key: [f"{folder}/{stem}" for stem in stems_of(f)] for s in sections for f in s.figures}


def write_figures(sections: list[Section], dataset: Dataset, forms: list[str], folder: Path) -> int:
    """Writes STEM.csv and a file of each format for each panel. Returns the number of panels."""
    from .drawing import draw_files, with_shared_y

    palette, written = Palette(dataset), 0
    for figure in (figure for section in sections for figure in section.figures):
        for stem, panel in zip(stems_of(figure), with_shared_y(figure).panels):
            for form, content in draw_files(panel, palette, forms).items():
                write_whole(folder / f"{stem}.{form}", content)
            write_whole(folder / f"{stem}.csv", data_of(panel))
            written += 1
    return written
