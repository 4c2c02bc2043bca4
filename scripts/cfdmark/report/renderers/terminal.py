"""Tables for a terminal: at most 110 columns wide, coloured only on a tty."""

from __future__ import annotations

import textwrap

from cfdmark.text.wording import cut_front

from ..model import Section, Table
from .cells import Sheet, compact, sheet, with_columns

WIDTH = 110
GAP = 2
NARROWEST = 9  # smallest width of a column that is cut
ROWS_NOT_WORTH_CUTTING = 5
BOLD, DIM, RESET = "\033[1m", "\033[2m", "\033[0m"


def paint(text: str, code: str, colour: bool) -> str:
    return f"{code}{text}{RESET}" if colour else text


def cut(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def wrapped_head(head: str, width: int) -> list[str]:
    return textwrap.wrap(head, max(width, 1), break_long_words=True) or [""]


def head_width(head: str) -> int:
    """Returns the longest word of a head, which may wrap."""
    return max(map(len, head.split()))


def natural_widths(page: Sheet) -> list[int]:
    return [max([head_width(head)] + [len(row[i]) for row in page.rows]) for i, head in enumerate(page.heads)]


def fitted_widths(page: Sheet, limit: int) -> list[int]:
    """Narrows the widest text column until the line fits."""
    widths = natural_widths(page)
    while total_width(widths) > limit:
        wide = [i for i, numeric in enumerate(page.numeric) if not numeric and widths[i] > NARROWEST]
        if not wide:
            break
        widths[max(wide, key=lambda i: widths[i])] -= 1
    return widths


def line(cells: list[str], widths: list[int], page: Sheet) -> str:
    fitting = [(cut_front if end else cut)(c, w) for c, w, end in zip(cells, widths, page.keep_end)]
    placed = [c.rjust(w) if right else c.ljust(w) for c, w, right in zip(fitting, widths, page.numeric)]
    return (" " * GAP).join(placed).rstrip()


def head_lines(page: Sheet, widths: list[int]) -> list[str]:
    heads = [wrapped_head(head, width) for head, width in zip(page.heads, widths)]
    tall = max(map(len, heads))
    padded = [[""] * (tall - len(h)) + h for h in heads]
    return [line([h[i] for h in padded], widths, page) for i in range(tall)]


def total_width(widths: list[int]) -> int:
    return sum(widths) + GAP * (len(widths) - 1)


def narrowest_width(table: Table) -> int:
    """Returns the width that cutting texts can reach."""
    page = sheet(table)
    widths = zip(natural_widths(page), page.numeric)
    return total_width([width if numeric else min(width, NARROWEST) for width, numeric in widths])


def fitted(table: Table) -> Table:
    """Drops optional columns, from the last, as far as needed; then others, which the title names."""
    kept, dropped = list(range(len(table.columns))), []
    for index in reversed(range(len(table.columns))):
        if (
            table.columns[index].optional
            and total_width(natural_widths(sheet(with_columns(table, kept)))) > WIDTH
        ):
            kept.remove(index)
    while narrowest_width(with_columns(table, kept)) > WIDTH:
        dropped.append(kept.pop())
    said = ", ".join(table.columns[index].head for index in reversed(dropped))
    return with_columns(table, kept, title=f"{table.title} · no room for: {said}" if said else table.title)


def render_table(table: Table, colour: bool = False, most_rows: int = 0) -> str:
    table = fitted(compact(table))
    page = sheet(table)
    widths = fitted_widths(page, WIDTH)
    cut_off = 0 < most_rows < len(page.rows) - ROWS_NOT_WORTH_CUTTING
    shown = page.rows[:most_rows] if cut_off else page.rows
    lines = [paint(text, BOLD, colour) for text in head_lines(page, widths)]
    lines.append("─" * min(WIDTH, total_width(widths)))
    lines += [line(row, widths, page) for row in shown]
    if len(shown) < len(page.rows):
        lines.append(paint(f"… {len(page.rows) - len(shown)} more rows (--rows 0 shows all)", DIM, colour))
    above = [part for text in (table.title, table.in_every_row) for part in textwrap.wrap(text, WIDTH)]
    title = [paint(text, DIM, colour) for text in above]
    return "\n".join(title + lines)


def render_section(section: Section, colour: bool, most_rows: int) -> str:
    title = paint(section.title.upper(), BOLD, colour)
    text = "\n\n".join(
        textwrap.fill(part, WIDTH) for part in [section.empty or section.finding, *section.text]
    )
    shown = (
        []
        if section.summed_up and most_rows
        else [t for t in section.tables if not (t.collapsed and most_rows)]
    )
    tables = [render_table(t, colour, most_rows) for t in shown]
    return "\n\n".join([f"{title}\n{text}"] + tables)


def render(sections: list[Section], title: str, colour: bool = False, most_rows: int = 0) -> str:
    return (
        "\n\n\n".join([paint(title, BOLD, colour)] + [render_section(s, colour, most_rows) for s in sections])
        + "\n"
    )
