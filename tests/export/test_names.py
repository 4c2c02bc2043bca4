"""Whatever a benchmark is called, a comparison of it stays one row, one line and XML."""

import unittest
import xml.etree.ElementTree as ElementTree

import support  # noqa: F401
from test_comparison import case, comparison

from cfdmark.export.comparison import junit, markdown

ODD = ["a|b", "a`b", "``a`", "x\\ufffe", "a\ufffe\x1b\ud800", "<i>", "=1+1"]


class Names(unittest.TestCase):
    def test_a_row_of_markdown_is_whole_and_its_code_ends_with_the_name(self):
        codes = {"a|b": "`a\\|b@8x8`", "a`b": "``a`b@8x8``", "``a`": "``` ``a`@8x8 ```", "<i>": "`<i>@8x8`"}
        for name, code in codes.items():
            text = markdown(comparison(case(name, "slower", 1.5)))
            (row,) = [line for line in text.splitlines() if "+50.0 %" in line]
            self.assertEqual(row.replace("\\|", "").count("|"), 7)
            self.assertTrue(row.endswith(f"| {code} |"), row)

    def test_junit_is_well_formed(self):
        for name in ODD:
            root = ElementTree.fromstring(junit(comparison(case(name, "slower", 1.5))).encode())
            self.assertEqual(len(list(root.iter("testcase"))), 4)


if __name__ == "__main__":
    unittest.main()
