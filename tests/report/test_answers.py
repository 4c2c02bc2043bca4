"""Values that problems name of their answers."""

import re
import unittest

import support  # noqa: F401  (finds the packages)
from cfdmark_report.references import references
from support import dataset_of, section, solver, table


def flow(method: str, checkerboard: float, residual: float = 1e-9, **more) -> dict:
    solved = {"checkerboard": checkerboard, "drag_coefficient": 3.25, "true_residual": residual}
    return solver([1.0] * 6, 10, name="simple", method=method, solved=solved, **more)


class Values(unittest.TestCase):
    def rows(self, *records: dict) -> list[tuple]:
        return [(r["method"], r["value"].value) for r in table(section(dataset_of(*records), "answers"), "answers")
                if r["name"] == "checkerboard"]

    def test_are_what_the_record_names_beside_its_solve(self):
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
        stopped = flow("paper", 1.0)
        stopped["solver"]["converged"] = False
        self.assertNotIn("checkerboard in", section(dataset_of(flow("rhie_chow", 1e-9), stopped), "answers").finding)

    def cavity(self, u_min: float, side: int = 8, reynolds: float = 1000, dims: int = 2, **more) -> dict:
        solved = {"u_min": u_min, "vortex_psi": -0.12, "true_residual": 1e-9, **more}
        record = solver([1.0] * 6, 10, name="simple", grid=[side] * dims, solved=solved)
        return {**record, "question": {"problem": "cavity", "reynolds": reynolds}}

    def test_stand_beside_what_was_published_with_what_that_may_be_off_itself(self):
        rows = table(section(dataset_of(self.cavity(-0.3885698 * 0.99)), "answers"), "answers")
        (row,) = [r for r in rows if r["name"] == "u min"]
        self.assertEqual((str(row["reference"]), row["error"], row["source"]), ("-0.38857", None, "Botella and Peyret 1998"))
        self.assertAlmostEqual(row["off"], 0.01)
        rows = table(section(dataset_of(self.cavity(-0.4, reynolds=5000)), "answers"), "answers")
        told = {r["name"]: (r["off"], r["error"]) for r in rows}
        self.assertEqual(told["u min"], (None, None))
        self.assertAlmostEqual(told["vortex psi"][0], 0.001 / 0.119)
        self.assertEqual(told["vortex psi"][1], 0.03)

    def test_of_a_cube_or_of_another_reynolds_number_have_no_such_value(self):
        for record in (self.cavity(-0.38, dims=3), self.cavity(-0.38, reynolds=999)):
            found = table(section(dataset_of(record), "answers"), "answers")
            self.assertEqual({r["reference"] for r in found}, {None})

    def test_farthest_off_are_told_of_the_finest_grid_that_converged(self):
        records = self.cavity(-0.3885698 * 0.9), self.cavity(-0.3885698 * 0.97, side=16)
        said = section(dataset_of(*records, self.cavity(-1, side=32, converged=False)), "answers").finding
        rows = table(section(dataset_of(self.cavity(-1, converged=False)), "answers"), "answers")
        self.assertEqual({r["off"] for r in rows}, {None})
        self.assertEqual(
            said, "Farthest off what was published: simple, fp64/plain at 16×16: u min 3 % (Botella and Peyret 1998)."
        )

    def test_that_nobody_names_leave_the_section_empty(self):
        self.assertIn("No problem names", section(dataset_of(solver([1.0] * 6, 10)), "answers").empty)


class References(unittest.TestCase):
    def test_are_those_of_the_published_data(self):
        """The cavity's stand in the review's table 3, too, whose page needs them."""
        (path,) = (support.SCRIPTS.parent / "results" / "published").glob("review-table-3.yaml")
        told = re.findall(r"- \[([^,]*), (\d+), (\w+), (-?[\d.e-]+), ", path.read_text(encoding="utf-8"))
        both = 0
        for source, reynolds, name, value in told:
            mine = references().get(("cavity", float(reynolds), name))
            if mine and mine.source == source:
                self.assertEqual(mine.value, float(value))
                both += 1
        self.assertGreaterEqual(both, 10)

    def test_are_of_problems_that_there_are(self):
        problems = support.SCRIPTS.parent / "solvers" / "problems"
        for problem in {problem for problem, _, _ in references()}:
            self.assertTrue((problems / f"{problem}.cpp").exists(), problem)


if __name__ == "__main__":
    unittest.main()
