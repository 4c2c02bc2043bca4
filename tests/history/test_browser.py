"""The page of a history in a browser, on a telephone; skipped where there is none."""

import sys
import unittest
from pathlib import Path

from support import CASE, HistoryCase, commit_of

sys.path.append(str(Path(__file__).resolve().parent.parent / "report"))
import browser  # noqa: E402

from cfdmark.report.renderers import script  # noqa: E402


class Timelines(HistoryCase):
    def setUp(self):
        browser.require()
        if not script.page_script():
            self.skipTest(f"no d3-selection here (Debian: {script.PACKAGE})")
        super().setUp()
        self.history_of([1.0, 1.004] * 6 + [1.1, 1.104] * 6)
        self.history("report", "--output", self.scratch / "page.html")
        self.window = browser.Browser(390)
        self.addCleanup(self.window.close)
        self.window.open(self.scratch / "page.html")

    def told(self) -> list[str]:
        return self.window.run("const t = document.querySelector('.tip'); return t.hidden ? [] : t.innerText.split('\\n')")

    def test_a_point_has_its_case_its_commit_and_its_time(self):
        self.window.point_at(*self.window.middle("#timelines .mark"), kind="touch")
        heading, point = self.told()
        self.assertEqual(heading.partition(";")[0], CASE.partition(";")[0])
        self.assertRegex(point, r"^[0-9a-f]{10}, 2026-03-\d\d: [\d.,]+ (±|\[).* s$")

    def test_the_arrow_leads_to_the_next_commit(self):
        self.window.run("document.querySelector('#timelines .panel svg').focus()")
        for n in (0, 1):
            self.window.press("\ue014")
            self.assertIn(commit_of(n)[:10], self.told()[-1])

    def test_the_page_does_not_scroll_sideways(self):
        self.assertEqual(self.window.run("return document.scrollingElement.scrollWidth"), 390)


if __name__ == "__main__":
    unittest.main()
