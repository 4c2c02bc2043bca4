"""`cfdmark shape` as a user runs it: the known optimum, files that are whole, errors that name the fix."""

import math
import re
import shlex
import subprocess
import unittest
from itertools import pairwise

from support import PROGRAM, QUICK, ROOT, ShapeCase, evaluations, has_optimiser, lines_of

from cfdmark.records.json_form import definitions, form_of

# Drag of ellipses at Re 20 by body-fitted finite elements: aspect, coefficient.
KNOWN = [(3, 3.1291), (4, 3.0642), (5, 3.0499), (6, 3.0587), (7, 3.0794)]


def known_drag(aspect: float) -> float:
    for (a, low), (b, high) in pairwise(KNOWN):
        if a <= aspect <= b:
            return low + (high - low) * (aspect - a) / (b - a)
    raise AssertionError(f"no known drag of aspect {aspect}")


@unittest.skipUnless(has_optimiser(), "this build has no pagmo")
class Search(ShapeCase):
    def test_the_ellipse_of_least_drag_is_found_to_1_percent_on_128x64(self):
        done = self.ran(ROOT / "shapes/ellipse.yaml", "--output", "e.jsonl")
        self.assertEqual(done.returncode, 0, done.stderr)
        found = min(evaluations(self.folder / "e.jsonl", "search"), key=lambda e: e["objective"])
        aspect = math.exp(found["parameters"]["ln_aspect"])
        # The grid's own drag has its error; the ellipse that it finds is judged by the known drag.
        self.assertLess(known_drag(aspect), 1.01 * 3.0499, f"aspect {aspect}")
        ratio, noise = map(float, re.search(r"ratio to the circle ([\d.]+) \+- ([\d.]+)", done.stdout).groups())
        self.assertLess(abs(ratio - 3.0642 / 4.0854), noise + 0.02)
        self.assertLess(noise, 0.03)

    def test_the_command_of_the_result_gives_its_drag(self):
        done = self.ran(self.file(QUICK + "until: {evaluations: 12}\n"), "--output", "e.jsonl")
        self.assertEqual(done.returncode, 0, done.stderr)
        command = shlex.split(re.search(r"again: cfdmark (.*)", done.stdout)[1])
        again = subprocess.run([PROGRAM, *command], capture_output=True, text=True)
        best = min(evaluations(self.folder / "e.jsonl", "search"), key=lambda e: e["objective"])
        drag = float(re.search(r"drag_coefficient +([\d.]+)", again.stdout)[1])
        self.assertAlmostEqual(drag, best["drag"], delta=2e-5 * drag)

    def test_every_line_is_as_the_schema_says(self):
        done = self.ran(self.file(QUICK + "until: {evaluations: 12}\n"), "--output", "e.jsonl")
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = lines_of(self.folder / "e.jsonl")
        self.assertEqual(lines[0]["type"], "shape_study")
        for line in lines:
            self.assertEqual(form_of("shape.schema.json", line["type"]).problem_of(line), "")
        self.assertGreaterEqual({e["purpose"] for e in lines[1:]}, {"search", "circle", "place"})
        for name, schema in definitions("shape.schema.json").items():
            for key, part in schema["properties"].items():
                self.assertTrue(part.get("description"), f"{name}.{key}")

    def test_a_finished_search_repeats_its_result_without_solving(self):
        file = self.file(QUICK + "until: {evaluations: 12}\n")
        first = self.ran(file, "--output", "e.jsonl")
        lines = lines_of(self.folder / "e.jsonl")
        second = self.ran(file, "--output", "e.jsonl")
        best = [re.search(r"best superellipse.*", done.stdout, re.S)[0] for done in (first, second)]
        self.assertEqual(*best)
        self.assertEqual(lines_of(self.folder / "e.jsonl"), lines)

    def test_the_plots_show_the_history_the_outlines_and_the_vorticity(self):
        done = self.ran(self.file(QUICK + "until: {evaluations: 18}\n"), "--output", "e.jsonl", "--plot", "p")
        self.assertEqual(done.returncode, 0, done.stderr)
        for picture in ("p-history.png", "p-outlines.png", "p-vorticity.png"):
            self.assertEqual((self.folder / picture).read_bytes()[:4], b"\x89PNG")

    def test_the_page_has_table_8_1_row_by_row_and_the_noise_floor(self):
        done = self.ran(self.file(QUICK + "known: {ratio: 0.99, within: 0.01}\nuntil: {evaluations: 12}\n"), "--output", "e.jsonl", "--plot", "p")
        self.assertEqual(done.returncode, 0, done.stderr)
        page = (self.folder / "p.html").read_text(encoding="utf-8")
        for printed, each in (("10 years", "5.26 min"), ("70 days", "6.05 s"), ("1.4 years", "44.2 s"), ("10 days", "864 ms")):
            self.assertIn(f"<td>{printed}</td>", page)
            self.assertIn(each, page)
        self.assertIn("not measured by this run", page)
        self.assertRegex(page, r"noise floor of ± 0\.\d+")
        self.assertRegex(page, r"The known optimum is 0\.99: (not )?reached within 0\.01")
        self.assertEqual(page.count("data:image/png;base64,"), 3)  # the search, the shapes, the vorticity on the surface

    def test_seeds_are_searched_one_after_the_other_and_compared_with_the_known_ratio(self):
        text = QUICK + "until: {evaluations: 12}\n"
        for ratio, status, reached in ((1.5, 0, 3), (0.2, 1, 0)):
            file = self.file(text + f"known: {{ratio: {ratio}, within: 0.01}}\n")
            done = self.ran(file, "--output", "e.jsonl", "--seeds", 3)
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn(f"{reached} of 3 seeds came within 0.01 of the known ratio {ratio}", done.stdout)
        for seed in (1, 2, 3):
            study = lines_of(self.folder / f"e-seed{seed}.jsonl")[0]
            self.assertEqual(study["study"]["seed"], seed)

    def test_the_best_never_becomes_worse_from_generation_to_generation(self):
        done = self.ran(self.file(QUICK.replace("cmaes", "sga") + "until: {evaluations: 30}\n"), "--output", "e.jsonl")
        drags = [float(d) for d in re.findall(r"generation +\d+  drag ([\d.]+)", done.stdout)]
        self.assertGreater(len(drags), 2)
        self.assertEqual(drags, sorted(drags, reverse=True))

    def test_a_search_without_a_feasible_outline_says_so_with_status_1(self):
        text = QUICK.replace("[0.2, 0.1, 3.8, 0.9]", "[0.2, 0.1, 0.3, 0.9]") + "until: {evaluations: 6}\n"
        done = self.ran(self.file(text), "--output", "e.jsonl")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no feasible outline was found: widen the constraints", done.stdout)

    def test_a_file_of_another_study_is_refused_with_status_2(self):
        file = self.file(QUICK + "until: {evaluations: 6}\n")
        self.ran(file, "--output", "e.jsonl")
        done = self.ran(file, "--output", "e.jsonl", "--seed", 2)
        self.assertEqual(done.returncode, 2)
        self.assertIn("another 'seed' (1 there, 2 now): use another --output, or --restart", done.stderr)
        self.assertEqual(self.ran(file, "--output", "e.jsonl", "--seed", 2, "--restart").returncode, 0)
        self.assertTrue((self.folder / "e.jsonl.bak").exists())


