import json
import resource
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support

PNG = b"\x89PNG\r\n"
SOLUTION = {
    "title": "plate",
    "grid": [3, 2],
    "field": [[0, 0.1, 0], [0.4, 0.5, 0.4]],
    "history": [[0, 1.0], [5, 1e-3]],
    "error_history": [[0, 0.5], [5, 0.0]],
}


class PlotSolution(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def draw(self, solution, prefix="out", **more):
        source = self.folder / "solution.json"
        source.write_text(solution if isinstance(solution, str) else json.dumps(solution), encoding="utf-8")
        return subprocess.run(
            [sys.executable, support.SCRIPTS / "cfdmark", "plot-solution", source, self.folder / prefix],
            capture_output=True,
            text=True,
            check=False,
            **more,
        )

    def test_writes_the_field_and_the_history(self):
        done = self.draw(SOLUTION)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in ("out-field.png", "out-history.png"):
            self.assertTrue((self.folder / name).read_bytes().startswith(PNG))

    def test_draws_a_constant_field_and_no_history(self):
        flat = SOLUTION | {"field": [[1, 1, 1], [1, 1, 1]], "history": [], "error_history": []}
        self.assertEqual(self.draw(flat).returncode, 0)

    def test_refuses_a_field_of_another_shape(self):
        done = self.draw(SOLUTION | {"grid": [2, 3]})
        self.assertEqual(done.returncode, 2)
        self.assertIn("3 rows of 2 numbers", done.stderr)

    def test_refuses_a_field_with_holes(self):
        done = self.draw(SOLUTION | {"field": [[0, None, 0], [0, 0, 0]]})
        self.assertEqual(done.returncode, 2)
        self.assertIn("finite", done.stderr)

    def test_refuses_what_is_not_json(self):
        self.assertEqual(self.draw("{").returncode, 2)

    def test_a_full_disk_leaves_the_earlier_picture(self):
        self.assertEqual(self.draw(SOLUTION).returncode, 0)
        before = (self.folder / "out-field.png").read_bytes()
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))  # noqa: E731
        done = self.draw(SOLUTION | {"title": "another"}, preexec_fn=limit)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual((self.folder / "out-field.png").read_bytes(), before)
        self.assertEqual(list(self.folder.glob(".*")), [])

    def test_says_where_it_could_not_write(self):
        done = self.draw(SOLUTION, prefix="missing/out")
        self.assertEqual(done.returncode, 3)
        self.assertIn("missing/out", done.stderr)


if __name__ == "__main__":
    unittest.main()
