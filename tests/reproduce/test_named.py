"""What certain experiments must say, each because a page once said more or less than its document and records."""

import unittest

import support  # noqa: F401  (finds the packages)
from scenarios import AGREES, COEFFICIENTS, by, dots, iterations, on_ranks, precisions, shapes, sums, sweep
from support import DOCUMENTS, compared, kernel, solver

from cfdmark.reproduce.verdict import NOT_COMPARABLE, SAME_DIRECTION


def finding(comparison, beginning: str):
    (line,) = [line for line in comparison.lines if line.what.startswith(beginning)]
    return line


class Named(unittest.TestCase):
    def test_22_published_against_237_here_is_the_same_direction_and_says_by_how_much(self):
        verdict = compared("review-laplace", sweep(1 / 237)).lines[0].verdict
        self.assertEqual(verdict.word, SAME_DIRECTION)
        self.assertIn("10.8 times the published", verdict.reason)

    def test_the_laplace_sweep_says_that_it_reads_a_right_hand_side_and_is_compared_with_a_fused_core(self):
        fused = kernel(COEFFICIENTS, "serial/fp32/fused", 1024, 0.5)
        comparison = compared("review-laplace", [*sweep(0.05), fused])
        self.assertTrue(any("right-hand side" in text for text in comparison.plan.protocol))
        self.assertAlmostEqual(comparison.lines[0].here.value, 20.0)
        self.assertAlmostEqual(finding(comparison, "GPU sweep against one CPU core that does both").here.value, 10.0)

    def test_precision_shows_every_kernel_and_calls_equal_errors_at_one_residual_no_finding(self):
        comparison = compared("review-precision", precisions(2.0))
        factors = {line.what.split(", ")[2].split(";")[0]: line.here.value for line in comparison.lines[:6]}
        self.assertEqual(factors, {"coloured": 2.0, "plain": 1.5, "plain with arrays": 2.0})
        self.assertEqual(finding(comparison, "error of mixed").verdict.word, NOT_COMPARABLE)
        self.assertIn("by construction", finding(comparison, "error of mixed").verdict.reason)
        large = "SOR in mixed precision against 64 bits, to the residual, 1025 x 1025, GPU"
        self.assertIsNotNone(finding(comparison, large).here)

    def test_the_plate_is_solved_at_cell_centres_with_an_array_for_each_coefficient(self):
        constant = [
            solver("sor", row, 511, s, 800, workload={"problem": "heated_plate"})
            for row, s in (("cuda/fp32/plain", 0.1), ("serial/fp32/plain", 1.0))
        ]
        self.assertIsNone(finding(compared("shinn-heat", constant), "the whole plate").here)
        self.assertIsNotNone(finding(compared("shinn-heat", AGREES["shinn-heat"]), "the whole plate").here)

    def test_the_best_cg_and_the_best_sor_are_looked_up(self):
        rows = iterations(3.5)  # where fused CG takes 2 s, textbook CG 3.5 s, streamed SOR 0.5 s
        self.assertIn("cuda/fused", compared("normore-figure-6.1", rows).lines[0].fair_rows)
        slow = [{**r, "time": {**r["time"], "samples": [4.0, 4.01]}} if r["method"] == "fused" else r for r in rows]
        for r in slow:
            if r["method"] == "fused":
                r["solver"] = {**r["solver"], "time_per_iteration": 4.0 / 40}
                r["time"]["median"] = 4.0
        self.assertIn("cuda/textbook", compared("normore-figure-6.1", slow).lines[0].fair_rows)

    def test_a_million_evaluations_take_a_million_times_the_mean_of_the_shapes_that_both_evaluated(self):
        # Shapes of 1 and 2 s on one core, of 1/8 and 2/8 s on a GPU.
        comparison = compared("normore-table-8.1", shapes(1 / 8))
        self.assertAlmostEqual(comparison.lines[0].here.value, 8.0)
        told = " ".join(comparison.why)
        self.assertIn("one core: a shape takes 1.500 ± 0.006 s at 256×256, a million of them would take 17.4 days", told)
        self.assertIn("GPU: a shape takes 187.5 ± 0.8 ms at 256×256, a million of them would take 2.17 days", told)
        without_the_slow = [r for r in shapes(1 / 8) if (r["backend"], r["workload"]["aspect"]) != ("serial", 2)]
        self.assertAlmostEqual(compared("normore-table-8.1", without_the_slow).lines[0].here.value, 8.0)

    def test_one_shape_stands_by_each_solver_inside_and_the_mean_is_of_one_solver(self):
        asked = {"workload": {"exponent": 2, "aspect": 1}, "facts": {"drag_coefficient": 4.0}}
        quick = solver("simple", "serial/fp32/rhie_chow", 256, 0.25, 400, **asked, config=by("sor", 0))
        comparison = compared("normore-table-8.1", [*shapes(1 / 8), quick])
        self.assertAlmostEqual(comparison.lines[0].here.value, 8.0)  # of those by preconditioned CG alone
        table = next(t for t in comparison.tables if t.key == "choices")
        by_cg = ["preconditioned CG", "0.1 of its residual, 200 at most"]
        self.assertEqual(
            [row[:3] for row in table.rows],
            [["GPU", *by_cg], ["one core", *by_cg], ["one core", "red-black SOR", "200 sweeps"], ["all cores", *by_cg]],
        )
        self.assertFalse([t for t in compared("normore-table-8.1", shapes(1 / 8)).tables if t.key == "choices"])

    def test_ranks_of_a_host_have_the_direction_of_the_documents_gpus_at_best(self):
        comparison = compared("review-scaling", on_ranks(1.9))
        strong, weak = finding(comparison, "two ranks of a host against one, on the same"), finding(comparison, "two ranks of a host against one, with")
        self.assertAlmostEqual(strong.here.value, 1.9)
        self.assertAlmostEqual(strong.published.value, 1.906)
        self.assertEqual(strong.verdict.word, SAME_DIRECTION)
        self.assertIn("the links are of another kind", strong.verdict.reason)
        self.assertAlmostEqual(weak.here.value, 1.9)  # twice the cells in 1 / 0.95 of the time
        self.assertEqual(weak.verdict.word, SAME_DIRECTION)
        self.assertEqual(finding(comparison, "eight ranks").verdict.word, NOT_COMPARABLE)
        told = " ".join(comparison.why)
        self.assertIn("Two ranks have an efficiency of 95 %", told)
        self.assertIn("An exchange of two messages a rank takes 10.00", told)

    def test_two_ranks_of_a_host_are_no_two_gpus_on_ethernet(self):
        core = kernel("axpy", "serial/fp32/plain", 1, 2e-3)
        two = kernel("axpy", "serial/fp32/plain", 1, 1e-3, config={"ranks": 2, "partition": "slabs"})
        size = {"grid": [1000, 600], "nodes": 600000}
        comparison = compared("menon-table-8.1", [{**core, **size}, {**two, **size, "ranks": {"count": 2}}])
        line = finding(comparison, "two ranks of a host against one")
        self.assertAlmostEqual(line.here.value, 2.0)
        self.assertEqual(line.verdict.word, SAME_DIRECTION)

    def test_two_ranks_evaluate_a_shape_each_and_fifty_processors_stay_a_division(self):
        together = []
        for record in shapes(1 / 8):
            if record["backend"] == "serial":
                slower = {**record["time"], "median": record["time"]["median"] * 1.25, "samples": [1.25 * s for s in record["time"]["samples"]]}
                together.append({**record, "time": slower, "config": {**record["config"], "ranks": 2, "partition": "copies"},
                                 "case": record["case"] + ":copies", "ranks": {"count": 2}})
        comparison = compared("normore-table-8.1", [*shapes(1 / 8), *together])
        self.assertAlmostEqual(finding(comparison, "shapes a second of two ranks").here.value, 1.6, places=6)
        told = " ".join(comparison.why)
        self.assertIn("The fifty processors of the table are 50 by division; fifty were not measured.", told)

    def test_precision_is_reported_of_a_whole_flow_too(self):
        comparison = compared("review-precision", precisions(2.0))
        wide = finding(comparison, "a step of a whole flow, time of 64 bits over 32, GPU")
        self.assertAlmostEqual(wide.here.value, 2.0)
        mixed = finding(comparison, "a step of a whole flow, time of 64 bits over mixed, GPU")
        self.assertAlmostEqual(mixed.here.value, 2.0 / 1.1)
        self.assertTrue(any(t.key.startswith("flows") for t in comparison.tables))

    def test_the_sum_shows_his_reason_for_quarters(self):
        self.assertTrue(any("rasteriser" in text for text in compared("menon-figure-4.4", sums(0.25)).why))

    def test_one_pass_is_compared_with_two_whose_loads_and_sum_are_alike(self):
        faster_plain = kernel("dot", "cuda/fp32/plain", 4096, 0.01)
        comparison = compared("menon-figure-4.6", [*dots(1.5), faster_plain])
        his, todays = comparison.lines[:2]
        self.assertEqual(his.rows, "cuda/quarter 4096×4096 against cuda/two_pass_quarter 4096×4096")
        self.assertEqual(todays.rows, "cuda/vector 4096×4096 against cuda/two_pass 4096×4096")

    def test_layouts_are_of_five_variables_too(self):
        comparison = compared("review-layout", AGREES["review-layout"])
        self.assertEqual(sum(line.what.startswith("five") and line.here is not None for line in comparison.lines), 4)

    def test_the_slide_on_memory_states_a_direction_and_neither_a_size_nor_a_reason(self):
        comparison = compared("shinn-memory", AGREES["shinn-memory"])
        self.assertEqual(comparison.lines[0].verdict.word, SAME_DIRECTION)
        self.assertEqual([text for text in comparison.why if "His GPU" in text or "had no cache" in text], [])

    def test_years_that_a_document_does_not_state_are_not_stated(self):
        for name, document in DOCUMENTS.items():
            if name.startswith(("jespersen", "shinn", "review")):
                self.assertEqual(document.data.source["year"], "not stated")
        self.assertIn("Jespersen (undated)", DOCUMENTS["jespersen-table-1"].source)

    def test_rows_of_several_devices_that_did_not_run_say_how_many_ranks_they_have(self):
        for name, counts in (("menon-table-8.1", (2, 3)), ("menon-table-8.2", (2,))):
            lines = compared(name, AGREES[name]).lines
            self.assertIsNotNone(lines[0].here)
            for line, count in zip(lines[1:], counts):
                self.assertIn(f"with ranks={count}", line.verdict.reason)

    def test_two_gpus_of_a_host_are_held_against_the_documents_and_so_is_the_time_that_they_lose(self):
        records = [{**r, "backend": "cuda", "case": r["case"] + "/cuda"} for r in on_ranks(1.6)[:3]]
        comparison = compared("review-scaling", [*on_ranks(1.9), *records])
        strong = finding(comparison, "two GPUs of a host against one, on the same")
        self.assertAlmostEqual(strong.here.value, 1.6)
        self.assertEqual(strong.verdict.word, SAME_DIRECTION)
        told = " ".join(comparison.why)
        # A step takes 0.1 s on one, and 1 / 1.6 of that on two: 12.5 ms more than half.
        self.assertIn("Two GPUs have an efficiency of 80 %: of each step 12.5", told)

    def test_ranks_of_a_host_stand_for_several_processors_and_never_for_one(self):
        def ranked(records: list[dict], ranks: int, seconds: float) -> dict:
            core = next(r for r in records if r["backend"] == "serial")
            config = {"ranks": ranks, "partition": "slabs"} if ranks > 1 else {}
            time = {**core["time"], "samples": [seconds] * 6, "median": seconds, "ci_low": seconds, "ci_high": seconds}
            return {**core, "case": f"{core['case']}{ranks}", "config": config, "time": time}

        for name in ("menon-table-8.1", "menon-table-8.2"):
            given = AGREES[name]
            core = next(r["time"]["median"] for r in given if r["backend"] == "serial")
            lines = compared(name, [*given, ranked(given, 2, core / 1.9)]).lines
            line = next(line for line in lines if line.what.startswith("two ranks of a host"))
            self.assertAlmostEqual(line.here.value, 1.9)
            self.assertEqual(line.verdict.word, SAME_DIRECTION)  # through the memory of a host, not a network
            without = next(line for line in compared(name, given).lines if line.what.startswith("two ranks of a host"))
            self.assertIsNone(without.here)


if __name__ == "__main__":
    unittest.main()
