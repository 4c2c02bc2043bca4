"""Tables for a terminal, in its width. rich aligns, cuts and colours them."""

from __future__ import annotations

import io
import os
import sys
import textwrap
from dataclasses import dataclass

from rich.box import Box
from rich.cells import cell_len, set_cell_size
from rich.console import Console, ConsoleOptions
from rich.measure import Measurement
from rich.table import Table as RichTable
from rich.text import Text

from ..model import Column, Section, Table
from .cells import Sheet, compact, sheet, with_columns

WIDTH = 110  # of text, and of tables outside a terminal
GAP = 2
NARROWEST = 9  # smallest width of a column that is cut
ROWS_NOT_WORTH_CUTTING = 5
BOLD, DIM = "bold", "dim"


def columns() -> int:
    """Returns the width of the terminal; WIDTH if standard output is not one."""
    return os.get_terminal_size(sys.stdout.fileno()).columns or WIDTH if sys.stdout.isatty() else WIDTH


def rule() -> Box:
    """Returns the lines of a table: one below the heads, in ASCII where the output has no other letters."""
    utf = (sys.stdout.encoding or "utf-8").lower().startswith("utf")
    line = "─" if utf else "-"
    return Box("\n".join(["    ", "    ", f" {line}{line} ", *["    "] * 5]) + "\n", ascii=not utf)


def rendered(renderable, colour: bool, width: int) -> str:
    """Returns the lines that rich prints. `colour` is that of a terminal with the eight usual colours."""
    out = io.StringIO()
    system = "standard" if colour else None
    console = Console(file=out, width=width, color_system=system, force_terminal=colour, no_color=False)
    console.print(renderable, highlight=False, soft_wrap=isinstance(renderable, Text))
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip("\n").split("\n"))


def paint(text: str, style: str, colour: bool) -> str:
    return rendered(Text(text, style), colour, WIDTH)


def natural_widths(page: Sheet) -> list[int]:
    """Returns the width of each column: its widest cell, or the longest word of its head, which may wrap."""
    words = [[cell_len(word) for word in head.split()] for head in page.heads]
    return [max(head + [cell_len(row[i]) for row in page.rows]) for i, head in enumerate(words)]


def total_width(widths: list[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def narrowest_width(table: Table) -> int:
    """Returns the width that cutting texts can reach."""
    page = sheet(table)
    widths = zip(natural_widths(page), page.numeric)
    return total_width([width if numeric else min(width, NARROWEST) for width, numeric in widths])


def is_result(column: Column) -> bool:
    return column.kind == "ratio" or column.key == "verdict"


def fitted(table: Table, limit: int) -> Table:
    """Drops optional columns, from the last, as far as needed; then others, which the title names. Ratios and
    verdicts, which the table is for, are the last to go."""
    kept, dropped = list(range(len(table.columns))), []
    for index in reversed(range(len(table.columns))):
        wide = total_width(natural_widths(sheet(with_columns(table, kept)))) > limit
        if wide and table.columns[index].optional:
            kept.remove(index)
    while len(kept) > 1 and narrowest_width(with_columns(table, kept)) > limit:
        plain = [index for index in kept[1:] if not is_result(table.columns[index])]
        dropped.append((plain or kept)[-1])
        kept.remove(dropped[-1])
    said = ", ".join(table.columns[index].head for index in sorted(dropped))
    return with_columns(table, kept, title=f"{table.title} · no room for: {said}" if said else table.title)


@dataclass(frozen=True)
class CutInFront:
    """A text that loses its front if it is too long."""

    text: str

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(1, cell_len(self.text))

    def __rich_console__(self, console: Console, options: ConsoleOptions):
        text, surplus = self.text, cell_len(self.text) - options.max_width
        yield Text("…" + set_cell_size(text[::-1], options.max_width - 1)[::-1] if surplus > 0 else text)


def rich_table(page: Sheet, rows: list[list[str]]) -> RichTable:
    space = {"show_edge": False, "pad_edge": False, "padding": (0, GAP - 1, 0, 0)}
    made = RichTable(box=rule(), header_style=BOLD, **space)
    for head, width, numeric in zip(page.heads, natural_widths(page), page.numeric):
        wrapped, justify = Text(textwrap.fill(head, width)), "right" if numeric else "left"
        made.add_column(wrapped, justify=justify, no_wrap=numeric)
    for row in rows:
        made.add_row(*map(cell, row, page.keep_end))
    return made


def cell(text: str, keep_end: bool) -> CutInFront | Text:
    return CutInFront(text) if keep_end else Text(text, no_wrap=True, overflow="ellipsis")


def render_table(table: Table, colour: bool = False, most_rows: int = 0) -> str:
    width = columns()
    table = fitted(compact(table), width)
    page = sheet(table)
    cut_off = 0 < most_rows < len(page.rows) - ROWS_NOT_WORTH_CUTTING
    shown = page.rows[:most_rows] if cut_off else page.rows
    texts, most = (table.title, table.in_every_row), min(width, WIDTH)
    above = [part for text in texts for part in textwrap.wrap(text, most)]
    lines = [paint(text, DIM, colour) for text in above] + [rendered(rich_table(page, shown), colour, width)]
    if len(shown) < len(page.rows):
        lines.append(paint(f"… {len(page.rows) - len(shown)} more rows (--rows 0 shows all)", DIM, colour))
    return "\n".join(lines)


def render_section(section: Section, colour: bool, most_rows: int) -> str:
    title = paint(section.title.upper(), BOLD, colour)
    paragraphs = [section.empty or section.finding, *section.text]
    text = "\n\n".join(textwrap.fill(part, min(columns(), WIDTH)) for part in paragraphs)
    tables = [] if section.summed_up and most_rows else section.tables
    shown = [t for t in tables if not (t.collapsed and most_rows)]
    return "\n\n".join([f"{title}\n{text}", *(render_table(t, colour, most_rows) for t in shown)])


def render(sections: list[Section], title: str, colour: bool = False, most_rows: int = 0) -> str:
    parts = [paint(title, BOLD, colour), *(render_section(s, colour, most_rows) for s in sections)]
    return "\n\n\n".join(parts) + "\n"
