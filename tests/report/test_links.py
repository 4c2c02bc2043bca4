"""The links of GPUs that a run has measured are a table of the page."""

import unittest

import support  # noqa: F401  finds the package

from cfdmark.report.sections.environment import links_table

BETWEEN = {"from": "cuda:0", "to": "cuda:1", "kind": "nvlink", "nvlinks": 18, "copy_bytes_per_second": 3.96e11,
           "flag_seconds": 1.34e-6, "nccl_seconds": 2.05e-5}
TO_HOST = {"from": "cuda:0", "to": "host", "kind": "pcie", "pcie_generation": 5, "pcie_lanes": 16, "reason": "too late"}


class Links(unittest.TestCase):
    def test_each_direction_of_a_link_is_a_row_in_the_units_of_people(self):
        table = links_table([{"id": "a", "links": [BETWEEN, TO_HOST]}, {"id": "b"}])
        self.assertEqual(len(table.rows), 2)
        names = [column.key for column in table.columns]
        first, second = (dict(zip(names, row)) for row in table.rows)
        self.assertEqual((first["environment"], first["from"], first["to"]), ("a", "cuda:0", "cuda:1"))
        self.assertEqual((first["kind"], second["kind"]), ("NVLink x18", "PCIe 5 x16"))
        self.assertEqual((first["copy"], first["flag_seconds"], first["nccl_seconds"]), ("396.0", "1.34", "20.50"))
        self.assertEqual((first["store"], second["copy"], second["missing"]), ("-", "-", "too late"))

    def test_an_environment_without_links_has_no_row(self):
        self.assertEqual(links_table([{"id": "b"}]).rows, [])


if __name__ == "__main__":
    unittest.main()
