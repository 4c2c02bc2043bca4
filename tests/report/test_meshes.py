"""The report of records on meshes, from invented records whose answer is known by hand."""

import unittest

import support
from support import HERE, dataset_of, kernel, section, sections_of, synthetic, table

from cfdmark.records import meshes
from cfdmark.records.records import Record, read_files
from cfdmark.report.drawing import draw
from cfdmark.report.model import LinePanel, StripPanel
from cfdmark.report.palette import Palette
from cfdmark.report.renderers import csv, html, latex, markdown, terminal

MESHES = HERE / "fixtures" / "meshes.jsonl"


def read():
    return read_files([MESHES])


def on_mesh(name: str, mesh: str = "triangles-2x2", **more) -> Record:
    raw = kernel(name=name, samples=[2e-6] * 6, **more)
    del raw["grid"]
    return Record({**raw, "mesh": mesh, "nodes": 8, "case": f"{name}/serial/fp64/plain@{mesh}"})


class Unknowns(unittest.TestCase):
    def test_are_the_entities_whose_values_a_kernel_produces(self):
        facts = {"cells": 8, "faces": 16, "edges": 98, "nodes": 9, "boundary_faces": 7}
        counts = {
            "mesh_gradient": 16,
            "mesh_divergence": 8,
            "mesh_curl": 16,
            "mesh_rotation": 9,
            "mesh_interpolation": 8,
            "mesh_integration": 16,
            "mesh_flux": 16,
            "mesh_boundary": 7,
            "mesh_node_gradient": 8,
            "mesh_dual_flux": 9,
        }
        for name, count in counts.items():
            with self.subTest(name):
                self.assertEqual(meshes.unknowns(on_mesh(name, mesh_facts={"dims": 2, **facts})), count)

    def test_of_a_rotation_are_edges_of_tetrahedra(self):
        rotation = on_mesh("mesh_rotation", "tetrahedra-1x1x1", mesh_facts={"dims": 3, "edges": 98, "nodes": 9})
        self.assertEqual((meshes.unknowns(rotation), meshes.unknown_text(rotation)), (98, "edge"))

    def test_of_a_kernel_that_is_not_known_here_are_what_it_runs_over(self):
        own = on_mesh("mesh_own", cost={"bytes": 100.0, "cells": 5})
        self.assertEqual((meshes.unknowns(own), meshes.unknown_text(own)), (5, "entity"))
        self.assertAlmostEqual(meshes.time_an_unknown(own).value, 4e-7)

    def test_that_no_fact_counts_are_none(self):
        self.assertIsNone(meshes.unknowns(on_mesh("mesh_gradient")))
        self.assertIsNone(meshes.time_an_unknown(on_mesh("mesh_gradient")))


