import re
import unittest
from collections import Counter
from html.parser import HTMLParser

import support
from test_formats import FAILED_TIME

from cfdmark.records.records import Dataset
from cfdmark.report.drawing import draw
from cfdmark.report.model import Axis, Card, Column, LinePanel, Link, Point, Section, Series, Table
from cfdmark.report.palette import Palette
from cfdmark.report.renderers import html, markdown, terminal
from cfdmark.stats.quantity import Quantity

VOID = {"meta", "link", "br", "img", "hr", "input", "path", "use", "rect", "circle", "line", "polyline", "wbr"}


def page_of(dataset: Dataset) -> str:
    return html.render(support.sections_of(dataset), "title <1>", dataset)


class Structure(HTMLParser):
    """Collects ids, links and unbalanced tags."""

    def __init__(self, page: str):
        super().__init__()
        self.ids, self.targets, self.sources, self.open, self.unbalanced = Counter(), set(), [], [], []
        self.feed(page)

    def handle_startendtag(self, tag, attributes):
        self.note(attributes)

    def handle_starttag(self, tag, attributes):
        self.note(attributes)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.unbalanced.append(tag)

    def note(self, attributes):
        for key, value in attributes:
            if key == "id":
                self.ids[value] += 1
            elif key in ("href", "xlink:href"):
                self.targets.add(value)
            elif key in ("src", "srcset", "data", "poster"):
                self.sources.append(value)


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dataset = support.synthetic()
        cls.sections = support.sections_of(cls.dataset)
        cls.page = page_of(cls.dataset)
        cls.structure = Structure(cls.page)

    def test_holds_an_anchor_for_every_section_and_a_link_to_it(self):
        for section in self.sections:
            self.assertIn(section.key, self.structure.ids)
            self.assertIn(f"#{section.key}", self.structure.targets)

    def test_holds_every_table(self):
        for section in self.sections:
            for table in section.tables:
                self.assertIn(f"table-{table.key}", self.structure.ids)

    def test_loads_nothing_from_anywhere(self):
        self.assertEqual(self.structure.sources, [])
        self.assertEqual([t for t in self.structure.targets if not t.startswith("#")], [])
        page = support.without_script(self.page)
        self.assertNotRegex(page, r"https?://|@import|url\((?!#)|<script|<link|<iframe")
        self.assertIn("default-src &#39;none&#39;", page)  # and forbids the browser to load anything

    def test_every_inner_link_has_its_target_and_every_id_is_unique(self):
        self.assertEqual({t[1:] for t in self.structure.targets} - set(self.structure.ids), set())
        self.assertEqual([i for i, count in self.structure.ids.items() if count > 1], [])
        for reference in re.findall(r"url\(#([^)]+)\)", self.page):
            self.assertIn(reference, self.structure.ids)

    def test_closes_every_tag(self):
        self.assertEqual((self.structure.unbalanced, self.structure.open), ([], []))

    def test_escapes_what_it_is_given(self):
        self.assertIn("title &lt;1&gt;", self.page)

    def test_never_shows_the_time_of_a_failed_case(self):
        text = re.sub(r"<svg.*?</svg>", "", self.page, flags=re.S)  # coordinates may hold any digits
        self.assertIn("pipelined", text)
        self.assertNotRegex(text, FAILED_TIME)

    def test_gives_each_point_a_tooltip_with_its_value(self):
        self.assertRegex(self.page, r"<title>cg, cuda/plain fp64 1024×1024: [\d.]+ ± [\d.]+ µs")

    def test_is_the_same_when_made_twice(self):
        self.assertEqual(self.page, page_of(support.synthetic()))


class Extremes(unittest.TestCase):
    def test_a_run_without_any_time_makes_a_page(self):
        dataset = support.dataset_of(support.kernel(status="not_run", reason="no device"))
        self.assertIn("no device", page_of(dataset))

    def test_one_case_makes_a_page(self):
        self.assertIn("the only row that ran", page_of(support.dataset_of(support.kernel())))

    def test_one_solver_without_histories_makes_a_page(self):
        self.assertIn("sor", page_of(support.dataset_of(support.solver([1.0] * 6, 10))))

    def test_markup_in_a_record_stays_text(self):
        dataset = support.dataset_of(
            support.kernel(status="error", reason="<script>alert(1)</script>", name="<b>&")
        )
        self.assertNotIn("<script>", support.without_script(page_of(dataset)))

    def test_markup_in_a_figure_stays_text(self):
        dataset = support.dataset_of(
            support.kernel(name="<b>&", method="<i>"), support.kernel(name="<b>&", backend="cuda")
        )
        self.assertEqual(Structure(page_of(dataset)).unbalanced, [])


class Parts(unittest.TestCase):
    """What pages other than the report are made of too."""

    def test_a_small_number_at_an_axis_keeps_its_digits(self):
        panel = LinePanel(
            "t",
            Axis("nodes", "nodes"),
            Axis("y"),
            [Series("a", "x:a", [Point(1e3, Quantity(0.01)), Point(1e6, Quantity(9.0))])],
        )
        texts = re.findall(r"<text[^>]*>([^<]*)</text>", draw(panel, Palette(Dataset()), "p"))
        self.assertIn("0.01", texts)
        self.assertNotIn("0.0", texts)

    def test_a_column_of_links_stays_a_column_though_all_say_the_same(self):
        rows = [[name, Link("agrees", f"{name}.html"), "same", name] for name in "abc"]
        columns = [Column(key, key) for key in "wxyz"]
        page = html.render([Section("s", "S", tables=[Table("t", "T", columns, rows)])], "t", Dataset())
        for name in "abc":
            self.assertIn(f'<td><a href="{name}.html">agrees</a></td>', page)

    def test_unknown_names_get_colours_of_their_own(self):
        palette = Palette(Dataset())
        colours = [palette.colour(f"rmin:{n}") for n in (32, 64, 128)]
        self.assertEqual(len(set(colours)), 3)
        self.assertEqual(palette.colour("rmin:64"), colours[1])

    def test_paragraphs_and_links_are_escaped_and_shown(self):
        card = Card("c", "winner", "x:a", "1", "", "agrees", link="a.html")
        section = Section("s", "S", "finding", ["first < second"], cards=[card])
        page = html.render([section], "t", Dataset(), "a line below")
        self.assertIn('<p class="text">first &lt; second</p>', page)
        self.assertIn('<a href="a.html">winner</a>', page)
        self.assertIn('<p class="summary">a line below</p>', page)
        self.assertIn("first < second", markdown.render([section], "t"))
        self.assertIn("first < second", terminal.render([section], "t"))


if __name__ == "__main__":
    unittest.main()
