"""What a page does in a browser: pointed at, clicked, typed into, and on a telephone. Skipped where there is no browser."""

import contextlib
import functools
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import browser
import support

from cfdmark.report.renderers import html, script
from cfdmark.report.tuning.command import sections_of as space_sections

PHONE, DESK = 390, 1280
RESULTS = support.HERE.parents[1] / "results"
SHOWN = "return [...document.querySelectorAll(arguments[0])].filter(e => e.getClientRects().length).length"
TIP = "const t = document.querySelector('.tip'); return t.hidden ? '' : t.innerText"


class InBrowser(unittest.TestCase):
    """Pages in a folder, a window for each test class, and what its console says: nothing."""

    WIDTH, NEEDS_LIBRARY = DESK, True
    PAGES: dict = {}  # name -> a function that makes the page

    @classmethod
    def setUpClass(cls):
        browser.require()
        if cls.NEEDS_LIBRARY and not script.page_script():
            raise unittest.SkipTest(f"no d3-selection here (Debian: {script.PACKAGE})")
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        for name, make in cls.PAGES.items():
            (cls.folder / f"{name}.html").write_text(make(), encoding="utf-8")
        cls.browser = browser.Browser(cls.WIDTH)
        cls.addClassCleanup(cls.browser.close)

    def open(self, name: str) -> browser.Browser:
        self.browser.open(self.folder / f"{name}.html")
        self.addCleanup(lambda: self.assertEqual(self.browser.complaints(), []))
        return self.browser

    def column(self, table: str, index: int) -> list[str]:
        cells = f"[...document.querySelectorAll('{table} tbody tr:not([hidden])')].map(r => r.cells[{index}].textContent)"
        return self.browser.run(f"return {cells}")


@functools.cache
def synthetic() -> str:
    dataset = support.synthetic()
    return html.render(support.sections_of(dataset), "synthetic", dataset)


def without_library() -> str:
    with mock.patch.dict(os.environ, {script.ELSEWHERE: "/nonexistent"}), open(os.devnull, "w") as nowhere:
        with contextlib.redirect_stderr(nowhere):
            return synthetic.__wrapped__()


@functools.cache
def of_records(name: str) -> str:
    dataset = support.read_files([RESULTS / name])
    return html.render(support.sections_of(dataset), name, dataset)


def of_space(name: str) -> str:
    dataset = support.read_files([RESULTS / "tuned/spaces" / name])
    return html.render(space_sections(dataset, {}), name, dataset)


class Tables(InBrowser):
    PAGES = {"page": synthetic}
    TABLE = "#table-cases"

    def heads(self) -> list[str]:
        return self.browser.run(f"return [...document.querySelectorAll('{self.TABLE} th')].map(h => h.textContent)")

    def test_a_head_sorts_by_value_up_then_down_then_back(self):
        page = self.open("page")
        index = next(n for n, head in enumerate(self.heads()) if head.startswith("time"))
        head = f"{self.TABLE} th:nth-child({index + 1})"
        values = f"return [...document.querySelectorAll('{self.TABLE} tbody tr')].map(r => r.cells[{index}].dataset.value)"
        state = f"return document.querySelector('{head}').ariaSort"
        printed, texts = page.run(values), self.column(self.TABLE, index)
        measured = [float(v) for v in printed if v is not None]
        self.assertNotEqual(measured, sorted(measured))
        page.run(f"document.querySelector('{self.TABLE}').closest('details')?.setAttribute('open', '')")
        page.click(f"{head} button")
        absent = [None] * printed.count(None)
        self.assertEqual([v and float(v) for v in page.run(values)], sorted(measured) + absent)
        self.assertEqual(page.run(state), "ascending")
        page.click(f"{head} button")
        self.assertEqual([v and float(v) for v in page.run(values)], sorted(measured, reverse=True) + absent)
        self.assertEqual(page.run(state), "descending")
        page.click(f"{head} button")
        self.assertEqual((page.run(values), self.column(self.TABLE, index)), (printed, texts))
        self.assertEqual(page.run(state), "none")

    def test_a_filter_keeps_rows_with_all_words_and_what_is_said_once(self):
        page = self.open("page")
        page.run(f"document.querySelector('{self.TABLE}').closest('details')?.setAttribute('open', '')")
        every = self.column(self.TABLE, 0)
        box = page.run(
            f"const i = document.querySelector('{self.TABLE}').parentElement.previousElementSibling.querySelector('input');"
            "i.id = 'wanted'; return i.labels.length"
        )
        self.assertEqual(box, 1)
        page.type("#wanted", "CUDA jacobi")
        rows = page.run(f"return [...document.querySelectorAll('{self.TABLE} tbody tr')].map(r => [r.hidden, r.textContent])")
        self.assertEqual([hidden for hidden, _ in rows], ["cuda" not in t or "jacobi" not in t for _, t in rows])
        kept = len(self.column(self.TABLE, 0))
        self.assertTrue(0 < kept < len(every))
        self.assertIn(f"{kept} of {len(every)}", page.run("return document.querySelector('#wanted').closest('.filter').textContent"))
        page.run("const i = document.querySelector('#wanted'); i.value = ''; i.dispatchEvent(new Event('input'))")
        self.assertEqual(self.column(self.TABLE, 0), every)

    def test_words_sort_as_people_count(self):
        page, table = self.open("page"), "#table-time-kernel"
        page.run(f"[...document.querySelectorAll('{table} th button')].find(b => b.textContent == 'grid').click()")
        found = [[int(n) for n in grid.split("×")] for grid in self.column(table, 2)]
        self.assertGreater(len(set(map(tuple, found))), 1)
        self.assertEqual(found, sorted(found))


