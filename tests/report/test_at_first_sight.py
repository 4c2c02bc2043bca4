"""What a page answers to somebody who sees it for the first time."""

import re
import unittest

import support
from support import dataset_of, kernel, section, solver, table

from cfdmark.records.records import Dataset
from cfdmark.report import lines
from cfdmark.report.drawing import draw, marker_svg
from cfdmark.report.drawing.heat import shade_of
from cfdmark.report.drawing.theme import lighter
from cfdmark.report.model import Axis, Column, HeatPanel, LinePanel, Point, Section, Series, StripPanel, Table, Dot
from cfdmark.report.palette import Palette
from cfdmark.report.renderers import html, markdown, terminal
from cfdmark.report.renderers.cells import compact, sheet
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import plus_minus

PALETTE = Palette(Dataset())


def line(key: str, *points) -> Series:
    return Series(key.partition(":")[2], key, [Point(x, Quantity(y)) for x, y in points])


def panel(*series: Series, kind="ratio", x="nodes", title="t") -> LinePanel:
    return LinePanel(title, Axis(x, x), Axis("y", kind), list(series))


def texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def solved(error_l2: float, side: int, **changes) -> dict:
    raw = solver([1.0] * 6, 10, grid=[side, side], nodes=side * side, **changes)
    raw["solver"]["error_l2"] = error_l2
    return raw


class Charts(unittest.TestCase):
    def test_a_line_has_one_marker_and_two_lines_have_two(self):
        svg = draw(panel(line("backend:serial", (1, 1), (9, 2)), line("backend:cuda", (1, 3), (9, 4))), PALETTE, "p")
        used = {"serial": PALETTE.line_marker("backend:serial"), "cuda": PALETTE.line_marker("backend:cuda")}
        self.assertEqual(len(set(used.values())), 2)
        self.assertEqual(len(re.findall(r'<path id="p-m[0-9a-f]+"[^>]*stroke: #ffffff', svg)), 2)

    def test_a_chart_of_one_dot_is_a_table(self):
        dot, whole = panel(line("backend:cuda", (64, 2.0)), title="one"), panel(line("backend:cuda", (1, 1), (9, 2)))
        (figure,) = lines.figure("k", "caption", [dot, whole])
        self.assertEqual(figure.panels, [whole])
        self.assertIn("one", figure.note)
        (made,) = lines.tables("k", [dot, whole])
        self.assertEqual(made.rows, [["one", "cuda", 64, Quantity(2.0)]])
        self.assertEqual(lines.figure("k", "caption", [dot]), [])

    def test_a_run_on_one_grid_draws_no_dots(self):
        found = section(dataset_of(kernel(), kernel(backend="openmp", config={"threads": 2})), "time")
        self.assertEqual(found.figures, [])
        self.assertEqual(len(table(found, "time-kernel")), 1)

    def test_a_logarithmic_axis_has_ticks_however_short(self):
        for low, high in ((2.1e-4, 8e-4), (1.2e-3, 1.5e-3), (1e-9, 1e-2), (4e-5, 2.3e-4)):
            series = line("solver:sor", (low, 1.0), (high, 2.0))
            svg = draw(LinePanel("t", Axis("error", "error"), Axis("time", "seconds"), [series]), PALETTE, "p")
            axis = svg[svg.index('id="p-matplotlib.axis_1"') : svg.index('id="p-matplotlib.axis_2"')]
            told = [t for t in texts(axis) if t != "error"]
            self.assertGreater(len(told), 1, (low, high))
            self.assertEqual(len(told), len(set(told)), told)

    def test_an_axis_of_one_value_has_ticks_above_zero(self):
        dot = line("solver:sor", (20, 0.0274))
        told = texts(draw(LinePanel("t", Axis("iteration", "iterations"), Axis("residual", "error"), [dot]), PALETTE, "p"))
        self.assertTrue(any("10⁻²" in text for text in told), told)
        self.assertFalse(any(text.startswith(("0", "-")) for text in told), told)

    def test_a_solve_that_was_looked_at_once_has_no_curve(self):
        once, twice = solver([1.0] * 6, 10), solver([1.0] * 6, 10)
        once["solver"]["history"] = [[0, 1.0], [20, 0.0274]]
        twice["solver"]["history"] = [[0, 1.0], [20, 0.3], [40, 0.0274]]
        self.assertEqual(section(dataset_of(once), "convergence").figures, [])
        self.assertEqual(len(section(dataset_of(twice), "convergence").figures), 1)

    def test_ratios_have_ticks_at_1_and_2(self):
        dots = [Dot(Quantity(x), "backend:cuda") for x in (0.6, 1.4, 6.9)]
        strip = StripPanel("t", Axis("times as fast", "ratio", log=False), [("a", dots)], 1.0)
        self.assertLess({"1", "2"}, set(texts(draw(strip, PALETTE, "p"))))
        speedups = panel(line("backend:cuda", (1e3, 0.7), (1e6, 8.0)))
        self.assertLess({"1", "2"}, set(texts(draw(speedups, PALETTE, "p"))))

    def test_a_heat_map_has_a_bar_and_distinguishes_similar_cells(self):
        cells = {(1, 1): 1.0, (2, 1): 1.04, (1, 2): 3.2}
        told = texts(draw(HeatPanel("t", "x", "y", cells, (1, 1)), PALETTE, "p"))
        self.assertIn("≥ 3", told)
        self.assertIn("1.32", told)
        self.assertGreater(shade_of(1.04, cells) - shade_of(1.0, cells), 0.1)

    def test_time_against_error_draws_lines_whose_error_falls_in_l2(self):
        falling = [solved(e, side) for e, side in ((1e-2, 16), (2e-3, 32))]
        level = [solved(e, side, name="cg") for e, side in ((1e-2, 16), (1e-2, 32))]
        (figure,) = section(dataset_of(*falling, *level), "accuracy").figures
        self.assertEqual([s.label for p in figure.panels for s in p.series], ["sor"])
        self.assertIn("cg on", figure.note)


