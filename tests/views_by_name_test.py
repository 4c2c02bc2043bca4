"""Holds that three views or more go into a kernel by field name: by position, two of them can be swapped."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROOMS = ("solvers", "bench", "tests")
BRACES = r"\{(?:[^{}]|\{[^{}]*\})*\}"
# Where an initialiser of fields begins: the third member of a CellArgs, its member by name, or the argument
# after a kernel.
PLACES = [
    rf"\{{\s*[\w.]*precision\w*(?:\([^()]*\))?,\s*(?:{BRACES}|\w+),\s*",
    r"\.fields = ",
    rf'\bsweep\w*\(\s*"[^"]*",\s*\w+{BRACES},\s*',
]
FIELDS = re.compile(rf"(?:{'|'.join(PLACES)})\{{+([^{{}}]*)\}}")


def by_position(text):
    """Returns the initialisers of three fields or more that name none."""
    found = []
    for fields in FIELDS.findall(text):
        names_none = not fields.lstrip().startswith(".")
        # Commas in calls separate no fields.
        if names_none and re.sub(r"\([^()]*\)", "", fields).count(",") >= 2:
            found.append(fields)
    return found


class ViewsByName(unittest.TestCase):
    def test_three_views_or_more_are_named(self):
        for room in ROOMS:
            for path in sorted((ROOT / room).rglob("*.[ch]pp")):
                with self.subTest(path=str(path.relative_to(ROOT))):
                    self.assertEqual(by_position(path.read_text()), [])

    def test_views_by_position_are_found_in_each_form(self):
        for text in ("op.sweep<Residual>(routine, {op.precision(), {}, {a, x, b, r}});",
                     "CellArgs<Sor> args{s.precision, {.omega = omega(s, config)}, {s.stencil(), s.u, s.b}};",
                     "{system_.precision, kernel, {a, x.view(), y.view()}}",
                     "sweep_middle<Jacobi>({.fields = {a, u.view(), b.view(), out.view()}});",
                     'sweep("correct", FluxCorrectionX{{cell}}, {{faces, aP, correction, mass}})'):
            self.assertEqual(len(by_position(text)), 1, text)

    def test_two_views_and_named_ones_pass(self):
        for text in ("{system_.precision, {}, {x, y}, result.data()}",
                     ".fields = {x.view().box(0, 0, 0, 2, 3), y.view()}",
                     "{.precision = p, .fields = {.a = a, .u = u, .out = out}}",
                     'sweep("weigh", Multiply{}, {.x = aP, .y = velocity, .product = residual})'):
            self.assertEqual(by_position(text), [], text)


if __name__ == "__main__":
    unittest.main()