class Charts(InBrowser):
    PAGES = {"page": synthetic}

    def told_at(self, selector: str) -> str:
        page = self.open("page")
        page.run("document.querySelectorAll('details').forEach(d => d.open = true)")
        page.point_at(1, 1)
        page.point_at(*page.middle(selector))
        return page.run(TIP)

    def test_a_point_of_a_line_shows_its_row_grid_and_time(self):
        self.assertRegex(self.told_at("#time .mark"), r"^[\w ]+, \w+/\w+ fp\d+ \d+×\d+: [\d.,]+ (±|\[).* [nµm]?s")

    def test_a_dot_of_a_strip_and_a_cell_of_a_map_do_too(self):
        self.assertRegex(self.told_at("#roof .mark"), r"\w+/\w+ .* of the roof")
        told = self.told_at("#blocks .mark")
        self.assertRegex(told, r"\d+×\d+\n.*block_x=\d+, block_y=\d+: .* times the best$")

    def test_away_from_all_points_there_is_no_tooltip(self):
        self.told_at("#time .mark")
        self.browser.point_at(2, 2)
        self.assertEqual(self.browser.run(TIP), "")

    def test_arrows_go_from_point_to_point_and_escape_ends_it(self):
        page = self.open("page")
        page.run("document.querySelector('#time .panel svg').focus()")
        page.press("\ue014")  # arrow right
        first = page.run(TIP)
        page.press("\ue014")
        second = page.run(TIP)
        self.assertTrue(first and second and first != second)
        page.press("\ue012")  # arrow left
        self.assertEqual(page.run(TIP), first)
        page.press("\ue00c")  # escape
        self.assertEqual(page.run(TIP), "")

    def test_an_entry_of_a_legend_switches_its_line_off_and_on(self):
        page = self.open("page")
        page.run("document.querySelectorAll('details').forEach(d => d.open = true)")
        figure = "const f = [...document.querySelectorAll('#time figure')].find(f => f.querySelector(\"[data-line='cuda'] button\"));"
        drawn = f"{figure} return [...f.querySelectorAll(\".panel [data-line='cuda']\")].filter(e => e.getClientRects().length).length"
        others = f"{figure} return [...f.querySelectorAll('.panel [data-line]:not(.off)')].length"
        press = f"{figure} const b = f.querySelector(\"[data-line='cuda'] button\"); b.click(); return b.ariaPressed"
        before, rest = page.run(drawn), page.run(others)
        self.assertGreater(before, 1)
        self.assertEqual(page.run(press), "false")
        self.assertEqual((page.run(drawn), page.run(others)), (0, rest - before))
        self.assertGreater(rest, before)
        self.assertEqual(page.run(press), "true")
        self.assertEqual(page.run(drawn), before)

    def test_a_method_and_a_backend_are_switched_each_for_itself(self):
        page = self.open("page")
        find = "const f = document.querySelector('#figure-roof'); const one = k => f.querySelector(`.legend [data-${k}] button`);"
        visible = "const on = () => [...f.querySelectorAll('.panel .mark')].filter(e => e.getClientRects().length).length;"
        counts = page.run(
            f"{find}{visible} const all = on(); one('line').click(); const some = on(); one('method').click(); const fewer = on();"
            "one('line').click(); const more = on(); one('method').click(); return [all, some, fewer, more, on()]"
        )
        self.assertTrue(counts[0] == counts[4] > counts[1] > counts[2] and counts[3] < counts[0], counts)

    def test_paper_has_no_boxes_and_no_buttons(self):
        page = self.open("page")
        page.devtools("Emulation.setEmulatedMedia", media="print")
        self.addCleanup(lambda: page.devtools("Emulation.setEmulatedMedia", media=""))
        self.assertEqual(page.run(SHOWN, ".filter, .tip, nav"), 0)
        self.assertGreater(page.run(SHOWN, "table tbody tr, .panel svg"), 10)


