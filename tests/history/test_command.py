import os
import re
import subprocess
import unittest

from support import CASE, HistoryCase, commit_of, environment, record

from cfdmark.history.page import title_lines
from cfdmark.records.records import Dataset
from cfdmark.report.drawing import draw
from cfdmark.report.drawing.timeline import y_limits
from cfdmark.report.model import Axis, Point, TimelinePanel
from cfdmark.report.palette import Palette
from cfdmark.stats.quantity import Quantity

STEP = [1.0, 1.004] * 6 + [1.1, 1.104] * 6  # the thirteenth commit made it 10 % slower
GIT = {
    **os.environ,
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@b",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@b",
}


class Changes(HistoryCase):
    def test_a_step_is_reported_with_its_size_and_the_commits_it_began_in(self):
        self.history_of(STEP)
        status, out, _ = self.history("changes")
        self.assertEqual(status, 0)
        self.assertIn("1 change in 1 of 1 case: 1 slower, 0 faster", out)
        self.assertRegex(out, r"\+(9|10)\.\d %")
        self.assertIn(f"{commit_of(11)[:10]}..{commit_of(12)[:10]}", out)

    def test_what_else_changed_with_the_commit_is_reported(self):
        for n, median in enumerate(STEP):
            here = environment(commit_of(n), day=1 + n, compiler="GNU 12.2.0" if n < 12 else "GNU 13.3.0")
            self.history("add", self.file(here, record(here, median)))
        self.assertIn("compiler GNU 12.2.0 → GNU 13.3.0", self.history("changes", "--format", "markdown")[1])

    def test_a_quiet_history_has_none(self):
        self.history_of([1.0, 1.004] * 12)
        self.assertIn("None of 1 case changed.", self.history("changes")[1])

    def test_a_short_history_is_reported_as_too_short(self):
        self.history_of([1.0, 2.0, 2.0])
        self.assertIn("1 case has fewer than 8 points", self.history("changes")[1])

    def test_points_with_uncommitted_changes_and_wrong_answers_do_not_count(self):
        self.history_of([1.0, 1.004] * 12)
        for n in range(30, 36):
            dirty = environment(commit_of(n), day=1 + n % 28, dirty=True)
            self.history("add", self.file(dirty, record(dirty, 2.0)))
            wrong = environment(commit_of(n + 10), day=1 + n % 28)
            self.history("add", self.file(wrong, record(wrong, 3.0, status="failed", reason="cell (1, 1)")))
        self.assertIn("None of 1 case changed.", self.history("changes")[1])
        shown = self.history("show", "--rows", "0")[1]
        self.assertIn(f"{commit_of(30)[:10]}+", shown)
        self.assertIn("failed: cell (1, 1)", shown)

    def test_figures_that_do_not_drift_are_reported_without_statistics(self):
        for n, registers in enumerate([32, 32, 40]):
            here = environment(commit_of(n), day=1 + n)
            kernels = [{"registers": registers}]
            self.history(
                "add",
                self.file(
                    here, record(here, 1.0, "jacobi/cuda/fp64/plain@8x8", resources={"kernels": kernels})
                ),
            )
        out = self.history("changes", "--format", "markdown")[1]
        self.assertRegex(out, rf"registers \| +32 \| +40 \|.* {commit_of(2)[:10]}")

    def test_the_smallest_effect_can_be_chosen(self):
        self.history_of([1.0, 1.001] * 12 + [1.02, 1.021] * 12)
        self.assertIn("None of", self.history("changes")[1])
        self.assertIn("1 change in", self.history("changes", "--effect", "1")[1])
        self.assertEqual(self.history("changes", "--effect", "0")[0], 2)


class Order(HistoryCase):
    def repository(self, count: int) -> list[str]:
        """A git repository around the history; returns its commits, oldest first."""
        self.git("init", "-q")
        for n in range(count):
            self.git("commit", "-q", "--allow-empty", "-m", str(n))
        return self.git("rev-list", "--reverse", "HEAD").split()

    def git(self, *words) -> str:
        done = subprocess.run(
            ["git", *words], cwd=self.scratch, env=GIT, check=True, capture_output=True, text=True
        )
        return done.stdout

    def add(self, commit: str, median: float, day: int) -> None:
        here = environment(commit, day)
        self.history("add", self.file(here, record(here, median)))

    def test_commits_stand_in_their_order_however_late_measured_and_whatever_the_clock_said(self):
        commits = self.repository(len(STEP))
        for n in reversed(range(len(STEP))):
            self.add(commits[n], STEP[n], day=1 + (7 * n) % 28)
        status, out, err = self.history("changes")
        self.assertEqual((status, err), (0, ""))
        self.assertIn(f"{commits[11][:10]}..{commits[12][:10]}", out)
        self.assertRegex(out, r"\+(9|10)\.\d %")

    def test_commits_that_git_does_not_know_stand_as_they_were_added_and_it_is_said(self):
        commits = self.repository(2)
        for n, commit in enumerate([commits[1], "f" * 40, commits[0]]):
            self.add(commit, 1.0, day=1 + n)
        status, out, err = self.history("show")
        self.assertEqual(status, 0)
        self.assertIn("1 of 3 commits did not lead to git's HEAD", err)
        places = [out.index(c[:10]) for c in (commits[1], "f" * 40, commits[0])]
        self.assertEqual(places, sorted(places))


