"""LaTeX to be read with \\input: prose, tables in booktabs style that fit the page, and figures if they are files.

Short tables float; long ones are longtables. A table that is too wide becomes several, which repeat the names of
its rows.
"""

from __future__ import annotations

from string import Template

from ..model import Figure, Section, Table
from .cells import compact, sheet
from .latex_layout import LatexColumn, Part, parts_of
from .latex_text import breakable, escaped, width_of

LINES_OF_A_FLOAT = 30
FLOATING = r"""\begin{table}[htbp]
\centering\footnotesize\setlength{\tabcolsep}{3pt}
$label
\begin{tabular}{@{}$shape@{}}
\toprule
$head
\midrule
$body
\bottomrule
\end{tabular}
\end{table}"""
LONG = r"""{\footnotesize\setlength{\tabcolsep}{3pt}
\begin{longtable}{@{}$shape@{}}
$label\\
\toprule
$head
\midrule
\endhead
\bottomrule
\endfoot
$body
\end{longtable}}"""
PICTURE = r"""\begin{figure}[htbp]
\centering
$pictures
\caption{$caption}\label{fig:$key}
\end{figure}"""
PREAMBLE = r"""% Needs \usepackage[T1]{fontenc}, \usepackage{array}, \usepackage{booktabs}, \usepackage{longtable} and, for
% figures, \usepackage{graphicx}. Tables fit a text width of 345 pt, that of the article class, in one column.
"""


def shape(column: LatexColumn, width: float) -> str:
    """Returns the kind of a column: of numbers, of texts on one line, or of texts that are broken."""
    if column.numeric:
        return "r"
    if all(width_of(cell) <= width for cell in column.cells):
        return "l"
    return rf">{{\raggedright\arraybackslash}}p{{{width:.1f}pt}}"


def head_lines(text: str, width: float) -> list[str]:
    """Breaks a heading between words, and long words where they may be broken."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if width_of(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def head(column: LatexColumn, width: float) -> str:
    lines = head_lines(column.head, width)
    if any(width_of(line) > width for line in lines):
        return rf"\parbox[b]{{{width:.1f}pt}}{{\raggedright {breakable(column.head)}}}"
    if len(lines) == 1:
        return escaped(column.head)
    return rf"\begin{{tabular}}[b]{{@{{}}{'r' if column.numeric else 'l'}@{{}}}}" + r"\\".join(map(escaped, lines)) + r"\end{tabular}"


def render_part(part: Part, caption: str, label: str) -> str:
    kinds = [shape(column, width) for column, width in zip(part.columns, part.widths)]
    shown = [breakable if "p{" in kind else escaped for kind in kinds]
    rows = zip(*(column.cells for column in part.columns))
    body = [" & ".join(show(cell) for show, cell in zip(shown, row)) + r" \\" for row in rows]
    words = {
        "shape": "".join(kinds),
        "label": f"\\caption{{{breakable(caption)}}}\\label{{{label}}}",
        "head": " & ".join(map(head, part.columns, part.widths)) + r" \\",
        "body": "\n".join(body),
    }
    return Template(LONG if part.lines > LINES_OF_A_FLOAT else FLOATING).substitute(words)


def render_table(table: Table) -> str:
    table = compact(table)
    parts = parts_of(sheet(table))
    caption = ". ".join(filter(None, (table.title, table.in_every_row)))
    made = []
    for number, part in enumerate(parts, 1):
        which = f" (columns, part {number} of {len(parts)})" if len(parts) > 1 else ""
        made.append(render_part(part, caption + which, f"tab:{table.key}{f'-{number}' if number > 1 else ''}"))
    return "\n\n".join(made)


def render_figure(figure: Figure, files: list[str]) -> str:
    size = r"0.48\linewidth" if len(files) > 1 else r"0.7\linewidth"
    pictures = "\n".join(rf"\includegraphics[width={size}]{{{file}}}" for file in files)
    return Template(PICTURE).substitute(pictures=pictures, caption=breakable(figure.caption), key=figure.key)


def paragraph(text: str, style: str = "") -> str:
    return f"\\begin{{sloppypar}}{style}\n{breakable(text)}\n\\end{{sloppypar}}"


def render_section(section: Section, figures: dict[str, list[str]]) -> str:
    prose = [section.empty or section.finding, *section.text]
    parts = [f"\\section{{{breakable(section.title)}}}", *(paragraph(text) for text in prose if text)]
    parts += [render_figure(f, figures[f.key]) for f in section.figures if f.key in figures]
    parts += map(render_table, section.tables)
    return "\n\n".join(parts + ([paragraph(section.note, r"\footnotesize")] if section.note else []))


def render(sections: list[Section], title: str, figures: dict[str, list[str]] | None = None) -> str:
    """Returns the report. `figures` are the paths of pictures by the key of their figure, without endings."""
    made = [render_section(section, figures or {}) for section in sections]
    return f"% {title}\n{PREAMBLE}\n" + "\n\n".join(made) + "\n"
