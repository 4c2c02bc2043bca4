"""Figures as files of their own, each with its data next to it."""

import csv
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

import support
from support import SYNTHETIC, run_report

from cfdmark.report.drawing import draw_files
from cfdmark.report.figure_data import data_of
from cfdmark.report.figure_files import stems_of
from cfdmark.report.model import (Axis, BarPanel, Dot, Figure, HeatPanel, LinePanel, Part, Point, Roof, RooflinePanel,
                                  RoofPoint, Series, StripPanel, TimelinePanel)
from cfdmark.report.palette import Palette
from cfdmark.stats.quantity import Quantity

BEGINNINGS = {"svg": b"<?xml", "pdf": b"%PDF", "png": b"\x89PNG\r\n"}
TIME = Axis("time per iteration", "seconds")
MEASURED = Quantity(2e-6, 1e-6, 3e-6)
PANELS = [
    LinePanel("cg", Axis("nodes", "nodes"), TIME, [Series("=cuda", "backend:cuda", [Point(64, MEASURED, "plain"), Point(256, Quantity(4e-6))])]),
    StripPanel("fp64", Axis("share", "fraction"), [("copy", [Dot(Quantity(0.5, 0.4, 0.6), "backend:cuda", "fused", False)])]),
    RooflinePanel("cuda", [Roof("memory", Quantity(4e12))], [Roof("fused", Quantity(3e13))],
                  [RoofPoint(0.2, Quantity(5e11), "bound:memory", "plain", "copy", "note", 0.1)]),
    BarPanel("shares", "share", [("cg", [Part("apply", 0.75, "part:0"), Part("dot", 0.25, "part:1")], "3 ms")]),
    HeatPanel("shapes", "block_x", "block_y", {(32, 4): 1.0, (64, 2): 1.5}, (32, 4), {(32, 4): "2 ms"}),
    TimelinePanel("copy", TIME, [Point(0, MEASURED), Point(1, Quantity(2e-6))], [([0, 1], [2e-6, 2e-6])], [], [(0, "a")]),
]
ROWS = [
    [["panel", "line", "nodes", "time per iteration (s)", "low", "high", "note"],
     ["cg", "'=cuda", "64", "2e-06", "1e-06", "3e-06", "plain"], ["cg", "'=cuda", "256", "4e-06", "", "", ""]],
    [["panel", "row", "colour", "marker", "share", "low", "high", "filled"], ["fp64", "copy", "cuda", "fused", "0.5", "0.4", "0.6", "no"]],
    [["panel", "kind", "name", "colour", "marker", "operations a byte of useful traffic", "operations a declared byte", "value", "low", "high"],
     ["cuda", "slope (B/s)", "memory", "", "", "", "", "4e+12", "", ""], ["cuda", "ceiling (1/s)", "fused", "", "", "", "", "3e+13", "", ""],
     ["cuda", "point (1/s)", "copy", "memory", "plain", "0.2", "0.1", "5e+11", "", ""]],
    [["panel", "bar", "part", "share of the bar", "whole bar"], ["shares", "cg", "apply", "0.75", "3 ms"], ["shares", "cg", "dot", "0.25", "3 ms"]],
    [["panel", "block_x", "block_y", "time relative to the best", "time"], ["shapes", "32", "4", "1", "2 ms"], ["shapes", "64", "2", "1.5", ""]],
    [["panel", "kind", "position", "time per iteration (s)", "low", "high"], ["copy", "point", "0", "2e-06", "1e-06", "3e-06"],
     ["copy", "point", "1", "2e-06", "", ""], ["copy", "level", "0", "2e-06", "", ""], ["copy", "level", "1", "2e-06", "", ""]],
]


def draw(panel, forms):
    return draw_files(panel, Palette(support.dataset_of(support.kernel())), forms)