class Map(ShapeCase):
    """A map needs no pagmo."""

    def test_a_map_solves_every_point_and_draws_it(self):
        text = QUICK.replace("{ln_aspect: [0, 1]}", "{ln_aspect: [0, 1], ln_n: [0.3, 1.4]}").replace("{name: cmaes, population: 6, seed: 1}", "{name: map, points: 3}")
        done = self.ran(self.file(text), "--output", "e.jsonl", "--plot", "p")
        self.assertEqual(done.returncode, 0, done.stderr)
        points = {(e["parameters"]["ln_aspect"], round(e["parameters"]["ln_n"], 9)) for e in evaluations(self.folder / "e.jsonl", "search")}
        self.assertEqual(points, {(x, y) for x in (0, 0.5, 1) for y in (0.3, 0.85, 1.4)})
        self.assertIn("a map with 3 points a parameter, up to 9 evaluations", done.stdout)
        self.assertEqual((self.folder / "p-map.png").read_bytes()[:4], b"\x89PNG")
        self.assertIn("All shapes of the lattice", (self.folder / "p.html").read_text(encoding="utf-8"))


    def test_a_map_of_misfits_whose_least_is_0_is_drawn(self):
        text = QUICK.replace("{ln_aspect: [0, 1]}", "{ln_aspect: [0, 1], ln_n: [0.3, 1.4]}").replace("{name: cmaes, population: 6, seed: 1}", "{name: map, points: 3}")
        done = self.ran(self.file(text + "objective: {wake_of: {ln_aspect: 0.5, ln_n: 0.3}}\n"), "--output", "e.jsonl", "--plot", "p")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("misfit of the wake 0, of the circle's 0.00", done.stdout)
        self.assertEqual((self.folder / "p-map.png").read_bytes()[:4], b"\x89PNG")

    def test_a_map_refuses_seeds(self):
        text = QUICK.replace("{name: cmaes, population: 6, seed: 1}", "{name: map, points: 3}")
        done = self.ran(self.file(text), "--seeds", 2)
        self.assertEqual(done.returncode, 2)
        self.assertIn("omit --seeds", done.stderr)


