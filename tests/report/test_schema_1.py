"""Records of schema 1 are read as those of schema 2; the C++ readers are held to the same examples."""

import json
import unittest
from pathlib import Path

from support import record_file, kernel

from cfdmark.records import schema_1, twin_kernels
from cfdmark.records.records import read_files

EXAMPLES = json.loads((Path(__file__).parents[1] / "schema_1.json").read_text(encoding="utf-8"))


def now_case(record: dict) -> str:
    """That a reader gives it, once all earlier forms are read."""
    return twin_kernels.record_of(record)["case"]


class Schema1(unittest.TestCase):
    def test_every_example_is_read_as_its_record_of_today(self):
        self.assertGreaterEqual(len(EXAMPLES), 4)
        for example in EXAMPLES:
            with self.subTest(example["before"]["case"]):
                self.assertEqual(schema_1.record_of(example["before"]), example["now"])

    def test_a_record_file_of_both_schemas_has_one_record_of_a_case(self):
        for example in EXAMPLES:
            with self.subTest(example["before"]["case"]), record_file(example["before"], example["now"]) as file:
                self.assertEqual([r.case for r in read_files([file]).records], [now_case(example["now"])])

    def test_words_and_reals_are_reported_as_they_are(self):
        record = kernel(config={"omega": 1.95, "schedule": "guided", "block_x": 1048576})
        with record_file(record) as file:
            found = read_files([file]).records[0]
        self.assertEqual(found.config, {"omega": 1.95, "schedule": "guided", "block_x": 1048576})

    def test_a_problem_is_named_with_its_own_settings_where_they_differ_from_their_defaults(self):
        question = {"problem": "jump", "tolerance": 1e-8, "max_iterations": 100, "conductivity": 10.0}
        record = kernel(kind="solver", question=question)
        record["label"] = "cg/serial/fp64/plain@8x8;problem=jump,tolerance=1e-08,conductivity=10"
        with record_file(record) as file:
            found = read_files([file]).records[0]
        self.assertEqual(found.problem, "jump with conductivity=10")
        self.assertEqual(found.label, record["label"])


if __name__ == "__main__":
    unittest.main()
