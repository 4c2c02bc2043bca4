"""What the file of an experiment may say under `here`, and that a mistake in it is named with its line."""

import tempfile
import unittest
from pathlib import Path

import support  # noqa: F401  (finds the packages)
from support import DOCUMENTS, PUBLISHED, compared, kernel, measured, solver

from cfdmark.published.load import load
from cfdmark.published.nodes import BadFile
from cfdmark.reproduce import expressions
from cfdmark.reproduce.documents import with_plan
from cfdmark.reproduce.measured import Absent
from cfdmark.reproduce.measures import NUMBERS, Measure, row_count
from cfdmark.reproduce.rows import Row, Rows

LAPLACE = (PUBLISHED / "review-laplace.yaml").read_text(encoding="utf-8")


def read(text: str):
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "review-laplace.yaml"
        path.write_text(text, encoding="utf-8")
        return with_plan(load(path))


class Mistakes(unittest.TestCase):
    def refused(self, before: str, after: str, *expected: str, lines_of_its_text_above: int = 0):
        """In a file where `before` was once replaced: names the line of it, and says what is right."""
        self.assertIn(before, LAPLACE)
        text = LAPLACE.replace(before, after, 1)
        line = text[: text.index(after)].count("\n") + 1 - lines_of_its_text_above
        with self.assertRaises(BadFile) as caught:
            read(text)
        self.assertIn(f"review-laplace.yaml:{line}:", str(caught.exception))
        for part in expected:
            self.assertIn(part, str(caught.exception))

    def test_a_word_that_is_no_measure_is_answered_with_the_nearest(self):
        self.refused("here: faster gpu core", "here: fastr gpu core", "did you mean 'faster'")

    def test_a_row_that_there_is_not_is_answered_with_the_nearest(self):
        self.refused("here: faster gpu core", "here: faster gpu coer", "'coer'", "did you mean 'core'")
        self.refused("like: sweep, backend: openmp", "like: sweeps, backend: openmp", "did you mean 'sweep'")

    def test_a_measure_is_about_as_many_rows_as_it_is(self):
        self.refused("here: faster gpu core", "here: faster gpu", "1 rows where 'faster' is about 2")

    def test_a_claim_that_there_is_not_is_answered_with_those_that_are(self):
        right = "no claim `gpu_over_gpu`", "gpu_over_cpu, omega"
        self.refused("published: gpu_over_cpu", "published: gpu_over_gpu", *right)

    def test_a_formula_that_is_none_is_refused(self):
        self.refused("published: gpu_over_cpu", "published: gpu_over_cpu +", "is not a formula")
        self.refused("published: gpu_over_cpu", "published: print(1)", "is neither a claim")

    def test_an_unknown_key_is_answered_with_the_nearest(self):
        self.refused("fair: faster", "fairly: faster", "did you mean 'fair'")

    def test_a_placeholder_is_a_measure(self):
        sentences = "{faster gpu core} as fast", "{fast gpu core} as fast"
        self.refused(*sentences, "begins with no measure", lines_of_its_text_above=1)

    def test_a_number_that_is_no_ratio_says_how_it_is_tested(self):
        what = "- what: GPU sweep against one CPU core\n      here: "
        self.refused(f"{what}faster gpu core", f"{what}time gpu", "'time' is not a ratio", "another machine")

    def test_a_backend_is_one_of_those_that_there_are(self):
        self.refused("backend: serial", "backend: sereal", "it is one of cuda, serial")

    def test_a_row_twice_is_refused(self):
        self.refused("core: {like: sweep, backend: serial, methods: plain}", "gpu: {like: sweep}", "key 'gpu' twice")

    def test_a_file_says_how_it_is_compared_or_what_stands_in_the_way(self):
        for text in (LAPLACE[: LAPLACE.index("here:")], LAPLACE + "lacks: multigrid\n"):
            with self.assertRaisesRegex(BadFile, "one of 'here'.*'lacks'.*'out_of_reach'"):
                read(text)

    def test_what_is_right_is_read(self):
        self.assertEqual(len(read(LAPLACE).plan.findings), 2)


