"""Holds that a name means one type: no two headers define a type of one name, whatever their namespaces, and no
source file defines one that a header has."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFINED = re.compile(r"^(?:struct|class|enum class) (\w+)(?: final)?(?: :[^;{]*)? \{", re.MULTILINE)


def defined_in(suffix):
    """The name and the file of each type that is defined outside functions and other types."""
    for top in ("kernels", "solvers", "tuning", "bench"):
        for path in sorted((ROOT / top).rglob(f"*{suffix}")):
            for name in DEFINED.findall(path.read_text()):
                yield name, path.relative_to(ROOT).as_posix()


class TypeNames(unittest.TestCase):
    def setUp(self):
        self.in_headers = {}
        self.twice = []
        for name, path in defined_in(".hpp"):
            if self.in_headers.setdefault(name, path) != path:
                self.twice.append(f"{name} in {path} and in {self.in_headers[name]}")

    def test_no_two_headers_define_a_type_of_one_name(self):
        self.assertEqual(self.twice, [])

    def test_no_source_file_defines_a_type_that_a_header_has(self):
        again = [f"{name} in {path} and in {self.in_headers[name]}"
                 for name, path in defined_in(".cpp") if name in self.in_headers]
        self.assertEqual(again, [])

    def test_types_are_found_in_every_form(self):
        text = "struct A {\nclass B final : public A {\nenum class C { one };\nstruct D;\n  struct Inner {\n"
        self.assertEqual(DEFINED.findall(text), ["A", "B", "C"])
        self.assertGreater(len(self.in_headers), 150)


if __name__ == "__main__":
    unittest.main()
