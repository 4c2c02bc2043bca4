"""What would rule a terminal or break a table is shown by its number, as in C++, in every format."""

import json
import tempfile
import unittest
from pathlib import Path

import support
from cfdmark_report.printable import printable

EXAMPLES = json.loads((Path(__file__).parents[1] / "printable.json").read_text(encoding="utf-8"))
BAD = "\x1b]0;title\x07\n::error::planted\u202e"


class Printable(unittest.TestCase):
    def test_every_example_looks_as_in_cpp(self):
        for text, shown in EXAMPLES:
            self.assertEqual(printable(text), shown)

    def test_no_format_of_the_report_holds_a_control_character_of_a_record(self):
        record = support.kernel(reason=BAD, environment=BAD, label=BAD, method=BAD)
        failed = support.kernel(backend="cuda", status="crashed", reason=BAD)
        environment = {"type": "environment", "id": BAD, "host": {"cpu": BAD, "cores": 2}, "gpu": {"name": BAD}}
        with support.record_file(environment, record, failed) as path, tempfile.TemporaryDirectory() as folder:
            status, out, err = support.run_report(path, "--format", "all", "--rows", 0, "--output", folder)
            self.assertEqual(status, 0, err)
            written = [p for p in Path(folder).rglob("*") if p.is_file()]
            self.assertGreater(len(written), 3)
            for text in [out, err] + [p.read_text(encoding="utf-8") for p in written]:
                self.assertNotRegex(text, "[\x1b\x07\u202e]")
                self.assertNotRegex(text, "(?m)^\\s*::error")


if __name__ == "__main__":
    unittest.main()