class OnePanel(unittest.TestCase):
    def test_every_kind_of_panel_is_drawn_in_every_format(self):
        for panel in PANELS:
            for form, content in draw(panel, BEGINNINGS).items():
                with self.subTest(type(panel).__name__, form=form):
                    self.assertTrue(content.startswith(BEGINNINGS[form]))

    def test_the_data_of_every_kind_of_panel_are_all_that_it_draws(self):
        for panel, rows in zip(PANELS, ROWS):
            with self.subTest(type(panel).__name__):
                self.assertEqual(list(csv.reader(data_of(panel).splitlines())), rows)

    def test_a_file_depends_on_its_data_alone(self):
        self.assertEqual(draw(PANELS[0], BEGINNINGS), draw(PANELS[0], BEGINNINGS))

    def test_a_vector_file_needs_no_font_of_the_reader(self):
        files = draw(PANELS[0], ("svg", "pdf"))
        self.assertNotIn(b"<text", files["svg"])
        self.assertIn(b"/FontFile2", files["pdf"])

    def test_a_legend_makes_the_picture_higher_and_its_names_are_in_it(self):
        strip, line = (ElementTree.fromstring(draw(panel, ["svg"])["svg"]) for panel in (PANELS[1], PANELS[0]))
        self.assertIn("legend_1", {e.get("id") for e in strip.iter()})
        self.assertNotIn("legend_1", {e.get("id") for e in line.iter()})
        self.assertGreater(float(strip.get("viewBox").split()[3]), (0.85 + 0.38) * 72)  # the panel alone

    def test_one_panel_has_the_name_of_its_figure_and_several_are_numbered(self):
        self.assertEqual(stems_of(Figure("roof", "", PANELS[:1])), ["roof"])
        self.assertEqual(stems_of(Figure("a/b-", "", PANELS[:2])), ["a.2f.b-1", "a.2f.b-2"])


class WholeReport(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def test_every_figure_of_a_report_is_a_file_with_its_data(self):
        status, out, err = run_report(SYNTHETIC, "--format", "csv", "--output", self.folder, "--figures", "svg")
        self.assertEqual((status, err), (0, ""))
        expected = {stem for s in support.sections_of(support.synthetic()) for f in s.figures for stem in stems_of(f)}
        made = {path.name for path in (self.folder / "synthetic-figures").iterdir()}
        self.assertEqual(made, {f"{stem}.{end}" for stem in expected for end in ("svg", "csv")})
        self.assertIn(f"synthetic-figures: {len(expected)} figures", out)
        self.assertGreater(len(expected), 10)

    def test_the_data_of_a_figure_are_the_medians_of_the_records(self):
        run_report(SYNTHETIC, "--format", "csv", "--output", self.folder, "--figures", "svg")
        medians = {r.iteration_time.value for r in support.synthetic().records if r.ok}
        files = sorted((self.folder / "synthetic-figures").glob("time-*.csv"))
        times = [float(row["time per iteration (s)"]) for f in files for row in csv.DictReader(f.read_text(encoding="utf-8").splitlines())
                 if "time per iteration (s)" in row]
        self.assertGreater(len(times), 4)
        for time in times:
            self.assertTrue(any(abs(time - median) < 1e-8 * median for median in medians), time)

    def test_an_unknown_format_is_an_error_that_names_the_known_ones(self):
        status, _, err = run_report(SYNTHETIC, "--figures", "svg,gif")
        self.assertEqual(status, 2)
        self.assertIn("unknown format 'gif'; choose from svg, pdf, png", err)

    def test_figures_cannot_go_to_the_standard_output(self):
        status, out, err = run_report(SYNTHETIC, "--format", "csv", "--output", "-", "--figures", "svg")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("name their folder with --output DIR", err)

    def test_records_without_a_figure_say_so(self):
        with support.record_file(support.kernel(status="failed", reason="wrong")) as path:
            status, out, _ = run_report(path, "--format", "markdown", "--figures", "svg")
        self.assertEqual(status, 0)
        self.assertIn("no figures", out)


if __name__ == "__main__":
    unittest.main()
