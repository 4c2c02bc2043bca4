"""What scripts find on a page, and a page without them."""

import base64
import contextlib
import hashlib
import io
import json
import os
import re
import tempfile
import unittest
from html.parser import HTMLParser
from pathlib import Path
from unittest import mock

import support

from cfdmark.records.records import Dataset
from cfdmark.report.drawing import draw
from cfdmark.report.model import Axis, Column, Figure, HeatPanel, LinePanel, Point, Section, Series, Table, LabelledNumber
from cfdmark.report.palette import Palette
from cfdmark.report.renderers import html, script
from cfdmark.stats.quantity import Quantity

HOSTILE = '"><script>alert(1)</script><img src=x onerror=alert(2)> id="x" url(#y) fill="#4d4d4d" \'&<!--'


class Elements(HTMLParser):
    """Every element with its attributes, in order; those within a script are text."""

    def __init__(self, page: str):
        super().__init__()
        self.found: list[tuple[str, dict]] = []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes)))

    def of(self, tag: str) -> list[dict]:
        return [attributes for name, attributes in self.found if name == tag]


@contextlib.contextmanager
def library(code: str = "var d3 = {};", **files):
    """A folder like that of the library; a file given as None is missing."""
    facts = json.dumps({"name": "d3-selection", "version": "9.8.7", "license": "ISC"})
    wanted = {"package.json": facts, "LICENSE": "Copyright Somebody */ alert(3)", "dist/d3-selection.min.js": code, **files}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in wanted.items():
            path = Path(folder) / name
            path.parent.mkdir(exist_ok=True)
            if text is not None:
                path.write_text(text, encoding="utf-8")
        with mock.patch.dict(os.environ, {script.ELSEWHERE: folder}):
            yield folder


