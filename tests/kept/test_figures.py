"""Every figure in the project's README stands in a record that it names, or is held by a test."""

import json
import os
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

from support import RESULTS, ROOT

from cfdmark.export.layouts import sizes_of
from cfdmark.publish.figures import MARK, tuned_at, with_figures
from cfdmark.records.records import BadInput

README = (ROOT / "README.md").read_text(encoding="utf-8")
FIGURE = re.compile(r"(?<![\w.@])\d[\d.,]*(?: ?(?:%|us|µs|ms|s|GB/s|GLUP/s)(?!\w)| (?:seconds|minutes|hours|times|of 100)\b)")
SOLVE = re.compile(r"    \$ cfdmark (solve .*)\n((?:    .*\n|\n)+)")


class Figures(unittest.TestCase):
    maxDiff = None

    def test_are_those_of_the_records_that_they_name(self):
        self.assertGreater(len(MARK.findall(README)), 3)
        self.assertEqual(with_figures(README, ROOT), README, "run ./scripts/site --readmes")

    def test_a_verdict_is_one_of_something_that_was_measured(self):
        verdicts = [block[0] for block in MARK.finditer(README) if block[2] == "verdict"]
        self.assertEqual([v for v in verdicts if "Verdict: " not in v], [])
        self.assertNotEqual(verdicts, [])

    def test_a_figure_that_was_changed_is_noticed(self):
        for block in MARK.finditer(README):
            for digit in re.finditer(r"(?<=\d)\d", block[0][len(block[1]) :]):
                at = block.start() + len(block[1]) + digit.start()
                other = README[:at] + str((int(README[at]) + 1) % 10) + README[at + 1 :]
                self.assertEqual(with_figures(other, ROOT), README)
                break

    def test_name_their_record_in_the_sentence_before_them(self):
        for block in MARK.finditer(README):
            paragraph = README[: block.start()].rstrip().rpartition("\n\n")[2]
            self.assertIn(f"]({block[3]})", paragraph)

    def test_there_is_none_that_names_no_record(self):
        rest = MARK.sub("", README)
        self.assertEqual(FIGURE.findall(rest), [])

    def test_every_picture_is_one_that_is_drawn_from_records(self):
        for target in re.findall(r"!\[.*?\]\((.*?)\)", README):
            self.assertIn("<!-- drawn from ", (ROOT / target).read_text(encoding="utf-8").splitlines()[-1], target)

    def test_a_figure_without_a_record_would_be_found(self):
        for text in ("takes 6 minutes", "48.5 ms [48.4", "at 4,203.8 GB/s", "1.77 times as fast", "+9.7 %", "3 s."):
            self.assertRegex(text, FIGURE)

    def test_of_two_answers_for_a_size_the_one_of_the_narrower_range_is_shown_as_a_lookup_takes_it(self):
        path = ROOT / "results/tuned/nvidia-h200/jacobi.json"
        found, _ = tuned_at(path, "jacobi/cuda/fp64 on 4096x4096")
        others = [
            entry for entry in json.loads(path.read_text(encoding="utf-8"))["entries"]
            if entry["precision"] == "fp64" and any(size["grid"] == [4096, 4096] for size in sizes_of(entry))
        ]
        ratio = lambda entry: entry["range"]["most_cells"] / entry["range"]["least_cells"]
        self.assertEqual(ratio(found), min(map(ratio, others)))

    def test_are_of_a_device_and_not_of_one_of_its_files_where_records_are_named(self):
        """A file is overtaken by a newer one of its cases; a device's folder is not."""
        named = {(mark[2], mark[3]) for mark in MARK.finditer(README) if mark[2] in ("roofs", "cases", "headline")}
        self.assertEqual({kind for kind, _ in named}, {"roofs", "cases", "headline"})
        self.assertEqual([pair for pair in named if not (ROOT / pair[1]).is_dir()], [])

    def test_are_those_of_the_newest_clean_record_of_their_case(self):
        with tempfile.TemporaryDirectory() as folder:
            device = Path(folder) / "device"
            device.mkdir()
            for day, seconds, dirty in (("24", 2e-3, False), ("26", 1e-3, False), ("25", 4e-3, False), ("27", 3e-3, True)):
                (device / f"run-{day}.jsonl").write_text(self.run_of(f"2026-11-{day}T00:00:00Z", seconds, dirty))
            text = "<!-- figures: cases of device, copy -->\n<!-- end of figures -->"
            self.assertIn("1.00 ms", with_figures(text, Path(folder)))
            roof = with_figures("<!-- figures: roofs of device -->\n<!-- end of figures -->", Path(folder))
            self.assertIn("cuda     fp64 copy 1000.0", roof)

    @staticmethod
    def run_of(time: str, seconds: float, dirty: bool) -> str:
        roof = {"backend": "cuda", "precision": "fp64", "kernel": "copy", "bytes_per_second": 1e9 / seconds}
        environment = {"type": "environment", "id": time, "time": time, "roofs": [roof],
                       "program": {"commit": "abc", "dirty": dirty}}
        record = {"type": "record", "schema": 2, "case": "copy/cuda/fp64/plain@8x8", "kind": "kernel", "name": "copy",
                  "backend": "cuda", "precision": "fp64", "method": "plain", "grid": [8, 8], "nodes": 64, "config": {},
                  "status": "ok", "environment": time, "time": {"samples": [seconds], "median": seconds},
                  "rate": {"bytes_per_second": 1e9, "lups": 1e9}}
        return "".join(json.dumps(line) + "\n" for line in (environment, record))

    def test_a_mark_that_leads_nowhere_is_refused(self):
        for mark in ("wishes of results/nvidia-h200", "cases of results/nowhere, x",
                     "cases of results/nvidia-h200, no such case", "headline of results/nvidia-h200, no_such_kernel",
                     "tuned of results/tuned/nvidia-h200/jacobi.json, jacobi/cuda/fp64 on 7x7"):
            with self.assertRaises(BadInput, msg=mark):
                with_figures(f"<!-- figures: {mark} -->\n<!-- end of figures -->", ROOT)


class DeviceReadme(unittest.TestCase):
    def test_the_one_of_the_h200_is_short_and_names_what_its_numbers_are_of(self):
        text = (RESULTS / "nvidia-h200" / "README.md").read_text(encoding="utf-8")
        self.assertLessEqual(text.count("\n"), 150)
        for said in ("a slice", "built for", "GPUs, distinguished", "conditions.md"):
            self.assertIn(said, text)


class Solved(unittest.TestCase):
    def test_what_a_solve_prints_is_what_the_readme_shows_of_it(self):
        program = os.environ.get("CFDMARK_PROGRAM")
        if not program:
            self.skipTest("CFDMARK_PROGRAM names no program")
        words, shown = SOLVE.search(README).groups()
        # Unasked, the fastest backend here is taken.
        words = [*words.replace(" --plot plate", "").split(), "--backend", "openmp"]
        done = subprocess.run([program, *words], capture_output=True, text=True, check=True)
        said = [line.strip() for line in done.stdout.splitlines()]
        lines = [line.strip() for line in shown.splitlines() if line.strip() not in ("", "...")]
        self.assertGreater(len(lines), 5)
        self.assertEqual([line for line in lines if line not in said], [])


if __name__ == "__main__":
    unittest.main()
