"""The report of solves of one's own matrices, from invented records."""

import unittest

import support  # noqa: F401  (finds the packages)
from support import dataset_of, section, sections_of, solver, table

from cfdmark.records.records import Record
from cfdmark.report.renderers import csv, html, latex, markdown, terminal

FILE = "in/A.mtx-1a2b3c4d5e6f7788"


def of(matrix: str, rows: int, name: str = "matrix_pcg", seconds: float = 2e-3, backend: str = "serial") -> dict:
    raw = solver([seconds] * 6, 20, name=name, backend=backend)
    del raw["grid"]
    raw["workload"] = {"problem": "matrix_system", "tolerance": 1e-8}
    case = f"{name}/{backend}/fp64/plain@{matrix}:;problem=matrix_system,tolerance=1e-08"
    return {**raw, "matrix": matrix, "nodes": rows, "case": case}


def dataset():
    sizes = [("poisson-20x20", 400), ("poisson-80x80", 6400), (FILE, 500), ("convection_1-20x20", 400)]
    both = [("matrix_pcg", 2e-3), ("matrix_bicgstab", 3e-3)]
    return dataset_of(*[of(m, n, name, s * n, b) for m, n in sizes for name, s in both for b in ("serial", "openmp")])


class Matrices(unittest.TestCase):
    def test_sizes_of_a_generated_matrix_are_one_problem_and_files_are_problems_of_their_own(self):
        named = {
            "poisson-20x20": "poisson",
            "poisson_3d-8x8x8": "poisson_3d",
            "poisson-20x20+b.mtx-77": "poisson+b.mtx-77",
            FILE: FILE,
            "a-4x4.mtx-1a": "a-4x4.mtx-1a",
        }
        for matrix, problem in named.items():
            with self.subTest(matrix):
                self.assertEqual(Record(of(matrix, 64)).problem, problem)

    def test_a_matrix_has_rows_and_two_dimensions(self):
        record = Record(of("poisson_3d-8x8x8", 512))
        self.assertEqual((record.grid, record.nodes, record.dims), (("poisson_3d-8x8x8",), 512, 2))

    def test_every_format_shows_matrices(self):
        made, title = sections_of(dataset()), "matrices"
        for text in (markdown.render(made, title), latex.render(made, title), terminal.render(made, title, False),
                     html.render(made, title, dataset()), *csv.render_files(made).values()):
            self.assertTrue(text)
        self.assertIn("1a2b3c4d5e6f7788", markdown.render(made, title))

    def test_the_time_is_drawn_over_rows_a_panel_for_each_matrix(self):
        panels = [p for f in section(dataset(), "time").figures for p in f.panels]
        self.assertEqual({p.x.label for p in panels}, {"rows"})
        sizes = {p.title: [len(s.points) for s in p.series] for p in panels if "poisson" in p.title}
        self.assertTrue(sizes)
        self.assertTrue(all(set(n) == {2} for n in sizes.values()), sizes)

    def test_solvers_of_one_matrix_are_compared_to_equal_accuracy(self):
        rows = table(section(dataset(), "accuracy"), "accuracy")
        self.assertEqual({row["grid"] for row in rows}, {"poisson-20x20", "poisson-80x80", FILE, "convection_1-20x20"})


if __name__ == "__main__":
    unittest.main()
