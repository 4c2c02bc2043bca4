"""Which experiments the words mean, and from where their records come."""

import json
import tempfile
import unittest
from pathlib import Path

import support  # noqa: F401  (finds the packages)
from scenarios import AGREES
from support import DOCUMENTS, ENVIRONMENT, ROOT, folder_with, run, without_gpu

from cfdmark.records.records import BadInput
from cfdmark.reproduce import sources

LAPLACE = AGREES["review-laplace"]


class Names(unittest.TestCase):
    def test_a_prefix_up_to_a_hyphen_means_every_experiment_of_it(self):
        self.assertEqual(sources.chosen(["a", "b-1"], ["a-1", "a-2", "ab-1", "b-1", "b-10"]), ["a-1", "a-2", "b-1"])
        self.assertEqual(sources.chosen(["a-1", "a"], ["a-1", "a-2"]), ["a-1", "a-2"])  # each once

    def test_an_unknown_work_is_an_error_that_names_the_nearest(self):
        with self.assertRaisesRegex(BadInput, "unknown experiment 'normor'; did you mean 'normore'?"):
            sources.chosen(["normor"], DOCUMENTS)

    def test_a_list_of_one_work_names_its_experiments_alone(self):
        status, out, _ = run("--list", "normore")
        self.assertEqual(status, 0)
        named = [line.split()[0] for line in out.splitlines() if line and "  " in line]
        self.assertEqual(named, [name for name in DOCUMENTS if name.startswith("normore-")])


class Records(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.out = Path(scratch.name)

    def test_a_page_is_made_from_a_named_file_and_the_file_stays_as_it_is(self):
        with folder_with("kept", ENVIRONMENT, *LAPLACE) as folder:
            before = (folder / "kept.jsonl").read_bytes()
            status, out, _ = run("review-laplace", "--records", folder / "kept.jsonl", "--folder", self.out)
            self.assertEqual((folder / "kept.jsonl").read_bytes(), before)
        self.assertEqual(status, 0)
        self.assertIn("Verdict: agrees", out)
        self.assertTrue((self.out / "review-laplace.html").exists())

    def test_of_a_work_the_experiments_without_records_in_the_folder_are_named_and_skipped(self):
        with folder_with("review-laplace", ENVIRONMENT, *LAPLACE) as folder:
            status, out, err = run("review", "--records", folder, "--folder", self.out)
        self.assertEqual(status, 0)
        self.assertIn("review-laplace.html", out)
        self.assertIn("warning: no records of review-memory in", err)
        self.assertFalse((self.out / "review-memory.html").exists())

    def test_a_path_without_records_is_an_error(self):
        for path, text in ((self.out / "none", "cannot read"), (self.out, "expected review-laplace.jsonl")):
            status, _, err = run("review-laplace", "--records", path, "--folder", self.out)
            self.assertEqual(status, 2)
            self.assertIn(text, err)

    def test_without_times_of_a_gpu_the_kept_answer_of_one_is_named(self):
        with folder_with("review-laplace", ENVIRONMENT, *without_gpu(LAPLACE)) as folder:
            _, without, _ = run("review-laplace", "--folder", folder)
        with folder_with("review-laplace", ENVIRONMENT, *LAPLACE) as folder:
            _, with_gpu, _ = run("review-laplace", "--folder", folder)
        offer = "cfdmark reproduce review-laplace --records results/nvidia-h200/reproduce"
        self.assertIn(offer, without)
        self.assertNotIn("--records", with_gpu)
        kept = [json.loads(line) for line in (ROOT / "results/nvidia-h200/reproduce/review-laplace.jsonl").read_text(encoding="utf-8").splitlines()]
        self.assertTrue(any(r.get("backend") == "cuda" and r.get("status") == "ok" for r in kept))

    def test_figures_are_written_next_to_the_page_with_their_data(self):
        kept = ROOT / "results/amd-epyc-zen5-2-cores/reproduce"
        status, _, _ = run("normore-figure-6.1", "--records", kept, "--folder", self.out, "--figures", "svg,pdf")
        self.assertEqual(status, 0)
        made = {path.name for path in (self.out / "normore-figure-6.1-figures").iterdir()}
        self.assertEqual(made, {f"cost-{n}.{end}" for n in (1, 2, 3) for end in ("svg", "pdf", "csv")})


if __name__ == "__main__":
    unittest.main()
