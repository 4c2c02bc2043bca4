"""Golden files of each table format, with the numbers blanked. CFDMARK_UPDATE_GOLDEN=1 rewrites them."""

import csv
import io
import os
import re
import unittest
from unittest import mock

import support
from rich.cells import cell_len

from cfdmark.report.model import Column, Table
from cfdmark.report.renderers import csv as csv_format
from cfdmark.report.renderers import latex, markdown, terminal
from cfdmark.report.renderers.cells import ABSENT

GOLDEN = support.HERE / "golden"
# How the time that the failed record of the fixture claims, 77777.7 s, would look in any unit.
FAILED_TIME = r"77,?77"


def blanked(text: str) -> str:
    """Numbers become #; what depends on their width, such as padding and rules, is evened out."""
    text = re.sub(r"(?<![A-Za-z\d_])-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?", "#", text)
    return re.sub(r"─+", "───", re.sub(r" {2,}", "  ", text))


class GoldenFiles(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.sections = support.sections_of(support.synthetic())

    def assert_golden(self, name: str, text: str):
        path = GOLDEN / name
        if os.environ.get("CFDMARK_UPDATE_GOLDEN"):
            path.write_text(blanked(text), encoding="utf-8")
        self.assertEqual(blanked(text), path.read_text(encoding="utf-8"))

    def test_the_terminal_tables_are_as_agreed(self):
        self.assert_golden("terminal.txt", terminal.render(self.sections, "title", most_rows=15))

    def test_the_markdown_is_as_agreed(self):
        self.assert_golden("report.md", markdown.render(self.sections, "title"))

    def test_the_latex_is_as_agreed(self):
        self.assert_golden("report.tex", latex.render(self.sections, "title"))

    def test_the_csv_is_as_agreed(self):
        self.assert_golden("tables.csv", csv_format.render(self.sections, "title"))


class EveryFormat(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.sections = support.sections_of(support.synthetic())

    def test_the_terminal_tables_fit_110_columns(self):
        for rows in (15, 0):
            lines = terminal.render(self.sections, "title", most_rows=rows).splitlines()
            self.assertLessEqual(max(map(len, lines)), 110)

    def test_a_table_too_wide_for_the_terminal_says_which_columns_it_leaves_out(self):
        columns = [Column("name", "name")] + [Column(f"c{i}", f"count{i}", "count") for i in range(20)]
        page = terminal.render_table(Table("wide", "Wide", columns, [["a", *[1234567] * 20]]))
        self.assertLessEqual(max(map(len, page.splitlines())), 110)
        self.assertIn("no room for: count9, count10,", page.replace("\n", " "))

    def test_ratios_and_verdicts_are_the_last_columns_that_a_narrow_terminal_drops(self):
        columns = [Column("name", "name"), *(Column(f"c{i}", f"count{i}", "count") for i in range(4))]
        columns += [Column("ratio", "times as fast", "ratio"), Column("verdict", "verdict")]
        table = Table("t", "T", columns, [["a", *[1234567] * 4, 12.5, "clear"]])
        kept = [[c.head for c in terminal.fitted(table, width).columns] for width in (80, 50, 30, 16, 8)]
        self.assertEqual(kept[0], [c.head for c in columns])
        self.assertEqual(kept[1], ["name", "count0", "count1", "times as fast", "verdict"])
        self.assertEqual(kept[2], ["name", "times as fast", "verdict"])
        self.assertEqual(kept[3], ["name", "times as fast"])
        self.assertEqual(kept[4], ["name"])

    def test_a_column_of_wide_letters_is_aligned_in_cells_of_the_terminal(self):
        columns = [Column("name", "name"), Column("n", "n", "count"), Column("case", "case", keep_end=True)]
        rows = [["漢字", 1, "a@8"], ["abcd", 2, "漢" * 60 + "@8"], ["é", 3, "b@8"]]
        lines = terminal.render_table(Table("t", "T", columns, rows)).splitlines()[-3:]
        self.assertEqual([cell_len(line.split("1 2 3"[2 * n])[0]) for n, line in enumerate(lines)], [6, 6, 6])
        self.assertLessEqual(max(map(cell_len, lines)), 110)

    def test_tables_and_text_fit_a_narrow_terminal(self):
        with mock.patch.object(terminal, "columns", lambda: 60):
            lines = terminal.render(self.sections, "title", most_rows=15).splitlines()
        self.assertLessEqual(max(map(cell_len, lines)), 60)

    def test_a_table_is_ascii_where_the_output_has_no_other_letters(self):
        with mock.patch("sys.stdout", mock.Mock(encoding="latin-1", **{"isatty.return_value": False})):
            page = terminal.render_table(Table("t", "T", [Column("a", "a")], [["x"]]))
        self.assertEqual(page, "T\na\n-\nx")

    def test_colours_come_only_on_request(self):
        self.assertNotIn("\033", terminal.render(self.sections, "title", colour=False))
        self.assertIn("\033", terminal.render(self.sections, "title", colour=True))

    def test_a_failed_case_never_shows_a_time(self):
        everything = [
            module.render(self.sections, "title") for module in (terminal, markdown, latex, csv_format)
        ]
        for text in everything:
            self.assertIn("jacobi/cuda/fp64/pipelined" if "\\begin" not in text else "pipelined", text)
            self.assertNotRegex(text, FAILED_TIME)

    def test_cases_without_success_have_empty_times_in_csv(self):
        rows = list(csv.DictReader(io.StringIO(csv_format.render_files(self.sections)["cases.csv"])))
        bad = [row for row in rows if row["status"] != "ok"]
        self.assertEqual(len(bad), 8)
        for row in bad:
            self.assertEqual(
                [row[k] for k in ("time_seconds", "time_seconds_low", "samples", "rate_updates_per_second")],
                [""] * 4,
            )

    def test_csv_is_in_seconds_with_full_digits(self):
        rows = list(csv.DictReader(io.StringIO(csv_format.render_files(self.sections)["cases.csv"])))
        times = {r.label: r.time.value for r in support.synthetic().records if r.ok}
        for row in rows:
            if row["status"] == "ok":
                self.assertAlmostEqual(float(row["time_seconds"]) / times[row["case"]], 1, places=8)

    def test_latex_escapes_what_latex_would_read(self):
        self.assertEqual(latex.escaped("50 % of a_b & µs ± 1"), r"50 \% of a\_b \& $\mu$s $\pm$ 1")
        self.assertNotRegex(latex.render(self.sections, "title").replace("\\%", ""), r"(?m)^[^%\n]+%")

    def test_markdown_escapes_pipes(self):
        self.assertEqual(markdown.escaped("a|b"), "a\\|b")

    def test_an_absent_number_is_a_dash_never_a_zero(self):
        found = support.section(
            support.dataset_of(support.kernel(), support.kernel(backend="cuda", grid=[16, 16])), "time"
        )
        page = terminal.render_table(found.tables[0])
        self.assertEqual(page.count(ABSENT), 2)


if __name__ == "__main__":
    unittest.main()
