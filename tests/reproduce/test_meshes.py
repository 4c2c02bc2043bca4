"""Measures and rows of experiments on meshes."""

import unittest

import support  # noqa: F401  (finds the packages)
from scenarios import AGREES, MESHES, operator, renumbered
from support import DOCUMENTS, compared, measured, mesh_kernel
from test_plan import read

from cfdmark.published.nodes import BadFile
from cfdmark.records.records import Record
from cfdmark.reproduce.measure_parts import row
from cfdmark.reproduce.measured import Absent
from cfdmark.reproduce.measures import Measure
from cfdmark.reproduce.rows import Row, Rows
from cfdmark.reproduce.verdict import NOT_COMPARABLE

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

    def test_the_table_of_two_devices_is_measured_on_one_and_not_compared(self):
        comparison = compared("menon-table-8.3", AGREES["menon-table-8.3"])
        self.assertEqual({line.verdict.word for line in comparison.lines}, {NOT_COMPARABLE})
        self.assertAlmostEqual(comparison.lines[0].here.value, 0.2 / 95208)
        self.assertAlmostEqual(comparison.lines[0].published.value, 4.4e-9)
        self.assertAlmostEqual(comparison.lines[1].here.value, 0.2 / 568608)
        self.assertIn("needs two GPUs", comparison.lines[-1].verdict.reason)

    def test_renumbering_shows_time_against_numbering_and_when_it_has_paid(self):
        comparison = compared("review-renumber", renumbered(1.7))
        self.assertIn("mesh-numbering", [figure.key for figure in comparison.figures])
        self.assertEqual([table.key for table in comparison.tables], ["mesh-gains", "mesh-costs"])
        self.assertTrue(any("has paid after" in text for text in comparison.why))

    def test_those_that_lack_a_solver_on_meshes_say_so(self):
        lacking = {name for name, document in DOCUMENTS.items() if "unstructured" in (document.data.lacks or "")}
        self.assertEqual(lacking, {"menon-figure-7.3", "menon-figure-7.4", "menon-figure-7.5"})


if __name__ == "__main__":
    unittest.main()
