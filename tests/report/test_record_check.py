"""Each unusable line is reported with its field and what was expected, as in C++."""

import json
import unittest
from pathlib import Path

import support  # noqa: F401  (finds the packages)

from cfdmark.records.record_check import BadLine, checked

EXAMPLES = json.loads((Path(__file__).parents[1] / "records.json").read_text(encoding="utf-8"))


def problem_of(line: str) -> str:
    try:
        checked(line, ("environment", "record"))
    except BadLine as problem:
        return str(problem)
    return ""


class RecordCheck(unittest.TestCase):
    def test_every_example_gets_the_words_that_it_gets_in_cpp(self):
        for example in EXAMPLES:
            with self.subTest(example["line"]):
                self.assertEqual(problem_of(example["line"]), example["problem"])

    def test_what_is_not_utf_8_is_no_line(self):
        self.assertIn("not JSON", problem_of(b'{"type":"environment","id":"\xff"}'.decode("utf-8", "surrogateescape")))


if __name__ == "__main__":
    unittest.main()
