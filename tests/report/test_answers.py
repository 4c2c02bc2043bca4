"""Values that problems name of their answers."""

import unittest

import support  # noqa: F401  (finds the packages)
from support import dataset_of, section, solver, table


def flow(method: str, checkerboard: float, residual: float = 1e-9, **more) -> dict:
    solved = {"checkerboard": checkerboard, "drag_coefficient": 3.25, "true_residual": residual}
    return solver([1.0] * 6, 10, name="simple", method=method, solved=solved, **more)


class Values(unittest.TestCase):
    def rows(self, *records: dict) -> list[tuple]:
        return [(r["method"], r["value"].value) for r in table(section(dataset_of(*records), "answers"), "answers")
                if r["name"] == "checkerboard"]

    def test_are_the_numbers_of_a_record_that_do_not_describe_the_solve(self):
        rows = table(section(dataset_of(flow("paper", 4e-7)), "answers"), "answers")
        self.assertEqual([(r["name"], str(r["value"])) for r in rows], [("checkerboard", "4e-07"), ("drag coefficient", "3.25")])

    def test_are_those_of_the_most_exact_answer_of_a_method_on_a_grid(self):
        records = flow("paper", 1e-3, 1e-2), flow("paper", 2e-3, 1e-6, backend="openmp")
        self.assertEqual(self.rows(*records), [("paper", 2e-3)])
        self.assertEqual(self.rows(*records, flow("paper", 5e-3, grid=[16, 16])), [("paper", 5e-3), ("paper", 2e-3)])

    def test_of_methods_are_compared_where_checkerboards_differ_most(self):
        near = flow("paper", 8e-4, grid=[16, 16]), flow("rhie_chow", 6e-4, grid=[16, 16])
        far = flow("paper", 4e-7), flow("rhie_chow", 1e-10)
        said = section(dataset_of(*near, *far), "answers").finding
        self.assertIn("simple at 8×8 (fp64): rhie_chow 1e-10, paper 4e-7, 4,000 times as much", said)

    def test_leave_checkerboards_that_are_alike_and_answers_that_are_none_unsaid(self):
        alike = flow("fused", 4e-7), flow("plain", 4e-7)
        self.assertEqual(section(dataset_of(*alike), "answers").finding, "Problems name 2 values of their answers.")
        stopped = flow("paper", 1.0, residual=1e-3)
        self.assertNotIn("checkerboard in", section(dataset_of(flow("rhie_chow", 1e-9), stopped), "answers").finding)

    def test_without_values_the_section_is_empty(self):
        self.assertIn("No problem names", section(dataset_of(solver([1.0] * 6, 10)), "answers").empty)


if __name__ == "__main__":
    unittest.main()
