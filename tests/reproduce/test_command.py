"""The command as a user meets it: pages, lists, bad input. CFDMARK_UPDATE_GOLDEN=1 rewrites the golden pages."""

import csv
import os
import re
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import support  # noqa: F401  (finds the packages)
from scenarios import AGREES, iterations
from support import DOCUMENTS, ENVIRONMENT, HERE, PUBLISHED, folder_with, run, without_gpu

from cfdmark.program import CANNOT_WRITE

GOLDEN = HERE / "golden"
LAPLACE = AGREES["review-laplace"]


def blanked(text: str) -> str:
    """Numbers become #; what depends on their width, such as padding and rules, is evened out."""
    text = re.sub(r"(?<![A-Za-z\d_])-?\d+(?:,\d{3})*(?:\.\d+)?(?:e[+-]?\d+)?", "#", text)
    return re.sub(r"─+", "───", re.sub(r" {2,}", "  ", text))


def own_words(page: str) -> str:
    """The page without the sections that repeat the published file, which has tests of its own."""
    sections = page.split("\n## ")
    return "\n## ".join(s for s in sections if not s.startswith(("The problem and", "What was found then")))


class Pages(unittest.TestCase):
    maxDiff = None

    def test_every_format_is_written_and_the_paths_are_printed(self):
        with folder_with("review-laplace", ENVIRONMENT, *LAPLACE) as folder:
            status, out, err = run("--folder", folder, "review-laplace")
            self.assertEqual((status, err), (0, ""))
            self.assertTrue(
                out.endswith(f"reproduce: {folder}/review-laplace.html\nreproduce: {folder}/index.html\n")
            )
            made = {path.name for path in folder.iterdir()}
            self.assertEqual(
                made,
                {"index.html", "review-laplace-csv"}
                | {f"review-laplace.{x}" for x in ("jsonl", "html", "md", "tex")},
            )

    def assert_golden(self, name: str, records: list[dict], part: str):
        with folder_with(name, ENVIRONMENT, *records) as folder:
            _, out, _ = run("--folder", folder, name)
            terminal = out.split("reproduce: ")[0]
            text = blanked(terminal + own_words((folder / f"{name}.md").read_text(encoding="utf-8")))
        path = GOLDEN / f"{name}-{part}.txt"
        if os.environ.get("CFDMARK_UPDATE_GOLDEN"):
            path.write_text(text, encoding="utf-8")
        self.assertEqual(text, path.read_text(encoding="utf-8"))

    def test_a_page_that_agrees_reads_as_agreed(self):
        self.assert_golden("review-laplace", LAPLACE, "agrees")

    def test_a_page_that_differs_reads_as_agreed(self):
        self.assert_golden("normore-figure-6.1", iterations(3.5), "another-size")

    def test_a_page_without_a_gpu_reads_as_agreed(self):
        self.assert_golden("menon-figure-4.6", without_gpu(AGREES["menon-figure-4.6"]), "no-gpu")

    def test_the_page_needs_nothing_but_itself_and_shows_one_size_as_a_table(self):
        with folder_with("review-laplace", ENVIRONMENT, *LAPLACE) as folder:
            run("--folder", folder, "review-laplace")
            page = (folder / "review-laplace.html").read_text(encoding="utf-8")
        self.assertNotRegex(page, r'(src|href)="(?!#)')
        self.assertIn("published GPU", page)
        self.assertRegex(page, r"subject one sweep of both colours[^<]*<(.|\n)*<td>published GPU</td>")
        self.assertIn('<span class="badge agrees">agrees</span>', page)

    def test_the_comparison_is_a_table_for_programs_too(self):
        with folder_with("review-laplace", ENVIRONMENT, *LAPLACE) as folder:
            run("--folder", folder, "review-laplace")
            path = folder / "review-laplace-csv" / "comparison.csv"
            row, of_fused_core = csv.DictReader(path.read_text(encoding="utf-8").splitlines())
        self.assertEqual(of_fused_core["here"], "")
        self.assertEqual((row["published"], row["verdict"]), ("22", "agrees"))
        self.assertAlmostEqual(float(row["here"]), 20.0)
        self.assertLess(float(row["here_low"]), float(row["here"]))

    def test_the_index_has_every_experiment_under_its_verdict_and_links_the_pages_that_there_are(self):
        with folder_with("review-laplace", ENVIRONMENT, *LAPLACE) as folder:
            run("--folder", folder, "review-laplace", "jespersen-table-2")
            page = (folder / "index.html").read_text(encoding="utf-8")
            for name in DOCUMENTS:
                self.assertIn(f"{name} · ", page)
            linked = re.findall(r'<a href="([^#"]+)">', page)
            self.assertEqual(linked, ["review-laplace.html", "jespersen-table-2.html"])
            self.assertTrue(all((folder / name).exists() for name in linked))
        self.assertIn("Agrees (2)", page)  # and the algorithm of menon-figure-3.2
        self.assertIn("Not measured yet (46)", page)

    def test_what_is_out_of_reach_has_a_page_with_what_was_published(self):
        with tempfile.TemporaryDirectory() as scratch:
            status, out, _ = run("--folder", scratch, "jespersen-table-2")
            page = (Path(scratch) / "jespersen-table-2.html").read_text(encoding="utf-8")
        self.assertEqual(status, 0)
        self.assertIn("Out of reach. These are times of whole steps", out)
        self.assertIn("4.41", page)


