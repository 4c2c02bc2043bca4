"""Measures and rows of experiments on meshes."""

import unittest

import support  # noqa: F401  (finds the packages)
from scenarios import AGREES, MESHES, operator, renumbered
from support import DOCUMENTS, compared, measured, mesh_kernel, mesh_solver
from test_plan import read

from cfdmark.published.nodes import BadFile
from cfdmark.records.records import Record
from cfdmark.reproduce.measure_parts import row
from cfdmark.reproduce.measured import Absent
from cfdmark.reproduce.measures import Measure
from cfdmark.reproduce.rows import Row, Rows
from cfdmark.reproduce.verdict import DIFFERS, NOT_COMPARABLE, SAME_DIRECTION

TABLE = "tetrahedra-7x22x271+8629"  # 276,291 cells, 568,608 faces


def value(records: list[dict], text: str, **named: dict):
    word, *rows = text.split()
    plan = {name: Row({"kind": "kernel", **wanted}) for name, wanted in named.items()}
    return Measure(word, tuple(rows)).value(Rows(measured(*records), plan)).quantity


class Scenarios(unittest.TestCase):
    def test_invented_records_have_the_counts_of_the_table(self):
        facts = [mesh_kernel("mesh_gradient", "cuda/fp32/plain", mesh, 1.0)["mesh_facts"] for mesh in (TABLE, "triangles-120x120+17256")]
        self.assertEqual([(f["cells"], f["faces"]) for f in facts], [(276291, 568608), (63312, 95208)])
        self.assertEqual(facts[0]["edges"], facts[0]["nodes"] + 292316)


class Measures(unittest.TestCase):
    def test_time_and_bytes_are_of_a_face_of_a_gradient_and_of_a_cell_of_a_divergence(self):
        for name, count in (("mesh_gradient", 568608), ("mesh_divergence", 276291)):
            records = [mesh_kernel(name, "cuda/fp32/plain", TABLE, 3e-3)]
            of = {"a": {"name": name}}
            self.assertAlmostEqual(value(records, "time_an_unknown a", **of).value * count, 3e-3)
            self.assertAlmostEqual(value(records, "bytes_an_unknown a", **of).value * count, 14 * 568608)
            self.assertAlmostEqual(value(records, "requested_an_unknown a", **of).value * count, 20 * 568608)
            self.assertEqual(value(records, "unknowns a", **of).value, count)

    def test_a_numbering_has_paid_when_its_seconds_are_saved(self):
        records = [mesh_kernel("mesh_gradient", "cuda/fp32/plain", TABLE, s, n) for n, s in (("random", 2e-3), ("hilbert", 1e-3))]
        rows = {n: {"name": "mesh_gradient", "numbering": n} for n in ("random", "hilbert")}
        self.assertEqual(value(records, "steps_to_pay hilbert random", **rows).value, 500)  # 0.5 s, 1 ms a step
        with self.assertRaisesRegex(Absent, "random is not faster than hilbert"):
            value(records, "steps_to_pay random hilbert", **rows)

    def test_a_row_is_named_with_its_mesh_and_numbering(self):
        record = Record(mesh_kernel("mesh_gradient", "cuda/fp32/plain", TABLE, 1e-3, "hilbert"))
        self.assertEqual(row(record), f"cuda/plain {TABLE}, hilbert")

    def test_a_row_of_one_kind_of_mesh_never_has_records_of_the_other(self):
        records = operator("mesh_gradient", 0.2)
        for kind, count in (("triangles", 1), ("tetrahedra", 2)):
            wanted = {"name": "mesh_gradient", "backend": "cuda", "numbering": "lattice", "mesh_kind": kind}
            found = measured(*records).by_grid(**wanted)
            self.assertEqual({r.mesh_kind for r in found}, {kind})
            self.assertEqual(len(found), count)


