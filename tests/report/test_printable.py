"""What would rule a terminal or break a table is shown by its number, as in C++, in every format."""

import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support

from cfdmark.text.printable import code_span, in_cell, in_csv, in_markdown, printable, printable_lines

EXAMPLES = json.loads((Path(__file__).parents[1] / "printable.json").read_text(encoding="utf-8"))
BAD = "\x1b]0;title\x07\n::error::planted\u202e"


class Printable(unittest.TestCase):
    def test_every_example_looks_as_in_cpp(self):
        for text, shown in EXAMPLES:
            self.assertEqual(printable(text), shown)

    def test_a_byte_of_a_file_name_and_half_of_a_pair_are_shown_by_their_number(self):
        self.assertEqual(printable(os.fsdecode(b"a\xff")), "a\\xff")
        self.assertEqual(printable("a\ud800"), "a\\ud800")

    def test_a_cell_of_csv_begins_no_formula(self):
        for text in ("=1+1", "+cmd|' /C calc'!A0", "-O3 -march=native", "@SUM(A1)", " =1"):
            self.assertEqual(in_csv(text), f"'{text}")
        for cell in ("-1.5e-3", "+2", "-", "", "jacobi", "a=b", 4, None):
            self.assertEqual(in_csv(cell), cell)

    def test_no_table_of_a_report_holds_a_formula_of_a_record(self):
        bad = "=cmd|'/C calc'!A0"
        record = support.kernel(name=bad, method=bad, config={bad: bad}, backend=bad)
        with support.record_file(record) as path:
            _, out, err = support.run_report(path, "--format", "csv", "--output", "-")
        self.assertIn("cmd|", out, err)
        for row in csv.reader(out.splitlines()):
            self.assertFalse([cell for cell in row if cell.startswith(("=", "+", "@"))])

    def test_code_in_markdown_holds_any_name(self):
        self.assertEqual(code_span("a"), "`a`")
        self.assertEqual(code_span("a`b"), "``a`b``")
        self.assertEqual(code_span("`a``"), "``` `a`` ```")
        self.assertEqual(in_cell(code_span("a|b")), "`a\\|b`")

    def test_text_in_markdown_is_no_markup(self):
        self.assertEqual(in_markdown("a*b`c<img> [x](y) [1, 2]"), "a\\*b\\`c&lt;img> [x\\](y) [1, 2]")

    def test_no_line_of_a_message_is_a_command_of_ci(self):
        self.assertEqual(printable_lines("one:\n  two\n  ::error::three\x1b"), "one:\n  two\\n  ::error::three\\x1b")

    def test_a_file_may_have_a_name_that_is_not_utf_8_or_looks_like_a_command(self):
        for name in (b"\xff.jsonl", b"x\n::error::planted.jsonl"):
            with support.record_file(support.kernel(), "no JSON") as path, tempfile.TemporaryDirectory() as folder:
                odd = Path(folder, os.fsdecode(name))
                odd.write_bytes(Path(path).read_bytes())
                words = [sys.executable, str(support.SCRIPTS / "cfdmark"), "report", str(odd), "--format", "all"]
                done = subprocess.run(words, capture_output=True, env=dict(os.environ, MPLBACKEND="bogus"), check=False)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn(b"line skipped", done.stderr)
                self.assertNotRegex((done.stdout + done.stderr).decode(), "(?m)^::error")

    def test_no_format_of_the_report_holds_a_control_character_of_a_record(self):
        record = support.kernel(reason=BAD, environment=BAD, label=BAD, method=BAD)
        failed = support.kernel(backend="cuda", status="crashed", reason=BAD)
        environment = {"type": "environment", "id": BAD, "host": {"cpu": BAD, "cores": 2}, "gpu": {"name": BAD}}
        with support.record_file(environment, record, failed) as path, tempfile.TemporaryDirectory() as folder:
            status, out, err = support.run_report(path, "--format", "all", "--rows", 0, "--output", folder)
            self.assertEqual(status, 0, err)
            written = [p for p in Path(folder).rglob("*") if p.is_file()]
            self.assertGreater(len(written), 3)
            for text in [out, err] + [p.read_text(encoding="utf-8") for p in written]:
                self.assertNotRegex(text, "[\x1b\x07\u202e]")
                self.assertNotRegex(text, "(?m)^\\s*::error")


if __name__ == "__main__":
    unittest.main()