class Input(unittest.TestCase):
    def copy_of_published(self) -> Path:
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        return Path(shutil.copytree(PUBLISHED, Path(scratch.name) / "published"))

    def complains(self, words: list, *expected: str):
        status, out, err = run(*words)
        self.assertEqual((status, out), (2, ""))
        for text in expected:
            self.assertIn(text, err)

    def test_the_list_names_every_experiment_and_what_is_out_of_reach(self):
        status, out, _ = run("--list")
        built, unbuilt = out.split("OUT OF REACH")
        self.assertEqual(status, 0)
        for name in DOCUMENTS:
            self.assertIn(name, built if name in AGREES else unbuilt)

    def test_an_unknown_experiment_is_refused_and_the_nearest_is_named(self):
        self.complains(
            ["review-laplas"], "unknown experiment 'review-laplas'; did you mean 'review-laplace'?"
        )

    def test_a_published_file_without_a_unit_is_named_with_its_line(self):
        folder = self.copy_of_published()
        path = folder / "review-laplace.yaml"
        text = path.read_text(encoding="utf-8").replace('value: 22, unit: "1", ', "value: 22, ")
        path.write_text(text, encoding="utf-8")
        line = next(n for n, x in enumerate(text.splitlines(), 1) if "value: 22" in x)
        self.complains(["--published", folder, "review-laplace"], f"{path}:{line}:", "unit")

    def test_a_published_value_that_is_no_number_is_named_with_its_line(self):
        folder = self.copy_of_published()
        path = folder / "review-laplace.yaml"
        text = path.read_text(encoding="utf-8").replace("value: 22,", "value: many,")
        path.write_text(text, encoding="utf-8")
        line = next(n for n, x in enumerate(text.splitlines(), 1) if "value: many" in x)
        self.complains(["--published", folder, "--list"], f"{path}:{line}:", "'many'")

    def test_a_folder_without_published_data_is_an_error(self):
        with tempfile.TemporaryDirectory() as scratch:
            self.complains(["--published", scratch, "--list"], "no published data in")

    def test_without_records_the_page_says_so(self):
        with tempfile.TemporaryDirectory() as scratch:
            status, out, _ = run("--folder", scratch, "review-laplace")
        self.assertEqual(status, 0)
        self.assertIn("Verdict: not measured. There are no records of it", out)

    def test_a_record_that_was_cut_off_is_named_and_the_others_are_used(self):
        with folder_with(
            "review-laplace", ENVIRONMENT, *LAPLACE, '{"type": "record", "case": "red'
        ) as folder:
            status, out, err = run("--folder", folder, "review-laplace")
        self.assertEqual(status, 0)
        self.assertIn("review-laplace.jsonl:5: line skipped", err)
        self.assertIn("Verdict: agrees", out)

    def test_a_file_with_nothing_but_garbage_is_refused(self):
        with folder_with("review-laplace", "garbage\n") as folder:
            self.complains(
                ["--folder", folder, "review-laplace"], "nothing to report in", "review-laplace.jsonl:1"
            )

    def test_a_run_that_was_stopped_before_its_first_record_is_not_measured(self):
        with folder_with("review-laplace", ENVIRONMENT) as folder:
            status, out, err = run("--folder", folder, "review-laplace")
        self.assertEqual((status, err), (0, ""))
        self.assertIn("Verdict: not measured", out)

    def test_garbage_in_the_records_of_another_experiment_stops_nothing_and_stands_in_the_index(self):
        with folder_with("review-laplace", ENVIRONMENT, *LAPLACE) as folder:
            (folder / "shinn-heat.jsonl").write_text("garbage\n", encoding="utf-8")
            status, _, _ = run("--folder", folder, "review-laplace")
            self.assertEqual(status, 0)
            self.assertIn("nothing to report in", (folder / "index.html").read_text(encoding="utf-8"))

    def test_a_full_disk_is_reported(self):
        with folder_with("review-laplace", ENVIRONMENT, *LAPLACE) as folder:
            with mock.patch("os.fsync", side_effect=OSError(28, "No space left on device")):
                status, _, err = run("--folder", folder, "review-laplace")
        self.assertEqual(status, CANNOT_WRITE)
        self.assertIn("No space left on device", err)


if __name__ == "__main__":
    unittest.main()
