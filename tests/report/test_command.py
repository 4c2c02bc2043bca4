import errno
import os
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (finds the packages)
from support import SYNTHETIC, kernel, record_file, run_report

from cfdmark.program import CANNOT_WRITE


class Command(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def test_prints_tables_and_ends_with_the_path_of_the_page(self):
        status, out, err = run_report(SYNTHETIC, "--output", self.folder)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("WHO IS FASTEST", out)
        self.assertEqual(out.splitlines()[-1], f"report: {self.folder / 'synthetic.html'}")
        self.assertIn("</html>", (self.folder / "synthetic.html").read_text(encoding="utf-8"))

    def test_writes_next_to_the_records_by_default(self):
        with record_file(kernel()) as path:
            run_report(path, "--format", "markdown")
            self.assertTrue(path.with_suffix(".md").exists())

    def test_all_writes_every_format(self):
        status, _, _ = run_report(SYNTHETIC, "--format", "all", "--output", self.folder / "deep" / "er")
        made = {p.name for p in (self.folder / "deep" / "er").iterdir()}
        self.assertEqual(
            (status, made), (0, {"synthetic.html", "synthetic.md", "synthetic.tex", "synthetic-csv"})
        )

    def test_a_dash_writes_one_format_to_the_standard_output(self):
        status, out, _ = run_report(SYNTHETIC, "--format", "csv", "--output", "-")
        self.assertEqual(status, 0)
        self.assertTrue(out.startswith("# headline.csv\nwhat,precision,grid,"))

    def test_a_dash_without_a_format_is_refused(self):
        status, out, err = run_report(SYNTHETIC, "--output", "-")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("--format", err)

    def test_good_lines_are_reported_and_bad_ones_named(self):
        with record_file(kernel(), '{"cut off') as path:
            status, _, err = run_report(path, "--format", "terminal")
            self.assertEqual(status, 0)
            self.assertIn(f"warning: {path}:2:", err)

    def test_a_missing_or_useless_file_ends_with_status_2(self):
        with record_file("garbage\n") as path:
            for bad in ("/nowhere/run.jsonl", path):
                status, out, err = run_report(bad)
                self.assertEqual((status, out), (2, ""))
                self.assertIn(str(bad), err)

    def test_an_unknown_baseline_ends_with_status_2_before_anything_is_written(self):
        status, out, err = run_report(SYNTHETIC, "--output", self.folder, "--baseline", "x")
        self.assertEqual((status, out, os.listdir(self.folder)), (2, "", []))
        self.assertIn("--baseline x", err)

    def test_the_title_is_used(self):
        _, out, _ = run_report(SYNTHETIC, "--format", "markdown", "--output", "-", "--title", "My run")
        self.assertTrue(out.startswith("# My run\n"))

    def test_several_files_are_reported_together(self):
        with record_file(kernel(backend="cuda")) as one, record_file(kernel()) as other:
            _, out, _ = run_report(one, other, "--format", "csv", "--output", "-")
            self.assertIn("cuda/plain", out)
            self.assertIn("serial/fp64/plain, 1 thread", out)

    def test_help_teaches_by_example(self):
        status, out, _ = run_report("--help")
        self.assertEqual(status, 0)
        self.assertIn("cfdmark report run.jsonl --baseline openmp", out)


class FullDisk(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def test_leaves_the_earlier_report_whole_and_says_so(self):
        earlier = self.folder / "synthetic.md"
        earlier.write_text("earlier", encoding="utf-8")
        with mock.patch("os.fsync", side_effect=OSError(errno.ENOSPC, "No space left on device")):
            status, _, err = run_report(SYNTHETIC, "--format", "markdown", "--output", self.folder)
        self.assertEqual(status, CANNOT_WRITE)
        self.assertIn(f"cannot write {earlier}: No space left on device", err)
        self.assertEqual(earlier.read_text(encoding="utf-8"), "earlier")
        self.assertEqual(os.listdir(self.folder), ["synthetic.md"])

    def test_the_tables_are_printed_before_the_page_fails(self):
        with mock.patch("os.fsync", side_effect=OSError(errno.ENOSPC, "No space left on device")):
            status, out, _ = run_report(SYNTHETIC, "--output", self.folder)
        self.assertEqual(status, CANNOT_WRITE)
        self.assertIn("WHO IS FASTEST", out)

    def test_a_folder_that_is_a_file_is_an_error(self):
        blocked = self.folder / "file"
        blocked.write_text("", encoding="utf-8")
        status, _, err = run_report(SYNTHETIC, "--format", "markdown", "--output", blocked)
        self.assertEqual(status, CANNOT_WRITE)
        self.assertIn("cannot write", err)


if __name__ == "__main__":
    unittest.main()