class Numbers(unittest.TestCase):
    def test_a_wide_interval_shows_its_ends(self):
        self.assertEqual(plus_minus(Quantity(330.0, 250.0, 530.0)), "330 [250, 530]")
        self.assertEqual(plus_minus(Quantity(12.35, 12.32, 12.38)), "12.35 ± 0.03")

    def test_brackets_hold_intervals_and_nothing_else(self):
        for text in texts_of_page(support.synthetic()):
            for inner in re.findall(r"\[([^\]]*)\]", text):
                self.assertRegex(inner, r"^([-\d.,]+, ?[-\d.,]+|low, high)$", text)

    def test_what_every_row_says_is_not_in_the_caption(self):
        columns = [Column(key, key) for key in "abcd"]
        made = compact(Table("t", "Title", columns, [["x", "same", "u", "v"], ["y", "same", "w", "z"]]))
        self.assertEqual((made.title, made.in_every_row), ("Title", "In every row: b same"))
        for text in (markdown.render_table(made), terminal.render_table(made)):
            self.assertIn("In every row: b same", text)

    def test_a_case_that_does_not_fit_loses_its_front(self):
        columns = [Column("n", "n", "count"), Column("case", "case", keep_end=True)]
        page = terminal.render_table(Table("t", "T", columns, [[1, "x" * 200 + "@64x64"], [2, "y@32x32"]]))
        self.assertRegex(page, r"…x+@64x64\n")


def texts_of_page(dataset: Dataset) -> list[str]:
    page = html.render(support.sections_of(dataset), "t", dataset)
    body = re.sub(r"<style>.*?</style>", "", support.without_script(page), flags=re.S).replace("<wbr>", "").replace("\u00a0", " ")
    return [t.strip() for t in re.findall(r">([^<]+)<", body) if t.strip()]


class Markers(unittest.TestCase):
    def test_seventeen_methods_have_as_many_and_each_can_be_drawn(self):
        palette = Palette(dataset_of(*[kernel(method=f"m{n}") for n in range(16)]))
        marks = {marker_svg(palette.marker(m), "#000000") for m in ("plain", *(f"m{n}" for n in range(16)))}
        self.assertEqual(len(marks), 17)


