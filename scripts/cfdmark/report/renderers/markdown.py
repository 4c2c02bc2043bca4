"""Markdown with pipe tables, for GitHub and GitLab."""

from __future__ import annotations

from cfdmark.text.printable import in_cell, in_markdown

from ..model import Section, Table
from .cells import compact, sheet


def escaped(text: str) -> str:
    return in_cell(in_markdown(text))


def render_table(table: Table) -> str:
    table = compact(table)
    page = sheet(table)
    rows = [page.heads, *page.rows]
    lines = ["| " + " | ".join(map(escaped, row)) + " |" for row in rows]
    rule = "|" + "|".join(" ---: " if numeric else " --- " for numeric in page.numeric) + "|"
    below = [table.in_every_row, ""] if table.in_every_row else []
    return "\n".join([f"**{table.title}**", "", *below, lines[0], rule, *lines[1:]])


def render_section(section: Section) -> str:
    parts = [
        f"## {section.title}",
        section.empty or section.finding,
        *section.text,
        *map(render_table, section.tables),
        section.note,
    ]
    return "\n\n".join(part for part in parts if part)


def render(sections: list[Section], title: str) -> str:
    return "\n\n".join([f"# {title}", *map(render_section, sections)]) + "\n"
