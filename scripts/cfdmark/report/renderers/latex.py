"""LaTeX tables in booktabs style, to be read with \\input; long ones as longtable."""

from __future__ import annotations

from string import Template

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
FLOATING = r"""\begin{table}
\centering
$label
\begin{tabular}{$shape}
\toprule
$head
\midrule
$body
\bottomrule
\end{tabular}
\end{table}"""
LONG = r"""\begin{longtable}{$shape}
$label\\
\toprule
$head
\midrule
\endhead
\bottomrule
\endfoot
$body
\end{longtable}"""
PREAMBLE = "% Needs \\usepackage{booktabs}, \\usepackage{longtable} and \\usepackage[T1]{fontenc}.\n"


def escaped(text: str) -> str:
    return "".join(SPECIAL.get(character, character) for character in text.replace("\n", " "))


def render_table(table: Table) -> str:
    table = compact(table)
    page = sheet(table)
    head = " & ".join(map(escaped, page.heads)) + r" \\"
    body = [" & ".join(map(escaped, row)) + r" \\" for row in page.rows]
    caption = ". ".join(filter(None, (table.title, table.in_every_row)))
    parts = {
        "shape": "".join("r" if numeric else "l" for numeric in page.numeric),
        "label": f"\\caption{{{escaped(caption)}}}\\label{{tab:{table.key}}}",
        "head": head,
        "body": "\n".join(body),
    }
    return Template(LONG if len(body) > ROWS_ON_A_PAGE else FLOATING).substitute(parts)


def comment(section: Section) -> str:
    return "\n".join(f"% {text}" for text in (section.title, section.empty or section.finding))


def render(sections: list[Section], title: str) -> str:
    parts = ["\n".join([comment(s), *map(render_table, s.tables)]) for s in sections]
    return f"% {title}\n" + PREAMBLE + "\n" + "\n\n".join(parts) + "\n"
