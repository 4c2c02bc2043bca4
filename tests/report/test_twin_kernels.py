"""Kernels with an operator that were two are read as one; the C++ readers are held to the same examples."""

import json
import unittest
from pathlib import Path

from support import kernel, record_file

from cfdmark.records import twin_kernels
from cfdmark.records.records import read_files
from cfdmark.records.select import subject
from cfdmark.report.sections.context import Context

EXAMPLES = json.loads((Path(__file__).parents[1] / "twin_kernels.json").read_text(encoding="utf-8"))


def record(name: str, schema: int = 2, **changes) -> dict:
    found = kernel(name=name, schema=schema, grid=[8, 8], **changes)
    return found | {"case": f"{name}/serial/fp64/plain@8x8"}


class TwinKernels(unittest.TestCase):
    def test_every_example_is_read_as_its_record_of_today(self):
        self.assertGreaterEqual(len(EXAMPLES), 6)
        for example in EXAMPLES:
            with self.subTest(example["before"]["case"]):
                self.assertEqual(twin_kernels.record_of(example["before"]), example["now"])
                self.assertEqual(twin_kernels.record_of(example["now"]), example["now"])

    def test_a_case_alone_is_read_as_its_record_is(self):
        for example in EXAMPLES:
            if example["before"]["kind"] == "kernel":
                self.assertEqual(twin_kernels.case_of(example["before"]["case"]), example["now"]["case"])
        solver = "jacobi/serial/fp64/plain@8x8;problem=jump,tolerance=1e-06"
        self.assertEqual(twin_kernels.case_of(solver), solver)

    def test_an_entry_of_a_tuned_table_says_its_operator(self):
        entry = {"kind": "kernel", "name": "jacobi_coefficients", "grid": [8, 8]}
        self.assertEqual(
            twin_kernels.entry_of(entry),
            {"kind": "kernel", "name": "jacobi", "grid": [8, 8], "question": {"operator": "arrays"}},
        )

    def test_records_of_either_schema_are_of_one_kernel_and_two_operators(self):
        for schema in (1, 2):
            with record_file(record("jacobi", schema), record("jacobi_coefficients", schema)) as file:
                dataset = read_files([file])
            constant, arrays = dataset.records
            self.assertEqual([r.name for r in dataset.records], ["jacobi", "jacobi"])
            self.assertEqual([r.operation for r in dataset.records], ["jacobi", "jacobi, operator=arrays"])
            self.assertNotEqual(subject(constant), subject(arrays))
            self.assertEqual(constant.label, "jacobi/serial/fp64/plain@8x8")
            self.assertEqual(arrays.label, "jacobi/serial/fp64/plain@8x8;operator=arrays")
            told = Context(dataset, None)
            self.assertEqual([told.subject(r) for r in dataset.records], ["jacobi", "jacobi, operator=arrays"])

    def test_a_record_of_today_takes_the_place_of_an_earlier_one_of_its_case(self):
        now = record("jacobi", question={"operator": "arrays"}, samples=[2.0, 2.0, 2.0])
        now |= dict.fromkeys(("case", "label"), "jacobi/serial/fp64/plain@8x8;operator=arrays")
        with record_file(record("jacobi_coefficients", 1), now) as file:
            (found,) = read_files([file]).records
        self.assertEqual(found.time.value, 2.0)


if __name__ == "__main__":
    unittest.main()
