"""The page of layouts, and README's lines of a tune, where an answer is one for a range of sizes."""

import copy
import json
import tempfile
import unittest
from pathlib import Path

import support

from cfdmark.publish import figures, layouts
from cfdmark.records.records import BadInput


def table_with_range() -> dict:
    """A kept table's first entry, as an answer for its size and a smaller one."""
    table = json.loads((support.RESULTS / "tuned/nvidia-h200/jacobi.json").read_text())
    entry = copy.deepcopy(table["entries"][0])
    large = {key: entry[key] for key in ("grid", "winner", "default", "gain")}
    small = copy.deepcopy(large) | {"grid": [1000, 1000], "gain": {"value": 1.5, "low": 1.4, "high": 1.6}}
    small["winner"]["median"] = small["winner"]["ci_low"] = small["winner"]["ci_high"] = 1e-6
    entry["range"] = {"least_cells": 8e5, "most_cells": 2e7, "regret": 1.0125, "sizes": [small, large]}
    return table | {"entries": [entry]}


class OfARange(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = Path(scratch.name) / "device.json"
        self.table = table_with_range()
        self.path.write_text(json.dumps(self.table))
        entry = self.table["entries"][0]
        self.row = f"{entry['name']}/{entry['backend']}/{entry['precision']}"
        self.large = "x".join(map(str, entry["grid"]))

    def test_the_page_has_its_sizes_its_least_gain_and_its_regret(self):
        (table,) = layouts.section_of(self.path).tables
        row = dict(zip((column.key for column in table.columns), table.rows[0]))
        self.assertEqual(row["grid"], f"1000×1000 to {self.large.replace('x', '×')}")
        self.assertEqual(row["regret"], 1.0125)
        self.assertEqual(row["least_gain"], min(1.5, self.table["entries"][0]["gain"]["value"]))

    def test_the_page_says_where_no_fresh_process_confirmed_the_best(self):
        section = layouts.section_of(self.path)
        self.assertNotIn("no fresh process confirmed", section.finding)
        self.table["entries"][0]["range"]["unconfirmed_regret"] = 87.501
        self.path.write_text(json.dumps(self.table))
        section = layouts.section_of(self.path)
        row = dict(zip((column.key for column in section.tables[0].columns), section.tables[0].rows[0]))
        self.assertEqual((row["unconfirmed"].text, row["unconfirmed"].value), ("87.50", 87.501))
        self.assertIn("Of 1 layout no fresh process confirmed", section.finding)

    def test_the_page_has_what_a_kernel_of_ones_own_starts_from(self):
        entry = self.table["entries"][0]
        for size in entry["range"]["sizes"]:
            size["measured"] = {"column:block_x=64,cells=2": 2 * size["winner"]["median"], "pipelined:warps=4": 1.0}
        entry["winner"]["method"] = entry["default"]["method"] = "pipelined"
        for size in entry["range"]["sizes"]:
            size["winner"]["method"] = size["default"]["method"] = "pipelined"
        entry["ties"] = {}
        self.path.write_text(json.dumps(self.table))
        (table,) = layouts.section_of(self.path).tables
        row = dict(zip((column.key for column in table.columns), table.rows[0]))
        self.assertEqual(row["start"], "column: block_x=64, cells=2")
        self.assertEqual(row["start_cost"], 2)

    def test_an_entry_from_before_ranges_has_neither(self):
        del self.table["entries"][0]["range"]
        self.path.write_text(json.dumps(self.table))
        (table,) = layouts.section_of(self.path).tables
        row = dict(zip((column.key for column in table.columns), table.rows[0]))
        self.assertEqual((row["grid"], row["regret"], row["least_gain"]), (self.large.replace("x", "×"), None, None))

    def test_an_answer_from_a_single_sample_has_no_intervals_on_the_page(self):
        entry = self.table["entries"][0]
        entry["gain"] = {"value": 1.0}
        for choice in (entry["winner"], entry["default"]):
            del choice["ci_low"], choice["ci_high"]
        self.path.write_text(json.dumps(self.table))
        (table,) = layouts.section_of(self.path).tables
        row = dict(zip((column.key for column in table.columns), table.rows[0]))
        self.assertEqual(row["gain"].value, 1.0)
        self.assertFalse(row["gain"].has_interval)

    def test_a_gain_by_another_method_says_so(self):
        entry = self.table["entries"][0]
        for method, said in ((entry["winner"]["method"], False), ("another", True)):
            entry["default"]["method"] = method
            self.path.write_text(json.dumps(self.table))
            lines = figures.tuned(self.path, f"{self.row} on {self.large}")
            self.assertEqual(any(f"by another method than {method}" in line for line in lines), said)

    def test_readmes_lines_are_those_of_the_size_that_is_named(self):
        lines = figures.tuned(self.path, f"{self.row} on 1000x1000")
        self.assertEqual(lines[0], f"{self.row} on 1000x1000")  # the search is reported at the largest
        self.assertIn("1.00 us [1.00 us, 1.00 us]", lines[1])
        (gain,) = [line for line in lines if line.startswith("  gain ")]
        self.assertIn("1.500 times as fast as the default [1.400, 1.600]", gain)
        self.assertIn(" configs, ", figures.tuned(self.path, f"{self.row} on {self.large}")[0])
        with self.assertRaises(BadInput):
            figures.tuned(self.path, f"{self.row} on 2000x2000")


if __name__ == "__main__":
    unittest.main()