def page_of(*sections: Section) -> tuple[str, str]:
    """A page, and what was said about it."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        return html.render(list(sections), "t", Dataset()), said.getvalue()


def script_in(page: str) -> str:
    return re.search(r"<script>(.*?)</script>", page, flags=re.S)[1]


class Library(unittest.TestCase):
    def test_its_name_version_and_licence_go_with_it(self):
        with library():
            page, said = page_of()
        self.assertEqual(said, "")
        comment, _, code = script_in(page).partition("*/\n")
        self.assertIn("d3-selection 9.8.7, licence ISC", comment)
        self.assertIn("Copyright Somebody * / alert(3)", comment)
        self.assertTrue(code.startswith("var d3 = {};\n"))
        self.assertIn("makeSortable", code)

    def test_the_page_says_whose_code_it_carries_and_where_the_licence_is(self):
        with library():
            page, _ = page_of()
        footer = re.search(r"<footer>(.*?)</footer>", page, flags=re.S)[1]
        self.assertIn("This page carries d3-selection 9.8.7, licence ISC: its text begins the script", footer)
        with library(LICENSE=None):
            page, _ = page_of()
        self.assertNotIn("licence", page)

    @unittest.skipUnless(Path(script.FOLDER).exists(), "no d3-selection of this system")
    def test_a_page_with_the_packaged_library_holds_its_whole_licence(self):
        page, _ = page_of()
        comment = script_in(page).partition("*/\n")[0]
        for words in ("Mike Bostock", "Redistribution and use in source and binary forms", "AS IS"):
            self.assertIn(words, comment)
        for line in script.licence_file(Path(script.FOLDER)).read_text(encoding="utf-8").split("\n"):
            self.assertIn(line.strip(), comment)

    def test_a_browser_runs_this_script_and_no_other(self):
        with library():
            page, _ = page_of()
        digest = base64.b64encode(hashlib.sha256(script_in(page).encode()).digest()).decode()
        policy = next(m["content"] for m in Elements(page).of("meta") if m.get("http-equiv") == "Content-Security-Policy")
        self.assertIn(f"script-src 'sha256-{digest}';", policy)
        self.assertIn("default-src 'none';", policy)

    def test_where_it_is_missing_pages_have_no_scripts_and_it_is_said_once_with_the_package(self):
        for missing in ("package.json", "LICENSE", "dist/d3-selection.min.js"):
            with self.subTest(missing), library(**{missing: None}) as folder:
                page, said = page_of()
                self.assertNotIn("<script", page)
                self.assertIn("script-src &#39;none&#39;", page)
                self.assertEqual(said.count("\n"), 1)
                self.assertIn(f"{folder}/{missing}", said)
                self.assertIn("apt install node-d3-selection", said)
                self.assertEqual(page_of(), (page, ""))

    def test_a_broken_one_is_none(self):
        for spoiled in ("{", "[]", "{}"):
            with self.subTest(spoiled), library(**{"package.json": spoiled}):
                page, said = page_of()
                self.assertNotIn("<script", page)
                self.assertIn("no d3-selection", said)

    def test_code_that_would_end_its_element_does_not(self):
        with library(code='var d3 = "</script><b>" + "<!-- <SCRIPT>";'):
            page, _ = page_of()
        self.assertIn(r'"\x3C/script><b>" + "\x3C!-- \x3CSCRIPT>"', script_in(page))
        self.assertEqual((Elements(page).of("b"), len(Elements(page).of("script"))), ([], 1))

    def test_ours_is_small(self):
        self.assertLess(len(script.OURS.read_text(encoding="utf-8").splitlines()), 200)


class Values(unittest.TestCase):
    COLUMNS = [Column("a", "a"), Column("b", "b", "seconds", "plus_minus"), Column("c", "c", "count"), Column("d", "d", "ratio")]

    def cells(self, *rows) -> list[list[dict]]:
        page, _ = page_of(Section("s", "S", tables=[Table("t", "T", self.COLUMNS, list(rows))]))
        cells = Elements(page).of("td")
        return [cells[i : i + len(self.COLUMNS)] for i in range(0, len(cells), len(self.COLUMNS))]

    def test_numbers_have_their_value_however_they_are_shown(self):
        first, second = self.cells(
            ["10", Quantity(1.25e-3, 1.2e-3, 1.3e-3), 67108864, LabelledNumber("fastest", 1.0)], ["9", 2e-6, 1, 1.5]
        )
        self.assertEqual([c.get("data-value") for c in first], [None, "0.00125", "6.71089e+07", "1"])
        self.assertEqual([c.get("data-value") for c in second], [None, "2e-06", "1", "1.5"])

    def test_what_is_absent_has_none(self):
        first, _ = self.cells(["x", None, 1, 1.0], ["y", 1.0, 1, None])
        self.assertNotIn("data-value", first[1])


class Figures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        dataset = support.synthetic()
        page = support.without_script(html.render(support.sections_of(dataset), "t", dataset))
        cls.figures = re.findall(r'<figure id="[^"]*">.*?</figure>', page, flags=re.S)

    def test_every_line_and_method_has_its_entry_and_every_entry_something_to_switch(self):
        checked = 0
        for figure in self.figures:
            pictures, legend = Elements("".join(re.findall(r"<svg role.*?</svg>", figure, flags=re.S))), Elements(figure)
            for kind in ("data-line", "data-method"):
                drawn = {g[kind] for g in pictures.of("g") if kind in g}
                listed = [li[kind] for li in legend.of("li") if kind in li]
                self.assertEqual(len(listed), len(set(listed)))
                if listed:
                    self.assertEqual(set(listed), drawn)
                    checked += 1
                else:
                    self.assertLess(len(drawn), 2)
        self.assertGreater(checked, 5)

    def test_the_entries_of_lines_are_hidden_as_lines_carry_their_names(self):
        shown = {}
        for figure in self.figures:
            for hidden in re.findall(r'<ul class="legend"( hidden)?>', figure):
                named = any(said in figure for said in ("relative to the roof", "data-method", "Time by routine"))
                shown.setdefault(named, set()).add(hidden)
        self.assertEqual(shown, {True: {""}, False: {" hidden"}})

    def test_every_point_shows_its_row_its_grid_and_its_value(self):
        told = [t for f in self.figures for t in re.findall(r'class="mark"[^>]*><title>([^<]*)</title>', f)]
        self.assertGreater(len(told), 100)
        for text in told:
            self.assertRegex(text, r"(\w/\w+.* \d+×\d+|\w+_x=\d+, \w+_y=\d+).*: .*\d|^(memory|cache|fused|separate) \d.*, by ")

    def test_a_cell_of_a_heat_map_shows_its_time_with_its_interval(self):
        told = [t for f in self.figures for t in re.findall(r"<title>(\w+_x=[^<]*)</title>", f)]
        self.assertTrue(told)
        for text in told:
            self.assertRegex(text, r"^(block|tile)_x=\d+, (block|tile)_y=\d+: [\d.,]+ (±|\[).* [nµm]?s, [\d.]+ times the best$")

    def test_the_heading_of_a_map_says_which_row_it_is_of(self):
        cells = {(1, 1): 1.0, (2, 1): 2.0}
        svg = draw(HeatPanel('jacobi "a" · 64×64', "x", "y", cells, (1, 1)), Palette(Dataset()), "p")
        self.assertIn('data-heading="jacobi &quot;a&quot; · 64×64"', svg)


class Hostile(unittest.TestCase):
    """A name out of a record is text wherever a script finds it."""

    def held(self, page: str) -> Elements:
        found = Elements(support.without_script(page))
        tags = {tag for tag, _ in found.found}
        self.assertEqual(tags & {"img", "script", "iframe", "b"}, set())
        self.assertEqual([a for _, a in found.found if any(key.startswith("on") for key in a)], [])
        return found

    def test_lines_points_and_keys_of_figures(self):
        lines = [Series(HOSTILE + n, "x:" + n, [Point(1, Quantity(1.0), HOSTILE), Point(2, Quantity(2.0))]) for n in "ab"]
        panel = LinePanel(HOSTILE, Axis("x"), Axis("y"), lines)
        page, _ = page_of(Section("s", "S", figures=[Figure("f" + HOSTILE, HOSTILE, [panel])]))
        found = self.held(page)
        switched = [li["data-line"] for li in found.of("li") if "data-line" in li]
        self.assertEqual(switched, [HOSTILE + "a", HOSTILE + "b"])
        self.assertEqual({g["data-line"] for g in found.of("g") if "data-line" in g}, set(switched))

    def test_heat_maps(self):
        panel = HeatPanel(HOSTILE, HOSTILE, HOSTILE, {(1, 1): 1.0, (2, 1): 2.0}, (1, 1), {(1, 1): HOSTILE})
        page, _ = page_of(Section("s", "S", figures=[Figure("f", "F", [panel])]))
        self.assertIn(HOSTILE, [s.get("data-heading") for s in self.held(page).of("svg")])

    def test_records(self):
        rows = [
            support.kernel(name=HOSTILE, method=HOSTILE, backend=b, grid=[n, n], nodes=n * n, rate=RATE, roof=ROOF)
            for b in ("serial", "cuda" + HOSTILE)
            for n in (8, 16)
        ]
        dataset = support.dataset_of(*rows)
        found = self.held(html.render(support.sections_of(dataset), HOSTILE, dataset))
        self.assertIn(HOSTILE, {g.get("data-method") for g in found.of("g")})


RATE, ROOF = {"bytes_per_second": 1e9, "roof_fraction": 0.5}, {"bytes_per_second": 2e9}

if __name__ == "__main__":
    unittest.main()