class Stages(unittest.TestCase):
    MESH = "triangles-120x120+17256"  # 63,312 cells, 95,208 faces, 31,897 nodes
    TOLD = [{"name": "momentum", "seconds": 6.0, "calls": 3}, {"name": "pressure", "seconds": 1.5, "calls": 3}]

    def value(self, text: str, routines: list[dict] = TOLD, name: str = "fractional_step", **iterations: float) -> float:
        record = mesh_solver(name, "serial/fp32/plain", self.MESH, 9.0, 3, "mesh_cavity", routines=routines, **iterations)
        return value([record], text, a={"kind": "solver", "name": name})

    def test_time_is_of_a_face_of_momentum_and_of_a_cell_of_the_pressure_in_an_iteration(self):
        momentum = self.value("momentum_time a", momentum_iterations=20.0)
        self.assertAlmostEqual(momentum.value * 3 * 20 * 95208, 6.0)
        self.assertEqual((momentum.has_interval, momentum.count), (False, "one sample"))
        pressure = self.value("pressure_time a", pressure_iterations=400.0)
        self.assertAlmostEqual(pressure.value * 3 * 400 * 63312, 1.5)

    def test_time_of_the_stream_function_is_of_a_node(self):
        told = [{"name": "stream function", "seconds": 2.0, "calls": 4}]
        stream = self.value("stream_time a", told, "exact_step", stream_iterations=50.0)
        self.assertAlmostEqual(stream.value * 4 * 50 * 31897, 2.0)

    def test_share_is_that_of_all_routines(self):
        self.assertAlmostEqual(self.value("momentum_of_step a").value, 0.8)
        self.assertAlmostEqual(self.value("pressure_of_step a").value, 0.2)

    def test_a_solve_that_was_not_timed_by_routine_has_no_time_of_a_stage(self):
        for text in ("momentum_time a", "momentum_of_step a", "faster_momentum a a"):
            with self.assertRaisesRegex(Absent, "has no time of the routine 'momentum'"):
                self.value(text, [], momentum_iterations=20.0)

    def test_without_the_number_of_iterations_there_is_no_time_of_one(self):
        with self.assertRaisesRegex(Absent, "no time of the routine 'momentum'"):
            self.value("momentum_time a")
        with self.assertRaisesRegex(Absent, "has no iterations of this stage"):
            self.value("momentum_iterations a")


class Plans(unittest.TestCase):
    def refused(self, said: str, expected: str):
        laplace = support.PUBLISHED.joinpath("review-laplace.yaml").read_text(encoding="utf-8")
        changed = laplace.replace("backend: serial, methods: plain}", f"backend: serial, methods: plain, {said}}}", 1)
        self.assertNotEqual(laplace, changed)
        with self.assertRaisesRegex(BadFile, expected):
            read(changed)

    def test_a_kind_of_mesh_is_triangles_or_tetrahedra(self):
        self.refused("mesh: hexahedra", "it is one of triangles, tetrahedra")

    def test_a_mesh_that_cannot_be_is_refused(self):
        self.refused("grid: triangles-20", "or a mesh, triangles-178x178")


