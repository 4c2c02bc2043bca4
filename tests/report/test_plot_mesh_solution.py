"""A field on a mesh is drawn by its nodes or its triangles, in two dimensions and on the outside of a body."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support

from cfdmark.plot.mesh_solution import means, read_mesh_solution
from cfdmark.records.records import BadInput

PNG = b"\x89PNG\r\n"
SQUARE = {
    "title": "a square",
    "dimensions": 2,
    "label": "temperature",
    "points": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]],
    "triangles": [[0, 1, 2], [1, 3, 2]],
    "values": [0, 3, 0, 6],
    "history": [[0, 1], [10, 1e-6]],
}


class PlotMeshSolution(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def written(self, **changed) -> Path:
        path = self.folder / "solution.json"
        path.write_text(json.dumps(SQUARE | changed))
        return path

    def drawn(self, **changed):
        words = [sys.executable, support.SCRIPTS / "cfdmark", "plot-mesh-solution", self.written(**changed), self.folder / "drawn"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in ("field", "history"):
            self.assertTrue((self.folder / f"drawn-{name}.png").read_bytes().startswith(PNG))

    def test_values_at_nodes_are_drawn(self):
        self.drawn()

    def test_values_of_triangles_are_drawn(self):
        self.drawn(values=[1, 2])

    def test_the_outside_of_a_body_is_drawn(self):
        corner = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]
        self.drawn(dimensions=3, points=corner, triangles=[[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], values=[0, 1, 1, 1])

    def test_a_triangle_has_the_mean_of_its_nodes(self):
        self.assertEqual(means(read_mesh_solution(self.written())), [1, 3])
        self.assertEqual(means(read_mesh_solution(self.written(values=[5, 7]))), [5, 7])

    def test_what_cannot_be_drawn_is_refused(self):
        for changed, reason in (
            ({"dimensions": 4}, "`dimensions` must be 2 or 3"),
            ({"points": [[0, 0]]}, "`points` must be a list"),
            ({"triangles": [[0, 1, 4]]}, "`triangles` must be a list"),
            ({"triangles": []}, "`triangles` must be a list"),
            ({"values": [1, 2, 3]}, "`values` must be 4 finite numbers, one a point, or 2"),
            ({"values": [1, 2, 3, None]}, "`values` must be"),
        ):
            with self.subTest(changed), self.assertRaisesRegex(BadInput, reason):
                read_mesh_solution(self.written(**changed))


if __name__ == "__main__":
    unittest.main()
