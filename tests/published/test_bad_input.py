"""A file that does not hold the schema is refused, with file, line and what would be right."""

import unittest

from support import BadFile, file_of, load, load_all, run_command

GOOD = """\
id: author-table-1
title: "One line"
source:
  author: A. Author
  year: 2010
  title: A title
  place: "table 1, page 2"
hardware:
  - {name: GPU, role: device, note: "4 cores"}
problem: A problem.
method: A method.
varied: [nodes]
recorded: [time]
baseline: one core
transfers: included
found: A finding.
tables:
  - name: main
    approximate: true
    columns:
      - {name: device}
      - {name: time, unit: s}
    rows:
      - [GPU, 0.80]
      - [CPU, null]
claims:
  - {name: speedup, value: 1.2e-8, unit: "1", text: "how much"}
contradictions:
  - {name: two_times, between: ["table 1: 1 s", "page 2: 2 s"], text: "They differ."}
lacks: a solver
"""

# A change of the file above, and the error that it causes, from its line and column on.
FAULTS = [
    ("[GPU, 0.80]", "[GPU, fast]", "24:15: column 'time' holds 'fast' where a number of unit s is expected"),
    ("[GPU, 0.80]", '[GPU, "0.80"]', "24:15: column 'time' holds '0.80' where a number of unit s is expected"),
    ("[GPU, 0.80]", "[GPU, .nan]", "24:15: column 'time' holds '.nan' where a number of unit s is expected"),
    ("[GPU, 0.80]", "[GPU, 1:30]", "24:15: column 'time' holds '1:30' where a number of unit s is expected"),
    ("[GPU, 0.80]", "[GPU]", "24:9: a row of table 'main' has 1 entries where 2 are expected: device, time"),
    (
        "[GPU, 0.80]",
        "[9800, 0.80]",
        "24:10: column 'device' holds '9800', a number, but has no unit; give the column a unit",
    ),
    ("[GPU, 0.80]", "GPU", "24:9: a row of table 'main' is 'GPU' where a list is expected"),
    ("{name: time, unit: s}", "{name: time}", "24:15: column 'time' holds '0.80', a number, but has no unit"),
    ("unit: s}", "unit: ms}", "22:28: unit is 'ms', which is not a unit of these files"),
    (
        "unit: s}",
        "unit: flops/s}",
        "22:28: unit is 'flops/s', which is not a unit of these files; did you mean 'flop/s'?",
    ),
    (
        "{name: time, unit: s}",
        "{name: device}",
        "22:9: table 'main' has two columns named 'device'; rename one",
    ),
    ("    rows:\n      - [GPU, 0.80]\n      - [CPU, null]", "    rows: []", "23:11: table 'main' has no rows"),
    ("value: 1.2e-8, ", "", "27:5: a claim lacks the key 'value'; add it"),
    (
        "value: 1.2e-8",
        "value: null",
        "27:28: claim 'speedup' holds nothing where a number of unit 1 is expected",
    ),
    ('unit: "1", ', "", "27:5: a claim lacks the key 'unit'; add it"),
    ("approximate: true", "approximate: yes", "19:18: approximate is 'yes'; it is true or false"),
    ("hardware:", "hardwear:", "8:1: the file has an unknown key 'hardwear'; did you mean 'hardware'?"),
    ("found: A finding.", "colour: red", "16:1: the file has an unknown key 'colour'; known are id, title"),
    ("found: A finding.\n", "", "1:1: the file lacks the key 'found'; add it"),
    (
        "found: A finding.",
        "found: A finding.\nfound: Another.",
        "17:1: the file has the key 'found' twice; remove one",
    ),
    (
        "found: A finding.",
        "found: 3",
        "16:8: found is '3', a number, where a text is expected; put it in quotes",
    ),
    ("found: A finding.", "found:", "16:6: found is nothing where a text is expected"),
    ("varied: [nodes]", "varied: nodes", "12:9: varied is 'nodes' where a list is expected"),
    ("year: 2010", "year: last", "5:9: year is 'last'; it is four digits, or: not stated"),
    ("role: device", "role: gpu", "9:23: role is 'gpu'; it is one of device, host"),
    ("transfers: included", "transfers: yes", "15:12: transfers is 'yes'; it is one of included, excluded"),
    (
        "id: author-table-1",
        "id: author-table-2",
        "1:5: id is 'author-table-2' in a file called author-table-1.yaml",
    ),
    (
        "id: author-table-1",
        "id: Author",
        "1:5: id is 'Author'; it is document, dash, figure or table, in lower case",
    ),
    (', "page 2: 2 s"]', "]", "29:32: a contradiction is between at least two places"),
    ("title: A title", "title: A: title", "6:11: is not YAML: mapping values are not allowed"),
]