class Baseline(unittest.TestCase):
    def test_a_run_without_serial_has_speedups_over_the_best_of_the_host(self):
        slow = kernel(backend="openmp", config={"threads": 2}, samples=[8.0] * 6)
        best = kernel(backend="openmp", method="fused", config={"threads": 2}, samples=[4.0] * 6)
        found = section(dataset_of(slow, best, kernel(backend="cuda", samples=[1.0] * 6)), "speedup")
        gains = {r["row"]: (r["speedup"].value, r["baseline"]) for r in table(found, "speedup")}
        self.assertEqual(gains["cuda/plain"], (4.0, "openmp/fp64/fused, 2 threads"))

    def test_a_device_alone_has_speedups_over_its_plain_method(self):
        found = section(
            dataset_of(
                kernel(backend="cuda", samples=[3.0] * 6), kernel(backend="cuda", method="tiled", samples=[1.0] * 6)
            ),
            "speedup",
        )
        self.assertEqual([r["speedup"].value for r in table(found, "speedup")], [3.0])
        self.assertIn("the plain or textbook method on the same backend", found.note)

    def test_a_solver_without_a_plain_method_has_speedups_over_its_textbook_one(self):
        for first in ("textbook", "rhie_chow"):
            made = [solver([t] * 6, 10, backend="cuda", method=m) for m, t in ((first, 3.0), ("fused", 1.0))]
            (row,) = table(section(dataset_of(*made), "speedup"), "speedup")
            self.assertAlmostEqual(row["speedup"].value, 3.0)


class Headline(unittest.TestCase):
    def test_compares_the_best_method_of_each_solver(self):
        rows = [("sor", "plain", 8.0), ("sor", "fused", 2.0), ("cg", "textbook", 6.0), ("cg", "fused", 3.0)]
        made = [solver([t] * 6, 10, name=name, method=method) for name, method, t in rows]
        card = section(dataset_of(*made), "headline").cards[0]
        self.assertIn("sor on serial/fused", card.winner)
        self.assertIn("cg on serial/fused", card.others)
        self.assertNotIn("textbook", card.others + card.detail)


class NotRun(unittest.TestCase):
    def test_lists_what_could_have_run_and_counts_the_rest_in_a_line(self):
        reasons = [("cuda", "no NVIDIA driver on this machine")] * 3 + [("openmp", "the grid is too large: 9 GB")]
        grids = [[8, 8], [16, 16], [32, 32], [64, 64]]
        bad = [
            kernel(status="not_run", backend=b, reason=reason, grid=grid)
            for (b, reason), grid in zip(reasons, grids)
        ]
        found = section(dataset_of(*bad, kernel(status="crashed", reason="signal 11")), "not-run")
        self.assertEqual({r["reason"] for r in table(found, "not-run")}, {"the grid is too large: 9 GB", "signal 11"})
        self.assertEqual(found.text, ["3 cases cannot run here: 3 on cuda (no NVIDIA driver on this machine)."])


class Words(unittest.TestCase):
    def test_words_that_a_page_uses_are_explained_on_it_and_no_others(self):
        words = html.words_of([Section("s", "S", "Two rows reach the roof; it is a tie.")], PAGE)
        self.assertEqual([w for w, _ in words], ["row", "roof", "tie"])

    def test_the_report_explains_what_it_is_full_of(self):
        page = html.render(support.sections_of(support.synthetic()), "t", support.synthetic())
        for word in ("row", "roof", "regime", "baseline", "contest"):
            self.assertIn(f"<dt>{word}</dt>", page)

    def test_plain_english(self):
        said = "\n".join(texts_of_page(support.synthetic()))
        for phrase in ("nothing speaks against", "told their overhead", "times faster", "costs itself only"):
            self.assertNotIn(phrase, said)


PAGE = html.Page("", "", "", [], PALETTE)


class Dark(unittest.TestCase):
    def test_every_colour_of_a_chart_follows_the_page(self):
        page = html.render(support.sections_of(support.synthetic()), "t", support.synthetic())
        charts = [s for s in re.findall(r"<svg.*?</svg>", page, flags=re.S) if "relative to the best" not in s[:200]]
        self.assertGreater(len(charts), 5)
        self.assertEqual({c for s in charts for c in re.findall(r"[: \"](#[0-9a-f]{6})\b", s)}, set())
        used = {v for s in charts for v in re.findall(r"var\((--[\w-]+)\)", s)}
        dark = page[page.index("@media (prefers-color-scheme: dark)") : page.index("</style>")]
        self.assertEqual({v for v in used if f"{v}:" not in dark}, set())

    def test_a_line_is_lighter_there(self):
        self.assertEqual(lighter("#000000"), "#737373")


if __name__ == "__main__":
    unittest.main()
