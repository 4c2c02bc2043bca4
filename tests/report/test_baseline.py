import unittest

import support
from support import dataset_of, kernel, section, solver, table

from cfdmark.records.records import BadInput, Record
from cfdmark.report.baseline import Baselines, parse_selector


def openmp(threads: int, seconds: float) -> dict:
    return kernel(backend="openmp", config={"threads": threads}, samples=[seconds] * 6)


class ChoosingTheBaseline(unittest.TestCase):
    def setUp(self):
        self.data = dataset_of(
            kernel(samples=[8.0] * 6),
            openmp(1, 9.0),
            openmp(2, 4.0),
            openmp(4, 5.0),
            kernel(backend="cuda", samples=[0.5] * 6),
            kernel(samples=[1.0] * 6, precision="fp32"),
        )

    def speedup(self, selector=None, backend="cuda"):
        baselines = Baselines(self.data, parse_selector(selector, self.data))
        return baselines.of(next(r for r in self.data.records if r.backend == backend))

    def test_is_serial_plain_of_the_same_precision_by_default(self):
        found = self.speedup()
        self.assertEqual(found.baseline_text, "serial/fp64/plain, 1 thread")
        self.assertEqual(found.ratio.value, 16.0)

    def test_is_the_fastest_of_several_that_fit(self):
        found = self.speedup("openmp")
        self.assertEqual((found.baseline_text, found.ratio.value), ("openmp/fp64/plain, 2 threads", 8.0))

    def test_is_another_method_where_a_row_has_no_plain_one(self):
        textbook = kernel(name="cg", method="textbook", samples=[6.0] * 6)
        data = dataset_of(textbook, kernel(name="cg", method="textbook", backend="cuda", samples=[2.0] * 6))
        found = Baselines(data, parse_selector(None, data)).of(data.records[1])
        self.assertEqual((found.baseline_text, found.ratio.value), ("serial/fp64/textbook, 1 thread", 3.0))

    def test_is_plain_even_if_another_method_is_faster(self):
        self.data.records.append(Record(kernel(method="fused", samples=[2.0] * 6)))
        self.assertEqual(self.speedup().baseline_text, "serial/fp64/plain, 1 thread")

    def test_solved_to_the_same_tolerance(self):
        loose = {"tolerance": 1e-4}
        data = dataset_of(
            solver([4.0] * 6, 10), solver([1.0] * 6, 10, solved=loose), solver([1.0] * 6, 10, backend="cuda")
        )
        found = Baselines(data, parse_selector(None, data)).of(data.records[2])
        self.assertAlmostEqual(found.ratio.value, 4.0)

    def test_is_named_with_its_config_only_where_configs_differ(self):
        def tiled(size, seconds):
            return kernel(method="tiled", config={"tile": size, "check": 20}, samples=[seconds] * 6)

        data = dataset_of(tiled(8, 2.0), tiled(16, 1.0), kernel(backend="cuda", samples=[0.5] * 6))
        found = Baselines(data, parse_selector(None, data)).of(data.records[2])
        self.assertEqual(found.baseline_text, "serial/fp64/tiled, 1 thread, tile=16")

    def test_may_be_pinned_to_a_thread_count(self):
        self.assertEqual(self.speedup("backend=openmp,threads=4").ratio.value, 10.0)

    def test_may_be_of_another_precision_on_request(self):
        self.assertEqual(self.speedup("serial/fp32").baseline_text, "serial/fp32/plain, 1 thread")

    def test_is_never_of_another_grid(self):
        self.data.records.append(Record(kernel(backend="kokkos", grid=[16, 16], samples=[1.0] * 6)))
        self.assertIsNone(self.speedup(backend="kokkos"))

    def test_misspelt_is_refused_with_the_nearest_word(self):
        with self.assertRaises(BadInput) as caught:
            self.speedup("opnmp")
        self.assertIn("did you mean 'openmp'?", str(caught.exception))

    def test_of_an_unknown_field_is_refused(self):
        with self.assertRaises(BadInput) as caught:
            self.speedup("thread=2")
        self.assertIn("did you mean 'threads'?", str(caught.exception))


class SpeedupTable(unittest.TestCase):
    def test_every_row_names_its_baseline_and_carries_an_interval(self):
        rows = table(section(support.synthetic(), "speedup"), "speedup")
        self.assertGreater(len(rows), 10)
        for row in rows:
            self.assertRegex(row["baseline"], r"^serial/(fp64|fp32)/plain, 1 thread$")
            self.assertLessEqual(row["speedup"].low, row["speedup"].value)
            self.assertGreaterEqual(row["speedup"].high, row["speedup"].value)

    def test_holds_no_row_without_a_baseline(self):
        lonely = dataset_of(kernel(backend="cuda"))
        self.assertIn("--baseline", section(lonely, "speedup").empty)


if __name__ == "__main__":
    unittest.main()