class BadInput(unittest.TestCase):
    def said_of(self, text, name="author-table-1.yaml"):
        with file_of(text, name) as path, self.assertRaises(BadFile) as raised:
            load(path)
        return str(raised.exception).replace(str(path), name)

    def test_the_file_without_a_fault_is_read_as_it_stands(self):
        with file_of(GOOD) as path:
            made = load(path)
        self.assertEqual(made.table().rows, [["GPU", 0.8], ["CPU", None]])
        self.assertEqual(made.table().rows[0][1].text, "0.80")
        self.assertEqual((made.claim("speedup"), made.source["year"]), (1.2e-8, "2010"))
        self.assertTrue(made.table().approximate)

    def test_a_number_is_one_with_any_exponent(self):
        for text in ("2e9", "2.0e+9", "2.E-9", "-3"):
            with file_of(GOOD.replace("0.80", text)) as path:
                self.assertEqual(load(path).table().rows[0][1], float(text))

    def test_each_fault_is_named_with_file_line_and_column(self):
        for good, bad, message in FAULTS:
            with self.subTest(bad=bad):
                self.assertEqual(GOOD.count(good), 1, f"'{good}' must stand once in the good file")
                said = self.said_of(GOOD.replace(good, bad))
                self.assertTrue(said.startswith(f"author-table-1.yaml:{message}"), said)

    def test_a_file_with_neither_values_nor_a_reason_is_refused(self):
        no_values = GOOD[: GOOD.index("tables:")] + "lacks: a solver\n"
        self.assertIn("has neither a table nor a claim", self.said_of(no_values))
        with file_of(no_values + "unavailable: The figure is a drawing.\n") as path:
            self.assertEqual(load(path).unavailable, "The figure is a drawing.")

    def test_an_empty_file_a_list_and_two_documents_are_refused(self):
        self.assertIn(":1:1: the file is empty", self.said_of(""))
        self.assertIn(":1:1: the file is a list where a mapping is expected", self.said_of("- 1\n"))
        self.assertIn(":31:1: is not YAML: but found another document", self.said_of(GOOD + "---\na: 1\n"))

    def test_a_file_that_is_missing_or_no_text_is_refused(self):
        with file_of(GOOD) as path:
            path.write_bytes(b"id: \xff\n")
            self.assertRaisesRegex(BadFile, "not UTF-8", load, path)
            self.assertRaisesRegex(
                BadFile, "cannot be read: No such file", load, path.with_name("other.yaml")
            )

    def test_an_id_in_two_folders_is_refused(self):
        with file_of(GOOD) as one, file_of(GOOD) as two:
            loaded, wrong = load_all([one, two])
        self.assertEqual(len(loaded), 1)
        self.assertEqual(wrong, [f"{two}:1:1: id 'author-table-1' is also that of {one}; rename one"])


class Command(unittest.TestCase):
    def test_lists_all_shipped_files_by_default(self):
        status, out, err = run_command()
        self.assertEqual((status, err), (0, ""))
        self.assertIn("normore-table-6.7", out)

    def test_names_each_bad_file_lists_the_others_and_ends_with_2(self):
        with file_of(GOOD) as good, file_of(GOOD.replace("0.80", "fast")) as bad:
            status, out, err = run_command(bad, good)
        self.assertEqual(status, 2)
        self.assertRegex(out, r"author-table-1 +2 +1  One line\n")
        self.assertEqual(err, f"{bad}:24:15: column 'time' holds 'fast' where a number of unit s is expected\n")


if __name__ == "__main__":
    unittest.main()
