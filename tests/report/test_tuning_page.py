"""The page of recorded tuning spaces."""

import json
import re
import tempfile
import unittest
from pathlib import Path

import support

from cfdmark.records.records import Dataset, Record
from cfdmark.report.tuning import command, launch, space, strategies

GPU = {"type": "environment", "id": "e", "gpu": {"name": "NVIDIA H200", "multiprocessors": 132}}


def shape(block_x, block_y, samples, method="plain", **changes):
    kernel = {
        "name": "jacobi_plain",
        "block": [block_x, block_y, 1],
        "blocks": 594,
        "resident_blocks": 2,
        "registers": 32,
        "shared_bytes": 0,
        "local_bytes": 8,
        "occupancy": 0.75,
    }
    record = support.kernel(
        name="jacobi",
        backend="cuda",
        method=method,
        config={"block_x": block_x, "block_y": block_y},
        samples=samples,
        environment="e",
        resources={"kernels": [kernel]},
        rate={"bytes_per_second": 3e12, "roof_fraction": 0.7},
        **changes,
    )
    record["time"]["steps_per_sample"] = 1
    return record


def dataset(*records):
    made = support.dataset_of(*records)
    made.environments["e"] = GPU
    return made


class Launches(unittest.TestCase):
    def test_two_and_a_quarter_waves_idle_for_a_quarter_of_the_third(self):
        # 594 blocks, 2 on each of 132 multiprocessors
        self.assertEqual(launch.waves(594, 2, 132), 2.25)
        self.assertEqual(launch.idle_tail(2.25), 0.25)
        self.assertEqual(launch.idle_tail(2.0), 0.0)
        self.assertEqual(launch.idle_tail(0.25), 0.75)

    def test_what_is_not_recorded_is_not_guessed(self):
        self.assertIsNone(launch.waves(None, 2, 132))
        self.assertIsNone(launch.waves(594, 0, 132))
        self.assertEqual(launch.launch_of(Record(support.kernel()), {}), launch.Launch())

    def test_the_widest_function_counts(self):
        record = shape(64, 4, [1.0] * 6)
        record["resources"]["kernels"].append({"name": "other", "registers": 64, "occupancy": 0.5})
        self.assertEqual(launch.launch_of(Record(record), GPU).occupancy, 0.5)


class Spaces(unittest.TestCase):
    def setUp(self):
        self.records = [
            shape(64, 4, [2.0] * 8, tuning={"status": "ok", "default": True}),
            shape(128, 4, [1.0] * 8, tuning={"status": "ok"}),
            shape(128, 2, [4.0] * 8),
            shape(64, 2, [3.0] * 8, method="shared"),
            shape(64, 4, [1.5] * 8, method="shared"),
        ]
        failed = shape(256, 4, [1.0], tuning={"status": "compile_error"})
        failed.update(status="error", reason="too many registers")
        excluded = shape(256, 16, [1.0], tuning={"status": "constraint"})
        excluded.update(status="not_run", reason="too many threads")
        self.data = dataset(*self.records, failed, excluded)
        self.section = space.build("space0", "jacobi", self.data.records, self.data)

    def test_the_finding_names_the_fastest_and_its_gain(self):
        fastest = "Of 5 configs with a time the fastest is plain with block_x=128, block_y=4."
        self.assertIn(fastest, self.section.finding)
        self.assertIn("2.00 [2.00, 2.00] times as fast as the default", self.section.finding)

    def test_there_is_a_map_for_each_method_relative_to_the_best_of_all(self):
        plain, shared = self.section.figures[0].panels
        self.assertEqual(plain.cells, {(64, 4): 2.0, (128, 4): 1.0, (128, 2): 4.0})
        self.assertEqual(plain.best, (128, 4))
        self.assertEqual(shared.cells, {(64, 2): 3.0, (64, 4): 1.5})

    def test_the_resources_are_next_to_the_time(self):
        first = dict(zip([c.key for c in self.section.tables[0].columns], self.section.tables[0].rows[0]))
        wanted = {"registers": 32, "local": 8, "occupancy": 0.75}
        wanted |= {"waves": 2.25, "idle_tail": 0.25, "roof": 0.7}
        self.assertEqual({key: first[key] for key in wanted}, wanted)

    def test_failures_are_reported_and_constraints_are_not(self):
        failed = ["plain", "block_x=256, block_y=4", "compile error", "too many registers"]
        self.assertEqual(self.section.tables[1].rows, [failed])

    def test_a_space_without_a_time_says_so(self):
        failed = [r for r in self.data.records if not r.ok]
        self.assertIn("No config", space.build("s", "jacobi", failed, self.data).empty)

    def test_spaces_are_named_as_the_program_names_them(self):
        record = Record(support.solver([1.0], 10))
        record.case = "sor/cuda/fp64/plain@8x8:block_x=1;problem=jump,tolerance=1e-06"
        self.assertEqual(space.space_name(record), "sor/serial/fp64@8x8;problem=jump,tolerance=1e-06")


class Strategies(unittest.TestCase):
    def test_best_so_far_is_the_median_of_the_replays_once_all_have_one(self):
        replays = [[[1, 3.0], [4, 1.0]], [[2, 2.0], [6, 1.0]], [[2, 5.0], [4, 4.0]]]
        self.assertEqual(strategies.best_so_far(replays), [(2, 3.0), (4, 2.0), (6, 1.0)])


    def test_between_two_points_the_best_does_not_change(self):
        points = [(1, 2.0), (3, 2.0), (4, 1.0), (9, 1.0)]
        self.assertEqual(strategies.steps(points), [(1, 2.0), (4, 2.0), (4, 1.0), (9, 1.0)])


class Page(unittest.TestCase):
    def test_the_page_holds_all_and_fetches_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            records, page, traces = (Path(folder) / name for name in ("s.jsonl", "s.html", "t.json"))
            lines = [GPU, *[shape(x, y, [1e-3 * x * y] * 6) for x in (32, 64) for y in (2, 4)]]
            records.write_text("".join(json.dumps(line) + "\n" for line in lines))
            traces.write_text(json.dumps({"jacobi/cuda/fp64@8x8": {"racing": [[[1, 2.0], [3, 1.0]]]}}))
            status = command.main([str(records), "--traces", str(traces), "--output", str(page)])
            self.assertEqual(status, 0)
            text = page.read_text().replace("<wbr>", "")
        self.assertIn("racing", text)
        self.assertIn("idle tail", text)
        self.assertIn(">2.00</text>", text)  # 64 x 2 and 32 x 4, over 32 x 2
        self.assertRegex(text, r"<title>block_x=64, block_y=2: 128(\.0+)? ± [\d.]+ ms, 2\.000 times the best</title>")
        self.assertRegex(text, r'data-heading="jacobi/cuda/fp64@8x8[^"]*, plain"')
        self.assertIn("jacobi/cuda/fp64@8x8", text)
        self.assertEqual(re.findall(r'(?:src|href)="(?!#)[^"]*"', text), [])

    def test_a_file_that_is_not_there_is_bad_input(self):
        self.assertEqual(command.main(["/nowhere.jsonl", "--output", "/nowhere.html"]), 2)


if __name__ == "__main__":
    unittest.main()