class Meshes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dataset = read()
        cls.section = section(cls.dataset, "meshes")

    def row(self, key: str, **wanted) -> dict:
        (found,) = [r for r in table(self.section, key) if all(str(r[k]) == v for k, v in wanted.items())]
        return found

    def test_every_line_of_the_fixture_is_a_record(self):
        self.assertEqual((len(self.dataset.records), self.dataset.warnings), (35, []))

    def test_a_row_has_its_time_and_bytes_per_unknown_and_its_share_of_the_ceiling(self):
        row = self.row("meshes", kernel="mesh_gradient", mesh="triangles-30x30", numbering="random", row="cuda/plain")
        self.assertEqual((row["unknown"], row["unknowns"]), ("face", 2760))
        self.assertAlmostEqual(row["one"].value, 25e-12)
        self.assertEqual((row["compulsory"], row["requested"]), (14, 20))
        self.assertAlmostEqual(row["bandwidth"] / 1e9, 560)  # 14 B in 25 ps
        self.assertAlmostEqual(row["fraction"].value, 0.14)  # of 4 TB/s
        self.assertAlmostEqual(row["asked"] / 1e9, 800)
        self.assertAlmostEqual(row["asked_fraction"], 0.2)
        self.assertIn("bit for bit", row["check"])

    def test_a_method_that_is_not_exact_says_so(self):
        row = self.row("meshes", kernel="mesh_divergence", numbering="hilbert", row="cuda/atomic")
        self.assertIn("not bit for bit", row["check"])

    def test_a_numbering_has_paid_when_its_seconds_are_saved(self):
        row = self.row("mesh-gains", kernel="mesh_gradient", mesh="triangles-30x30", numbering="hilbert", row="serial/plain")
        # 2 ms to number; a step takes 2.208 us, as generated 2.76 us, at random 6.9 us
        self.assertEqual((row["pays_lattice"], row["pays_random"]), (3624, 427))
        self.assertAlmostEqual(row["lattice"].value, 1.25)
        self.assertAlmostEqual(row["random"].value, 3.125)

    def test_a_numbering_that_is_slower_never_pays(self):
        row = self.row("mesh-gains", kernel="mesh_gradient", mesh="triangles-30x30", numbering="rcm", row="serial/plain")
        self.assertIsNone(row["pays_lattice"])
        self.assertEqual(row["pays_random"], 1160)

    def test_the_cost_of_a_numbering_stands_with_how_far_cells_lie_apart(self):
        row = self.row("mesh-costs", mesh="tetrahedra-6x6x6", numbering="rcm")
        self.assertEqual((row["number"], row["connect"], row["mean"], row["same_line"]), (4e-3, 6e-3, 25.0, 0.4))
        self.assertEqual(len(table(self.section, "mesh-costs")), 8)

    def test_the_finding_names_the_kernel_that_numbering_matters_most_to(self):
        self.assertIn("The numbering matters most for mesh_", self.section.finding)
        self.assertIn("hilbert is 3.12 [3.11, 3.14] times as fast as random", self.section.finding)

    def test_a_figure_has_a_dot_for_each_numbering_and_another_a_line_for_each_backend(self):
        strips, by_size = self.section.figures[0], self.section.figures[1:]
        self.assertTrue(all(isinstance(panel, StripPanel) for panel in strips.panels))
        self.assertEqual([panel.title for panel in strips.panels],
                         ["serial, triangles-30x30", "cuda, triangles-30x30", "serial, tetrahedra-6x6x6", "cuda, tetrahedra-6x6x6"])
        colours = [dot.colour for dot in strips.panels[0].rows[0][1]]
        self.assertEqual(colours, [f"numbering:{n}" for n in ("hilbert", "lattice", "rcm", "random")])
        self.assertEqual(by_size, [])  # each kind of mesh has one size
        self.assertTrue(all(draw(panel, Palette(self.dataset), "x") for panel in strips.panels))

    def test_two_sizes_of_a_mesh_make_a_line(self):
        larger = []
        for record in self.dataset.ok():
            if record.mesh == "triangles-30x30":
                facts = {**record.section("mesh_facts"), "faces": 11000, "cells": 7200}
                raw = {**record.raw, "mesh": "triangles-60x60", "nodes": 7200, "mesh_facts": facts}
                larger.append({**raw, "case": record.case.replace("30x30", "60x60")})
        (figure,) = section(dataset_of(*[r.raw for r in self.dataset.records], *larger), "meshes").figures[1:]
        self.assertTrue(all(isinstance(panel, LinePanel) for panel in figure.panels))
        self.assertEqual({panel.title for panel in figure.panels}, {"mesh_gradient, triangles", "mesh_divergence, triangles"})
        self.assertEqual([(panel.x.label, [s.label for s in panel.series]) for panel in figure.panels], [("cells", ["serial", "cuda"])] * 2)

    def test_a_report_without_meshes_says_so(self):
        self.assertEqual(section(synthetic(), "meshes").empty, "No kernel was measured on a mesh.")


class WholeReports(unittest.TestCase):
    def test_every_format_shows_records_on_meshes(self):
        dataset = read()
        made = sections_of(dataset)
        title = "meshes"
        for text in (markdown.render(made, title), latex.render(made, title), terminal.render(made, title, False),
                     html.render(made, title, dataset), *csv.render_files(made).values()):
            self.assertTrue(text)

    def test_records_on_grids_and_on_meshes_stand_in_one_report(self):
        both = read_files([MESHES, support.SYNTHETIC])
        made = {s.key: s for s in sections_of(both)}
        self.assertEqual(made["meshes"].tables[0].rows, section(read(), "meshes").tables[0].rows)
        self.assertTrue(all(s.title for s in made.values()))

    def test_other_sections_compare_rows_in_one_numbering(self):
        rows = table(section(read(), "headline"), "headline")
        named = [(row["what"], row["grid"]) for row in rows]
        self.assertEqual(named, [("mesh_divergence", "triangles-30x30"), ("mesh_divergence 3-D", "tetrahedra-6x6x6"),
                                 ("mesh_gradient", "triangles-30x30"), ("mesh_gradient 3-D", "tetrahedra-6x6x6")])
        self.assertEqual(len(table(section(read(), "cases"), "cases")), 35)


if __name__ == "__main__":
    unittest.main()
