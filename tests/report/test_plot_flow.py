import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import support  # finds the packages

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

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

    def test_the_colours_of_the_pressure_are_for_the_cells_and_not_for_two_corners(self):
        smooth = np.ma.array(np.linspace(-1, 1, 1000))
        spiked = smooth.copy()
        spiked[0], spiked[-1] = -50, 80
        self.assertEqual(plot_flow.robust_range(smooth), (-1, 1))  # whole, as it has no extremes
        low, high = plot_flow.robust_range(spiked)
        self.assertTrue(-1 <= low < -0.9 and 0.9 < high <= 1, (low, high))
        self.assertEqual(plot_flow.robust_range(np.ma.zeros(9)), (-0.5, 0.5))

    def test_the_title_has_the_numbers_of_the_flow_and_its_time(self):
        self.assertEqual(plot_flow.heading({"title": "cavity", "reynolds": 400, "rayleigh": 0, "time": 2.5}), "cavity   Re = 400, time = 2.5")
        self.assertEqual(plot_flow.heading({"title": "box", "rayleigh": 1e6}), "box   Ra = 1e+06")
        self.assertEqual(plot_flow.heading({"title": "steady"}), "steady")

    def test_the_panels_fill_the_width_and_keep_the_shape_of_the_flow(self):
        for count, aspect in ((3, 1.0), (4, 1.0), (3, 41 / 220), (4, 0.5)):
            with self.subTest(count=count, aspect=aspect):
                figure, axes = plot_flow.frames(plt, count, aspect)
                self.addCleanup(plt.close, figure)
                wide, high = figure.get_size_inches()
                columns = len({field.get_position().x0 for field, _ in axes})
                self.assertEqual(columns, count if aspect == 1 else 1)
                for field, scale in axes:
                    box = field.get_position()
                    self.assertAlmostEqual(box.height * high / (box.width * wide), aspect)
                    self.assertLess(scale.get_position().x1, 1)
                    self.assertGreaterEqual(box.y0, 0)
                used = columns * box.width * wide / (wide - columns * (plot_flow.LEFT + plot_flow.RIGHT))
                self.assertAlmostEqual(used, 1)

    def test_the_field_reaches_the_walls_and_a_body_stays_masked(self):
        padded = plot_flow.to_the_walls(np.ma.masked_where([[0, 1], [0, 0]], [[1.0, 2.0], [3.0, 4.0]]))
        self.assertEqual(padded.shape, (4, 4))
        self.assertEqual(padded[0, 0], 1.0)
        self.assertEqual(padded.mask[:, 3].tolist(), [True, True, False, False])

    def test_the_history_has_every_residual(self):
        looks = {"momentum": [[0, 1.0], [10, 0.1]], "continuity_residual": [[0, 0.0], [10, 0.5], [20, 1e-3]], "gone": [[0, 0.0]]}
        axes = plot_flow.draw_residuals(plt, FLOW | {"residuals": looks, "reynolds": 100}).axes[0]
        self.assertEqual([line.get_label() for line in axes.lines], ["momentum", "continuity residual"])
        self.assertEqual(axes.lines[1].get_xydata().tolist(), [[10, 0.5], [20, 1e-3]])  # an axis of powers has no 0
        self.assertIn("Re = 100", axes.get_title())
        axes.figure.canvas.draw()
        self.assertIn("10⁻²", [label.get_text() for label in axes.get_yticklabels()])
        plt.close(axes.figure)

    def test_a_file_without_residuals_has_the_history_of_the_largest(self):
        axes = plot_flow.draw_residuals(plt, FLOW).axes[0]
        self.assertEqual([line.get_label() for line in axes.lines], ["relative residual"])
        plt.close(axes.figure)

    def test_refuses_residuals_that_are_no_history(self):
        self.assertIn("`residuals.momentum` must be a list", self.draw(FLOW | {"residuals": {"momentum": [1, 2]}}).stderr)
        self.assertIn("`residuals` must be an object", self.draw(FLOW | {"residuals": [1]}).stderr)
        self.assertIn("`time` must be a number", self.draw(FLOW | {"time": "late"}).stderr)

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