class Formulas(unittest.TestCase):
    def value(self, name: str, text: str):
        return expressions.published(text, DOCUMENTS[name].data)

    def test_claims_cells_and_arithmetic_make_a_number(self):
        self.assertEqual(self.value("menon-figure-4.6", "1 + gain_of_fusing").value, 1.5)
        self.assertAlmostEqual(self.value("menon-figure-4.6", "rate['GPU'] / rate['CPU']").value, 1.75 / 0.55)
        self.assertEqual(self.value("normore-table-6.4", "speedup['Tesla C1060', 'Xeon X5550']").value, 220)
        with self.assertRaisesRegex(expressions.BadExpression, "of one row `Tesla C1060`"):  # of which there are three
            self.value("normore-table-6.4", "speedup['Tesla C1060']")
        self.assertAlmostEqual(self.value("menon-table-8.1", "time[1] / time[2]").value, 6.141 / 3.016)
        self.assertEqual(self.value("review-memory", "cells_of_a_block.ghosts['two cells a thread (15b)']").value, 112)

    def test_a_range_has_its_ends_and_its_middle(self):
        found = self.value("review-memory", "1 + lowest_gain['shared'] to 1 + highest_gain['shared']")
        self.assertEqual((found.low, found.high), (1.18, 1.25))
        with self.assertRaisesRegex(expressions.BadExpression, "is not a range"):
            self.value("review-memory", "2 to 1")

    def test_a_cell_that_there_is_not_is_answered_with_rows_and_columns(self):
        with self.assertRaisesRegex(expressions.BadExpression, "rows shared, constant and texture"):
            self.value("review-memory", "lowest_gain['texture']")


class Rounds(unittest.TestCase):
    """Rows and measures on invented records."""

    def rows(self, *records, **named) -> Rows:
        return Rows(measured(*records), {k: Row(v) for k, v in named.items()}, operations=2)

    def test_a_row_may_differ_on_one_backend_and_take_its_own_from_the_side_that_is_looked_at(self):
        row = Row({"kind": "solver", "name": "sor", "method": "plain"}, {"cuda": {"method": "shared"}})
        rows = Rows(measured(), {"sor": row})
        self.assertEqual(rows.on("cuda").wanted("sor")["method"], "shared")
        self.assertEqual(rows.on("serial").wanted("sor")["method"], "plain")
        self.assertEqual(rows.on("serial").wanted("sor")["backend"], "serial")

    def test_a_row_of_one_grid_is_absent_on_every_other(self):
        rows = self.rows(
            kernel("sum", "cuda/fp32/local", 128, 1.0),
            kernel("sum", "cuda/fp32/local", 256, 1.0),
            short={"name": "sum", "grid": (128, 128)},
        )
        self.assertEqual(rows.at((128, 128)).largest("short").grid, (128, 128))
        with self.assertRaises(Absent):
            rows.at((256, 256)).largest("short")

    def test_a_ratio_is_looked_at_on_the_document_s_grid_and_on_the_largest(self):
        records = [
            solver(name, f"cuda/fp32/{method}", side, seconds * side, facts={"launches_per_iteration": 2})
            for side in (64, 2048, 4096)
            for name, method, seconds in (("sor", "shared", 1.0), ("cg", "textbook", 3.0))
        ]
        lines = compared("normore-figure-6.1", records).lines
        self.assertTrue(lines[0].what.endswith(", 2048×2048 as in the document"))
        self.assertTrue(lines[1].what.endswith(", 4096×4096"))
        self.assertIn("cuda/shared 4096×4096", lines[1].rows)

    def test_the_best_is_looked_up_on_each_grid(self):
        records = [
            solver("cg", "cuda/fp32/textbook", 64, 2.0),
            solver("cg", "cuda/fp32/fused", 64, 1.0),
            solver("cg", "cuda/fp32/textbook", 128, 3.0),
            solver("cg", "cuda/fp32/fused", 128, 4.0),
        ]
        rows = self.rows(*records, best={"name": "cg"})
        self.assertEqual([r.method for r in rows.by_grid("best")], ["fused", "textbook"])

    def test_flops_and_memory_are_those_of_the_record(self):
        record = solver("cg", "cuda/fp32/fused", 64, 2.0, cost={"flops": 6e12},
                        memory={"field_bytes": 8e6, "device_used_before": 5e8, "device_used_after": 5.2e8})
        rows = self.rows(record, a={"name": "cg"})
        found = {word: Measure(word, ("a",)).text(rows) for word in ("flop_rate", "device_memory", "device_added", "memory")}
        self.assertEqual(found, {"flop_rate": "3 Tflop/s", "device_memory": "520 MB", "device_added": "20 MB", "memory": "8 MB"})

    def test_iterations_and_cells_are_given_a_second(self):
        record = kernel("axpy", "cuda/fp32/plain", 2000, 0.004)  # of four million cells
        rows = self.rows(record, a={"name": "axpy"})
        told = {word: Measure(word, ("a",)).text(rows) for word in ("steps_a_second", "cells_a_second")}
        self.assertEqual(told, {"steps_a_second": "250 steps a second", "cells_a_second": "1,000 million cells a second"})

    def test_every_number_of_a_row_without_records_is_absent_and_says_why(self):
        rows = self.rows(one={"kind": "kernel", "name": "k", "backend": "cuda"})
        for word in NUMBERS:
            with self.subTest(word):
                with self.assertRaisesRegex(Absent, "no record of k/cuda"):
                    Measure(word, ("one",) * row_count(word)).value(rows)


if __name__ == "__main__":
    unittest.main()
