"""Broken files are named with line and column, and what Google Benchmark writes outside of the standard is read."""

import json
import unittest

from support import ForeignCase
from test_google_benchmark import file_of, new

TEXT = json.dumps(file_of(new("BM", 50), new("BM", 51, 1)), indent=1)
LINES = TEXT.splitlines(keepends=True)


class Broken(ForeignCase):
    def test_the_place_is_named(self):
        log = "***WARNING*** CPU scaling is enabled\n"
        for content, words in (
            ("".join([*LINES[:7], log, *LINES[7:]]), "theirs.json:8:1: not JSON"),
            (log + TEXT, "theirs.json:1:1: not JSON"),
            (TEXT.replace(",", "", 1), "theirs.json:4:3: not JSON: expecting ',' delimiter"),
            (TEXT.replace('"iterations": 10', '"rate": nan, "iterations": 1 0', 1), 'not JSON: expecting'),
            (TEXT + "\n" + TEXT, f"theirs.json:{len(LINES) + 1}:1: not JSON: more text begins here: expected one run a file"),
            (TEXT.encode("utf-16"), "theirs.json:1:1: not JSON: it is UTF-16, expected UTF-8"),
            (TEXT.encode("utf-16-le"), "theirs.json:1:1: not JSON: it is UTF-16, expected UTF-8"),
            ('{"benchmarks": ' + "[" * 100000, "nested too deep"),
        ):
            with self.subTest(words):
                self.refuses(content, words)

    def test_the_place_is_that_of_the_file_where_numbers_before_it_are_none(self):
        text = '{"context": {"a": -inf, "b": nan, "c": "C:\\users"}, "benchmarks": [x]}'
        self.refuses(text, f"theirs.json:1:{text.index('[x') + 2}: not JSON")

    def test_a_cut_file_is_named_wherever_it_is_cut(self):
        for length in range(60, len(TEXT) - 1, 7):
            self.refuses(TEXT[:length], "not JSON", "the file ends" if length != 60 else "")

    def test_what_is_neither_records_nor_of_others_is_named_or_left_to_the_reader_of_records(self):
        self.refuses('{"type": "comparison", "cases": []}', "neither records nor results of Google Benchmark or nvbench")
        self.refuses('{"benchmarks": [{"name": "BM"}]}', "expected results, not a list of names")
        for content in ("", "text\n", '[1, 2]\n', '{"type": "record", "case": "cut', 'log\n{"type":"environment"}\n'):
            self.assertIsNone(self.read(content))


class Read(ForeignCase):
    def test_a_byte_order_mark_is_passed_over(self):
        self.assertEqual(self.times(b"\xef\xbb\xbf" + TEXT.encode()), {"BM": [50, 51]})

    def test_single_backslashes_and_control_characters_are_text(self):
        text = TEXT.replace('"context": {', '"context": {"executable": "C:\\users\\x.exe",').replace("BM", "BM\x1b[1m\t")
        self.assertEqual(self.times(text), {"BM\\x1b[1m\\x09": [50, 51]})

    def test_bytes_that_are_not_utf_8_stay_different(self):
        text = json.dumps(file_of(new("BM_?", 50), new("BM_!", 51))).encode()
        found = self.times(text.replace(b"BM_?", b"BM_\xe9").replace(b"BM_!", b"BM_\xe8"))
        self.assertEqual(found, {"BM_\\xe9": [50], "BM_\\xe8": [51]})

    def test_an_integer_of_any_length_is_a_number(self):
        self.assertEqual(self.times(TEXT.replace('"num_cpus": 4', f'"num_cpus": {"9" * 5000}')), {"BM": [50, 51]})


if __name__ == "__main__":
    unittest.main()
