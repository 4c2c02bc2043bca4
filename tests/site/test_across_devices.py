"""The page that sets devices side by side."""

import copy
import io
import json
import tempfile
import unittest
from contextlib import redirect_stdout
from pathlib import Path
from unittest import mock

import support

from cfdmark.export.layouts import choice_text
from cfdmark.publish import across_devices, layouts, layouts_page


def two_devices() -> list[dict]:
    """A kept answer, and the same of a device that is a third slower with it and has another."""
    name, architecture, entries = layouts.read_table(support.RESULTS / "tuned/nvidia-h200/smoothing.json")
    first = entries[0] | {"device": name, "architecture": architecture, "scope": "all"}
    first.pop("range", None)  # an answer for one size
    second = copy.deepcopy(first) | {"device": "Other GPU"}
    own = {"method": "plain", "config": {"block_x": 16, "block_y": 16, "block_z": 1}}
    wrong = {choice_text(first["winner"]): first["winner"]["median"] * 4 / 3}
    best = first["winner"] | own
    second |= {"winner": best, "default": best, "ties": wrong}
    return [first, second]


def cells(table) -> list[dict]:
    return [dict(zip((column.key for column in table.columns), row)) for row in table.rows]


class SideBySide(unittest.TestCase):
    def test_two_devices_have_a_pair_each_way_and_say_what_is_not_measured(self):
        section = across_devices.section_of(two_devices())
        there, back = cells(section.tables[0])
        self.assertEqual((there["of"], there["to"], there["cost"], there["unknown"]), ("NVIDIA H200", "Other GPU", 1, 0))
        self.assertAlmostEqual(there["worst"], 4 / 3)
        self.assertEqual((back["to"], back["unknown"], back["worst"]), ("NVIDIA H200", 1, None))
        self.assertIn("0 of 1 layout measured on the other device carry over", section.finding)
        self.assertIn("1.33 times the best time", section.finding)
        self.assertIn("1 other was not measured there", section.finding)
        every = cells(section.tables[-1])
        self.assertEqual([row["known"] for row in every], ["measured there", "not measured"])

    def test_with_one_device_the_page_says_so(self):
        section = across_devices.section_of(two_devices()[:1])
        self.assertIn("only those of NVIDIA H200 are known", section.empty)
        self.assertFalse(section.tables)

    def test_devices_of_other_sizes_have_nothing_to_compare(self):
        first, second = two_devices()
        second["grid"] = [n + 1 for n in second["grid"]]
        section = across_devices.section_of([first, second])
        self.assertIn("No two devices were tuned on the same sizes", section.finding)
        self.assertFalse(section.tables)

    def test_a_recorded_space_of_the_device_has_what_its_table_lacks(self):
        path = support.RESULTS / "tuned/spaces/nvidia-h200-jacobi-plain-fp64.jsonl"
        record = next(r for r in map(json.loads, path.read_text().splitlines()) if r["type"] == "record" and r["status"] == "ok")
        first, second = two_devices()
        for entry in (first, second):
            entry |= {key: record[key] for key in ("kind", "name", "backend", "precision", "grid")}
            entry["workload"] = record.get("workload", {"operator": "constant"})
            entry.pop("range", None)
        layout = {"method": record["method"], "config": record["config"]}
        second["winner"] = second["winner"] | layout
        first["ties"] = {}
        unknown = next(row for row in cells(across_devices.section_of([first, second]).tables[-1]) if row["of"] == "Other GPU")
        self.assertIsNone(unknown["cost"])
        rows = cells(across_devices.section_of([first, second], [path]).tables[-1])
        self.assertIsNotNone(next(row for row in rows if row["of"] == "Other GPU")["cost"])

    def test_the_command_writes_one_page_of_all(self):
        with tempfile.TemporaryDirectory() as scratch:
            page = Path(scratch) / "page.html"
            with mock.patch("sys.stdin", io.StringIO(json.dumps(two_devices()))), redirect_stdout(io.TextIOWrapper(io.BytesIO())):
                self.assertEqual(layouts_page.main([str(page)]), 0)
            text = page.read_text(encoding="utf-8").replace("<wbr>", "")
        for words in ("Devices side by side", "Which layouts carry over", "Other GPU, ", "NVIDIA H200, "):
            self.assertIn(words, text)


class OfTheSite(support.Small):
    def test_the_page_of_layouts_says_that_one_device_is_known(self):
        status, _, err = self.make()
        said = [line for line in err.splitlines() if "pages are made without scripts" not in line]
        self.assertEqual((status, said), (0, []))
        self.assertIn("only those of NVIDIA H200 are known", self.page("layouts.html"))


if __name__ == "__main__":
    unittest.main()
