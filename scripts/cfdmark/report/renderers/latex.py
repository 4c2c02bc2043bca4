"""LaTeX tables in booktabs style, to be read with \\input; long ones as longtable."""

from __future__ import annotations

from ..model import Section, Table
from .cells import compact, sheet

SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "µ": r"$\mu$",
    "–": "--",
    "·": r"$\cdot$",
    "°": r"$^\circ$",
    "…": r"\ldots{}",
    "[": "{[}",
    "]": "{]}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}
ROWS_ON_A_PAGE = 40
PREAMBLE = "% Needs \\usepackage{booktabs}, \\usepackage{longtable} and \\usepackage[T1]{fontenc}.\n"


def escaped(text: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in text.replace("\n", " "))


def render_table(table: Table) -> str:
    table = compact(table)
    page = sheet(table)
    head = " & ".join(map(escaped, page.heads)) + r" \\"
    body = [" & ".join(map(escaped, row)) + r" \\" for row in page.rows]
    shape = "".join("r" if numeric else "l" for numeric in page.numeric)
    caption = ". ".join(filter(None, (table.title, table.in_every_row)))
    label = f"\\caption{{{escaped(caption)}}}\\label{{tab:{table.key}}}"
    long = len(body) > ROWS_ON_A_PAGE
    lines = long_table(shape, label, head, body) if long else floating_table(shape, label, head, body)
    return "\n".join(lines)


def floating_table(shape: str, label: str, head: str, body: list[str]) -> list[str]:
    return [
        r"\begin{table}",
        r"\centering",
        label,
        rf"\begin{{tabular}}{{{shape}}}",
        r"\toprule",
        head,
        r"\midrule",
        *body,
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{table}",
    ]


def long_table(shape: str, label: str, head: str, body: list[str]) -> list[str]:
    return [
        rf"\begin{{longtable}}{{{shape}}}",
        label + r"\\",
        r"\toprule",
        head,
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endfoot",
        *body,
        r"\end{longtable}",
    ]


def comment(section: Section) -> str:
    return "\n".join(f"% {text}" for text in (section.title, section.empty or section.finding))


def render(sections: list[Section], title: str) -> str:
    parts = ["\n".join([comment(s), *map(render_table, s.tables)]) for s in sections]
    return f"% {title}\n" + PREAMBLE + "\n" + "\n\n".join(parts) + "\n"