class Show(HistoryCase):
    def test_a_few_cases_are_shown_commit_by_commit(self):
        self.history_of(STEP)
        out = self.history("show", re.escape(CASE))[1]
        self.assertIn(f"{CASE.partition(';')[0]} on Test CPU, 2 cores: 24 points, 1 change.", out)
        for n in range(len(STEP)):
            self.assertIn(commit_of(n)[:10], out)
        self.assertRegex(out, r"0c0c0c0c0c .*\+(9|10)\.\d %.*◆")

    def test_many_cases_are_shown_in_a_line_each(self):
        here = environment(commit_of(1))
        cases = [f"jacobi/serial/fp64/plain@{n}x{n}" for n in range(8, 14)]
        self.history("add", self.file(here, *(record(here, 1.0, case) for case in cases)))
        out = self.history("show")[1]
        self.assertIn("6 cases at 1 commit", out)
        for case in cases:
            self.assertIn(case, out)

    def test_only_the_newest_points_are_shown_by_default(self):
        self.history_of(STEP)
        self.assertNotIn(commit_of(3)[:10], self.history("show", "--rows", "4")[1])
        self.assertIn(commit_of(3)[:10], self.history("show", "--rows", "0")[1])


class Page(HistoryCase):
    def setUp(self):
        super().setUp()
        self.history_of(STEP)
        self.path = self.scratch / "deep" / "page.html"
        self.status, self.out, _ = self.history("report", "--output", self.path, "--title", "a <b> & c")
        self.page = self.path.read_text(encoding="utf-8")

    def test_is_written_to_the_given_file_and_names_it(self):
        self.assertEqual((self.status, self.out.strip()), (0, f"history: {self.path}"))

    def test_needs_no_server_and_loads_nothing(self):
        page = re.sub(r"<script>.*?</script>", "", self.page, flags=re.S)
        self.assertNotRegex(page, r"https?://|@import|url\((?!#)|<script|<link|<iframe")

    def test_draws_the_change_and_gives_each_point_a_tooltip(self):
        self.assertIn('id="figure-changed"', self.page)
        self.assertRegex(self.page, r">\+(9|10)\.\d %<")
        self.assertEqual(len(re.findall(r"<title>0[0-9a-f]{9}, 2026-03-\d\d: ", self.page)), 16)

    def test_escapes_what_it_is_given(self):
        self.assertIn("a &lt;b&gt; &amp; c", self.page)

    def test_a_long_title_keeps_row_and_grid_and_loses_the_front_of_the_rest(self):
        told = title_lines("cg/kokkos/fp64/textbook@129x129:check_interval=10;problem=heated_plate,tolerance=1e-06,max_iterations=50000")
        self.assertEqual(told.split("\n")[0], "cg/kokkos/fp64/textbook@129x129")
        self.assertRegex(told.split("\n")[1], r"^….*,tolerance=1e-06,max_iterations=50000$")
        self.assertLessEqual(max(map(len, told.split("\n"))), 48)
        self.assertEqual(title_lines("BM_flux/" + "9" * 60), "…" + "9" * 47)
        self.assertEqual(title_lines("short@8x8"), "short@8x8")

    def test_the_ticks_of_a_single_point_differ_and_its_interval_is_seen(self):
        point = Point(0, Quantity(0.1082, 0.1012, 0.1152))
        panel = TimelinePanel("t", Axis("time", "seconds", log=False), [point], [], [], [(0, "c")])
        low, high = y_limits(panel)
        self.assertTrue(low < 0.1012 and high > 0.1152)
        ticks = re.findall(r">([\d.]+ m?s)</text>", draw(panel, Palette(Dataset()), "p"))
        self.assertGreater(len(ticks), 2)
        self.assertEqual(len(ticks), len(set(ticks)))
        self.assertEqual({tick.split()[1] for tick in ticks}, {"ms"})

    def test_a_case_that_is_called_like_markup_stays_text(self):
        here, name = environment(commit_of(1)), 'BM"><img src=x onerror=alert(1)>/serial/fp64/plain@8x8'
        self.history("add", self.file(here, record(here, 1.0, case=name)))
        self.history("report", "--output", self.path)
        page = self.path.read_text(encoding="utf-8")
        self.assertIn("&lt;img src=x", page)
        self.assertNotIn("<img", page)

    def test_is_the_same_when_made_twice(self):
        self.history("report", "--output", self.path, "--title", "a <b> & c")
        self.assertEqual(self.path.read_text(encoding="utf-8"), self.page)

    def test_a_history_without_any_time_makes_a_page(self):
        here = environment(commit_of(1))
        self.folder = self.scratch / "other"
        self.history("add", self.file(here, record(here, 1.0, status="failed", reason="no answer")))
        self.assertEqual(self.history("report", "--output", self.path)[0], 0)
        self.assertIn("No case has a measured time", self.path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
