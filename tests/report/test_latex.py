"""Tables for LaTeX fit the text of a page: by an estimate of widths, and by pdfTeX where it is installed."""

import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import support

from cfdmark.records.records import read_files
from cfdmark.report.model import Column, Figure, Section, Table
from cfdmark.report.renderers import latex
from cfdmark.report.renderers.cells import compact, sheet
from cfdmark.report.renderers.latex_layout import TEXT_WIDTH, parts_of
from cfdmark.report.renderers.latex_text import breakable, escaped, pieces, width_of

ROOT = support.HERE.parent.parent
KEPT = [ROOT / "results/nvidia-h200/multigrid.jsonl", ROOT / "results/amd-epyc-zen5-2-cores/quick.jsonl"]
DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}\usepackage{array}\usepackage{booktabs}\usepackage{longtable}\usepackage{graphicx}
\begin{document}
%s
\end{document}
"""
NAME = "projection/cuda/fp64/plain@64x64:check_interval=50,pressure_solver=pcg,pressure_sweeps=4000"
WIDE = [
    Table("numbers", "Many numbers", [Column("case", "case"), *(Column(f"n{i}", f"count of things {i}", "count") for i in range(24))],
          [[NAME, *[1234567 + i for i in range(24)]] for _ in range(3)]),
    Table("words", "Unbroken words", [Column("a", "a"), Column("b", "x" * 90)], [["W" * 300, "short"], ["漢" * 40, "M" * 70]]),
    Table("texts", "Long texts", [Column(c, c) for c in "abcdefgh"], [[f"{c} and {NAME} with many more words to say" for c in "abcdefgh"]]),
    Table("long", "Long texts in many rows", [Column("a", "a"), Column("b", "b")], [[NAME, "some words " * 30]] * 30),
]


def kept_sections() -> list[Section]:
    return [s for path in KEPT for s in support.sections_of(read_files([path]))]


class Widths(unittest.TestCase):
    def assert_fits(self, table: Table):
        for part in parts_of(sheet(compact(table))):
            with self.subTest(table.title, heads=[c.head for c in part.columns]):
                self.assertLessEqual(part.width, TEXT_WIDTH + 0.01)
                for column, width in zip(part.columns, part.widths):
                    for text in [column.head, *column.cells]:
                        needed = [width_of(text)] if column.numeric and text != column.head else [width_of(p) for w in text.split() for p in pieces(w)]
                        self.assertLessEqual(max(needed, default=0), width + 0.01, text)

    def test_every_table_of_a_report_fits_the_page(self):
        tables = [t for s in [*support.sections_of(support.synthetic()), *kept_sections()] for t in s.tables if t.rows]
        self.assertGreater(len(tables), 40)
        for table in tables:
            self.assert_fits(table)

    def test_tables_with_many_columns_or_long_words_fit_the_page(self):
        for table in WIDE:
            self.assert_fits(table)

    def test_a_table_that_is_too_wide_becomes_parts_that_keep_every_column_and_name_every_row(self):
        page = sheet(WIDE[0])
        parts = parts_of(page)
        self.assertGreater(len(parts), 2)
        for part in parts:
            self.assertEqual([c.head for c in part.columns[:2]], ["#", "case"])
            self.assertEqual(part.columns[0].cells, ["1", "2", "3"])
        self.assertEqual([c.head for part in parts for c in part.columns[2:]], page.heads[1:])
        self.assertEqual([c.cells for part in parts for c in part.columns[2:]], [list(cells) for cells in zip(*page.rows)][1:])

    def test_a_table_that_fits_stays_one_and_breaks_no_cell(self):
        page = sheet(Table("t", "T", [Column("a", "a"), Column("b", "b", "count")], [["cuda/plain", 512]]))
        (part,) = parts_of(page)
        self.assertEqual(part.widths, [width_of("cuda/plain"), width_of("512")])
        self.assertIn(r"\begin{tabular}{@{}lr@{}}", latex.render_part(part, "T", "tab:t"))

    def test_a_text_that_is_too_long_is_broken_and_a_number_is_not(self):
        page = sheet(Table("t", "T", [Column("a", "a"), Column("b", "b", "count")], [["many words " * 20, 123]]))
        self.assertRegex(latex.render_part(parts_of(page)[0], "T", "l"), r"\{@\{\}>\{\\raggedright\\arraybackslash\}p\{[\d.]+pt\}r@\{\}\}")

    def test_a_long_table_can_break_across_pages(self):
        self.assertIn(r"\begin{longtable}", latex.render_table(WIDE[3]))
        self.assertIn(r"\begin{table}", latex.render_table(WIDE[0]))


class Text(unittest.TestCase):
    def test_prose_is_text_and_not_a_comment(self):
        found = latex.render([Section("s", "Title & all", "It found 5 %.", ["More."], note="A note.")], "t")
        body = "\n".join(line for line in found.splitlines() if not line.startswith("%"))
        for words in (r"\section{Title \& all}", r"It found 5 \%.", "More.", "A note."):
            self.assertIn(words, body)

    def test_a_long_name_may_be_broken_after_its_signs_and_a_short_one_stays_whole(self):
        self.assertEqual(pieces("cuda/column"), ["cuda/column"])
        self.assertEqual(pieces("cuda/split_colours"), ["cuda/", "split_", "colours"])
        self.assertEqual(breakable("a cuda/split_colours"), r"a cuda/\allowbreak{}split\_\allowbreak{}colours")

    def test_letters_that_latex_fonts_lack_become_letters_that_they_have(self):
        self.assertEqual(escaped("é ≥ 10⁹ ﬁ 漢"), r"é $\ge$ 10\textsuperscript{9} fi ?")

    def test_figures_that_are_files_are_included_with_their_caption(self):
        section = Section("s", "S", figures=[Figure("roof", "The roof", []), Figure("other", "Not a file", [])])
        found = latex.render([section], "t", {"roof": ["r-figures/roof-1", "r-figures/roof-2"]})
        self.assertEqual(re.findall(r"\\includegraphics\[width=0.48\\linewidth\]\{(.*)\}", found), ["r-figures/roof-1", "r-figures/roof-2"])
        self.assertIn(r"\caption{The roof}\label{fig:roof}", found)
        self.assertNotIn("Not a file", found)


@unittest.skipUnless(shutil.which("pdflatex"), "no pdflatex here (Debian: texlive-latex-recommended)")
class Tex(unittest.TestCase):
    def log_of(self, body: str) -> str:
        """Returns the log of a document. Fails if LaTeX cannot make it."""
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "d.tex").write_text(DOCUMENT % body, encoding="utf-8")
            words = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "d.tex"]
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, errors="replace", stdin=subprocess.DEVNULL, timeout=300)
            log = (Path(folder) / "d.log").read_text(encoding="utf-8", errors="replace")
        self.assertEqual(done.returncode, 0, log[-3000:])
        return log

    def assert_no_overfull(self, body: str):
        self.assertEqual(re.findall(r"Overfull \\hbox.*", self.log_of(body)), [])

    def test_nothing_of_a_report_leaves_the_page(self):
        self.assert_no_overfull(latex.render(support.sections_of(support.synthetic()), "t"))

    def test_nothing_of_kept_records_leaves_the_page(self):
        self.assert_no_overfull(latex.render(kept_sections(), "t"))

    def test_no_table_with_many_columns_or_long_words_leaves_the_page(self):
        self.assert_no_overfull("\n\n".join(map(latex.render_table, WIDE)))

    def test_a_table_of_natural_widths_would_leave_the_page(self):
        # The check above can fail: the same cells without a layout overflow.
        row = " & ".join(map(escaped, sheet(WIDE[0]).rows[0]))
        self.assertIn("Overfull", self.log_of(rf"\begin{{tabular}}{{{'r' * 25}}}{row}\end{{tabular}}"))

    def test_estimated_widths_are_those_of_tex_or_up_to_a_tenth_more(self):
        texts = ["kernel or solver", "1,306.3 ± 1.6", "8192×8192", "cuda/split_colours", "1.605 [1.598, 1.610]", "WWMMQQ", "illicit fjord", "NVIDIA H200"]
        boxes = "\n".join(rf"\setbox0=\hbox{{\footnotesize {escaped(t)}}}\typeout{{WIDTH \the\wd0}}" for t in texts)
        found = [float(w) for w in re.findall(r"WIDTH ([\d.]+)pt", self.log_of(boxes + " x"))]
        self.assertEqual(len(found), len(texts))
        for text, width in zip(texts, found):
            with self.subTest(text, width=width):
                self.assertLessEqual(width, width_of(text) + 0.5)
                self.assertLessEqual(width_of(text), 1.15 * width)


if __name__ == "__main__":
    unittest.main()