class WithoutScripts(InBrowser):
    NEEDS_LIBRARY = False
    PAGES = {"bare": without_library}

    def test_nothing_is_there_that_does_nothing(self):
        page = self.open("bare")
        page.run("document.querySelectorAll('details').forEach(d => d.open = true)")
        self.assertEqual(page.run(SHOWN, "button, input, .tip, .filter, .legend[hidden]"), 0)
        self.assertGreater(page.run("return document.querySelectorAll('.mark > title').length"), 100)

    def test_a_script_that_got_into_the_page_would_not_run(self):
        path = self.folder / "spoiled.html"
        text = (self.folder / "bare.html").read_text(encoding="utf-8")
        path.write_text(text.replace("</main>", "<script>document.title = 'ran'</script></main>"), encoding="utf-8")
        self.browser.open(path)
        self.assertEqual(self.browser.run("return document.title"), "synthetic")
        self.assertIn("Content Security Policy", " ".join(self.browser.complaints()))


class Desk(InBrowser):
    PAGES = {"h200": lambda: of_records("nvidia-h200/h200.jsonl")}
    SCROLLS = "return [...document.querySelectorAll('#speedup .table-box')].map(b => b.scrollWidth > b.clientWidth)"

    def test_speedups_fit(self):
        self.assertEqual(set(self.open("h200").run(self.SCROLLS)), {False})


class Phone(Desk):
    WIDTH = PHONE
    PAGES = Desk.PAGES | {"page": synthetic, "space": lambda: of_space("nvidia-h200-red_black_sor-coloured-fp64.jsonl")}

    def test_speedups_fit(self):
        """They are wider than the page, and scroll while their first column stays."""
        page = self.open("h200")
        self.assertIn(True, page.run(self.SCROLLS))
        moved = page.run(
            "const b = document.querySelector('#table-speedup').parentElement; b.scrollIntoView({behavior: 'instant'});"
            "const left = n => b.querySelector(`tbody td:nth-child(${n})`).getBoundingClientRect().left;"
            "const before = [left(1), left(2)]; b.scrollLeft = 100; return [left(1) - before[0], left(2) - before[1]]"
        )
        self.assertEqual(moved, [0, -100])

    def test_no_page_scrolls_sideways(self):
        for name in self.PAGES:
            page = self.open(name)
            page.run("document.querySelectorAll('details').forEach(d => d.open = true)")
            self.assertEqual(page.run("return [innerWidth, document.scrollingElement.scrollWidth]"), [PHONE, PHONE])

    def test_a_touch_on_a_point_shows_its_tooltip_within_the_window(self):
        page = self.open("page")
        page.point_at(*page.middle("#time .mark"), kind="touch")
        self.assertRegex(page.run(TIP), r"\d+×\d+: ")
        left, right = page.run("const b = document.querySelector('.tip').getBoundingClientRect(); return [b.left, b.right]")
        self.assertTrue(0 <= left < right <= PHONE, (left, right))


if __name__ == "__main__":
    unittest.main()
