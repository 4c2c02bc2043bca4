import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support  # finds the packages

from cfdmark.plot import flow as plot_flow

PNG = b"\x89PNG\r\n"
ROWS = [[0.0, 0.1, 0.2], [0.3, 0.1, 0.5], [0.1, 0.7, 0.2]]
FLUID = [[0] * 3] * 3
FLOW = {"title": "cavity", "cell": [0.5, 0.25], "u": ROWS, "v": ROWS, "p": ROWS, "solid": FLUID, "history": [[0, 1.0], [5, 1e-3]]}


class PlotFlow(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def draw(self, flow, prefix="out"):
        source = self.folder / "flow.json"
        source.write_text(flow if isinstance(flow, str) else json.dumps(flow), encoding="utf-8")
        return subprocess.run(
            [sys.executable, support.SCRIPTS / "cfdmark", "plot-flow", source, self.folder / prefix],
            capture_output=True,
            text=True,
            check=False,
        )

    def test_writes_the_flow_and_the_history(self):
        done = self.draw(FLOW)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for name in ("out-flow.png", "out-history.png"):
            self.assertTrue((self.folder / name).read_bytes().startswith(PNG))

    def test_draws_a_cavity_with_published_values_of_its_reynolds_number(self):
        n = 8
        couette = [[(j + 0.5) / n] * n for j in range(n)]
        square = {name: couette if name == "u" else [[0.0] * n] * n for name in ("u", "v", "p", "solid")}
        cavity = FLOW | square | {"cell": [1 / n, 1 / n], "problem": "cavity"}
        done = self.draw(cavity | {"reynolds": 1000})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue((self.folder / "out-profiles.png").read_bytes().startswith(PNG))
        # u = y, and Botella and Peyret have -0.0620561 at y = 0.5.
        self.assertIn("u differs from Botella and Peyret 1998 by 0.56 of the lid's speed at most, at y = 0.5", done.stdout)
        self.assertIn("v differs from Erturk, Corke and Gokcol 2005 by ", done.stdout)
        self.assertIn("v differs from Ghia, Ghia and Shin 1982 (up to 3 % short of later solutions) by ", done.stdout)
        nobody = self.draw(cavity | {"reynolds": 123}, prefix="other")
        self.assertEqual(nobody.returncode, 0)
        self.assertNotIn("differs", nobody.stdout)

    def test_draws_no_profiles_of_another_flow(self):
        self.assertEqual(self.draw(FLOW | {"problem": "tunnel", "reynolds": 100}).returncode, 0)
        self.assertFalse((self.folder / "out-profiles.png").exists())

    def test_draws_a_temperature_and_marks_vortices(self):
        plain = self.draw(FLOW, prefix="plain")
        hot = self.draw(FLOW | {"temperature": ROWS, "vortices": [[0.7, 0.4, -0.1, -2], [0.2, 0.2, 1e-3, 3]]}, prefix="hot")
        self.assertEqual((plain.returncode, hot.returncode, hot.stderr), (0, 0, ""))
        self.assertGreater(self.height("hot"), 1.3 * self.height("plain"))  # a panel more

    def height(self, prefix):
        return int.from_bytes((self.folder / f"{prefix}-flow.png").read_bytes()[20:24], "big")

    def test_refuses_a_vortex_without_a_place(self):
        done = self.draw(FLOW | {"vortices": [[0.5, None, 1, 1]]})
        self.assertEqual(done.returncode, 2)
        self.assertIn("`vortices` must be a list of [x, y, psi, vorticity]", done.stderr)

    def test_a_vortex_is_marked_by_how_it_turns(self):
        self.assertEqual((plot_flow.vortex_marker(-0.5), plot_flow.vortex_marker(0.5)), ("o", "s"))

    def test_refuses_a_temperature_of_another_shape(self):
        self.assertIn("`temperature` must be rows", self.draw(FLOW | {"temperature": ROWS[:2]}).stderr)

    def test_draws_a_fluid_at_rest(self):
        rest = [[0.0] * 3] * 3
        self.assertEqual(self.draw(FLOW | {"u": rest, "v": rest, "p": rest, "history": []}).returncode, 0)

    def test_draws_around_a_body(self):
        self.assertEqual(self.draw(FLOW | {"solid": [[0] * 3, [0, 1, 0], [0] * 3]}).returncode, 0)

    def test_refuses_fields_of_another_shape_with_their_name(self):
        done = self.draw(FLOW | {"v": ROWS[:2]})
        self.assertEqual(done.returncode, 2)
        self.assertIn("`v` must be rows", done.stderr)

    def test_refuses_a_flow_that_diverged(self):
        done = self.draw(FLOW | {"p": [[None] * 3] * 3})
        self.assertEqual(done.returncode, 2)
        self.assertIn("`p` holds a value that is not a finite number", done.stderr)

    def test_refuses_a_cell_without_sides(self):
        self.assertEqual(self.draw(FLOW | {"cell": [0, 1]}).returncode, 2)

    def test_says_where_it_could_not_write(self):
        done = self.draw(FLOW, prefix="missing/out")
        self.assertEqual(done.returncode, 3)
        self.assertIn("cannot write", done.stderr)


if __name__ == "__main__":
    unittest.main()