@unittest.skipUnless(has_optimiser(), "this build has no pagmo")
class Inverse(ShapeCase):
    def test_an_ellipse_is_found_by_its_wake_to_1_percent(self):
        text = QUICK.replace("{max_iterations: 400}", "{tolerance: 1e-5, max_iterations: 2000}")
        done = self.ran(self.file(text + "objective: {wake_of: {ln_aspect: 0.4}}\nuntil: {evaluations: 60}\n"), "--output", "e.jsonl")
        self.assertEqual(done.returncode, 0, done.stderr)
        best = min(evaluations(self.folder / "e.jsonl", "search"), key=lambda e: e["objective"])
        circle = evaluations(self.folder / "e.jsonl", "circle")[0]
        self.assertAlmostEqual(best["parameters"]["ln_aspect"], 0.4, delta=0.004)
        self.assertLess(best["objective"], 1e-4 * circle["objective"])
        self.assertEqual(len(evaluations(self.folder / "e.jsonl", "hidden")), 1)
        self.assertRegex(done.stdout, r"ln_aspect +0\.4 +0\.\d+ +[\d.e-]+ % of the hidden value")


class Messages(ShapeCase):
    def test_an_error_names_file_line_column_and_fix(self):
        done = self.ran(self.file(QUICK.replace("optimiser", "optimizer")))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"s\.yaml:7:1: unknown key 'optimizer'; .*did you mean 'optimiser'\?")

    def test_a_dry_run_prints_the_study_and_writes_nothing(self):
        done = self.ran(self.file(QUICK), "--dry-run", "--output", "e.jsonl")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ln_aspect in [0, 1]", done.stdout)
        self.assertFalse((self.folder / "e.jsonl").exists())

    def test_the_shipped_files_are_valid(self):
        for path in sorted((ROOT / "shapes").glob("*.yaml")):
            with self.subTest(path.name):
                self.assertEqual(self.ran(path, "--dry-run").returncode, 0)
                self.assertTrue(path.read_text(encoding="utf-8").startswith("# "))

    def test_a_build_without_pagmo_says_which_package_to_install(self):
        if has_optimiser():
            self.skipTest("this build has pagmo")
        done = self.ran(self.file(QUICK))
        self.assertEqual(done.returncode, 1)
        self.assertIn("apt install libpagmo-dev", done.stderr)


if __name__ == "__main__":
    unittest.main()