class Experiments(unittest.TestCase):
    def test_operators_are_compared_on_both_kinds_of_mesh(self):
        for name in (f"menon-figure-5.{n}" for n in range(2, 7)):
            with self.subTest(name):
                lines = compared(name, AGREES[name]).lines
                self.assertEqual([line.what for line in lines[:2]], ["GPU against one core, tetrahedra", "GPU against one core, triangles"])
                self.assertIn(MESHES[1], lines[0].rows)
                self.assertIn(MESHES[2], lines[1].rows)

    def test_the_table_of_two_devices_says_what_was_not_measured_where_there_is_one(self):
        comparison = compared("menon-table-8.3", AGREES["menon-table-8.3"])
        self.assertEqual({line.verdict.word for line in comparison.lines}, {NOT_COMPARABLE})
        self.assertAlmostEqual(comparison.lines[0].here.value, 0.2 / 95208)
        self.assertAlmostEqual(comparison.lines[0].published.value, 4.4e-9)
        self.assertAlmostEqual(comparison.lines[1].here.value, 0.2 / 568608)
        self.assertIn("with numbering=lattice, ranks=2, exchange=host", comparison.lines[-1].verdict.reason)

    def test_two_gpus_with_a_part_each_stand_for_the_two_of_the_table(self):
        given = AGREES["menon-table-8.3"]
        gpu = next(r for r in given if r["backend"] == "cuda")
        core = next(r for r in given if r["backend"] == "serial")

        def ranked(record: dict, seconds: float, **config: str) -> dict:
            time = {**record["time"], "samples": [seconds] * 6, "median": seconds, "ci_low": seconds, "ci_high": seconds}
            return {**record, "case": record["case"] + str(config), "config": {"ranks": 2, **config}, "time": time}

        records = [*given, ranked(core, 0.6, partition="bisection", overlap="inner_first"),
                   ranked(gpu, 0.3, partition="bisection", exchange="host"), ranked(gpu, 0.15, partition="metis", exchange="store")]
        comparison = compared("menon-table-8.3", records)
        lines = {line.what: line for line in comparison.lines}
        line = lines["two GPUs against two CPUs, triangles; two ranks of a host stand for these"]
        self.assertAlmostEqual(line.here.value, 2.0)  # by way of the hosts
        self.assertAlmostEqual(line.fair.value, 0.5 / 0.15)  # against all cores
        self.assertAlmostEqual(line.published.value, 1.2 / 0.44)
        self.assertEqual(line.verdict.word, SAME_DIRECTION)
        self.assertAlmostEqual(lines["a face of the triangles, two GPUs here and in the table"].here.value, 0.3 / 95208)
        self.assertIsNone(lines["a face of the tetrahedra, two GPUs here and in the table"].here)
        self.assertTrue(any(text.startswith("Two GPUs, triangles: ") for text in comparison.why))

    def test_two_ranks_that_overlap_stand_for_the_two_processors_of_the_table(self):
        given = AGREES["menon-table-8.3"]
        core = next(r for r in given if r["backend"] == "serial")

        def ranked(overlap: str, seconds: float) -> dict:
            config = {"ranks": 2, "partition": "bisection", "overlap": overlap}
            time = {**core["time"], "samples": [seconds] * 6, "median": seconds, "ci_low": seconds, "ci_high": seconds}
            return {**core, "case": f"{core['case']}{overlap}", "config": config, "time": time}

        both = [*given, ranked("none", 0.7), ranked("inner_first", 0.6)]
        what = "a face of the triangles, two ranks of a host here and two CPUs in the table"
        line = next(line for line in compared("menon-table-8.3", both).lines if line.what == what)
        self.assertAlmostEqual(line.here.value, 0.6 / 95208)
        self.assertAlmostEqual(line.published.value, 1.2e-8)
        self.assertEqual(line.verdict.word, NOT_COMPARABLE)
        without = next(line for line in compared("menon-table-8.3", given).lines if line.what == what)
        self.assertIsNone(without.here)

    def test_renumbering_shows_time_against_numbering_and_when_it_has_paid(self):
        comparison = compared("review-renumber", renumbered(1.7))
        self.assertIn("mesh-numbering", [figure.key for figure in comparison.figures])
        self.assertEqual([table.key for table in comparison.tables], ["mesh-gains", "mesh-costs"])
        self.assertTrue(any("has paid after" in text for text in comparison.why))

    def test_conduction_is_compared_on_triangles_and_on_a_bar_with_the_counts_of_the_crankshaft(self):
        triangles, bar = compared("menon-figure-6.3", AGREES["menon-figure-6.3"]).lines
        for line in (triangles, bar):
            self.assertAlmostEqual(line.here.value, 2.5)
        self.assertIn("triangles-1000x1000", triangles.rows)
        self.assertIn("tetrahedra-5x45x129+1445", bar.rows)
        self.assertAlmostEqual(triangles.fair.value, 0.25 / 0.05)

    def test_a_system_of_a_step_is_compared_by_its_own_time_and_not_that_of_the_step(self):
        both = AGREES["menon-figure-7.3"]  # momentum is faster on the GPU, all else takes as long as on one core
        momentum, pressure = (compared(f"menon-figure-7.{n}", both).lines[0] for n in (3, 4))
        self.assertAlmostEqual(momentum.here.value, 1 / 0.35)
        self.assertAlmostEqual(momentum.fair.value, 0.5 / 0.35)
        self.assertIn("by one sample", momentum.verdict.reason)
        self.assertAlmostEqual(pressure.here.value, 1)
        self.assertEqual(pressure.verdict.word, DIFFERS)

    def test_a_time_of_the_stream_function_is_that_of_a_node(self):
        comparison = compared("menon-figure-7.5", AGREES["menon-figure-7.5"])
        self.assertIn("triangles-707x707", comparison.lines[0].rows)
        self.assertIn("triangles-120x120+17256", comparison.lines[1].rows)
        self.assertEqual([table.key for table in comparison.tables], ["stream", "iterations"])
        self.assertTrue(any("50 iterations a step" in text for text in comparison.why))

    def test_no_experiment_lacks_a_solver_on_meshes(self):
        self.assertEqual([name for name, document in DOCUMENTS.items() if "unstructured" in (document.data.lacks or "")], [])


if __name__ == "__main__":
    unittest.main()
