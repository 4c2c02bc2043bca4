"""The page of all runs of a device against its roofs."""

import json
import unittest

from support import Links, Small

MISSING = "Not measured in these records: memory"


class Roofline(Small):
    def spoil(self) -> None:
        """Adds the same cases from a start that measured no roofs."""
        lines = [json.loads(line) for line in (self.results / "device" / "run.jsonl").read_text().splitlines()]
        for line in lines:
            if line["type"] == "environment":
                line["roofs"], line["id"] = [], line["id"] + "b"
            else:
                line["environment"] += "b"
                line["method"] += "_b"
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (self.results / "device" / "bare.jsonl").write_text(text, encoding="utf-8")

    def test_what_one_run_lacks_another_of_the_same_device_gives(self):
        self.spoil()
        self.assertEqual(self.make()[0], 0)
        self.assertIn(MISSING, self.page("device/bare.html"))
        whole = self.page("device/all-runs-roofline.html")
        self.assertNotIn(MISSING, whole)
        self.assertIn("plain_b", whole)

    def test_the_index_leads_to_it(self):
        self.make()
        self.assertIn("device/all-runs-roofline.html", Links(self.output / "index.html").targets)

    def test_a_device_without_runs_has_none(self):
        (self.results / "device" / "run.jsonl").unlink()
        self.make()
        self.assertFalse((self.output / "device" / "all-runs-roofline.html").exists())
        self.assertNotIn("all-runs-roofline", self.page())


if __name__ == "__main__":
    unittest.main()
