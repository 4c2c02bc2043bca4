"""A mesh is drawn with its cells coloured by number, and a file that is spoiled is refused with its reason."""

import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import support

from cfdmark.plot.mesh import read_mesh
from cfdmark.records.records import BadInput

PNG = b"\x89PNG\r\n"
SQUARE = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)]
HALVES = [(0, 1, 2), (1, 3, 2)]
# A tetrahedron on the plane z = 0 and one above it that touches the plane with an edge only.
STACKED = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 1)]
TETRAHEDRA = [(1, 2, 4, 3), (0, 1, 2, 3)]


def vtu(points, cells, kind: int, ranks=None) -> bytes:
    """A file as `cfdmark mesh --output` writes it; with `ranks` as after --ranks."""
    ends = [(n + 1) * len(cells[0]) for n in range(len(cells))]
    arrays = [
        ("Float64", "Points", 3, np.array(points, "<f8").tobytes()),
        ("Int32", "connectivity", 1, np.array(cells, "<i4").tobytes()),
        ("Int64", "offsets", 1, np.array(ends, "<i8").tobytes()),
        ("UInt8", "types", 1, bytes([kind] * len(cells))),
    ]
    if ranks is not None:
        arrays.append(("Float64", "rank", 1, np.array(ranks, "<f8").tobytes()))
    head, data = "", b""
    for said, name, components, values in arrays:
        head += f'<DataArray type="{said}" Name="{name}" NumberOfComponents="{components}" format="appended" offset="{len(data)}"/>\n'
        data += struct.pack("<Q", len(values)) + values
    return f'<VTKFile>{head}<AppendedData encoding="raw">\n_'.encode() + data + b"\n  </AppendedData>\n</VTKFile>\n"


class PlotMesh(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def written(self, content: bytes) -> Path:
        path = self.folder / "mesh.vtu"
        path.write_bytes(content)
        return path

    def refused(self, content: bytes, reason: str):
        with self.assertRaisesRegex(BadInput, f"mesh.vtu: .*{reason}"):
            read_mesh(self.written(content))

    def test_the_command_writes_a_picture(self):
        path = self.written(vtu(SQUARE, HALVES, 5))
        words = [sys.executable, support.SCRIPTS / "cfdmark", "plot-mesh", path, self.folder / "mesh.png"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue((self.folder / "mesh.png").read_bytes().startswith(PNG))

    def test_triangles_have_the_numbers_of_their_places_in_the_file(self):
        mesh = read_mesh(self.written(vtu(SQUARE, HALVES, 5)))
        self.assertEqual((mesh.triangles, mesh.numbers, mesh.cells), ([[0, 1, 2], [1, 3, 2]], [0, 1], 2))

    def test_of_tetrahedra_the_faces_of_the_lowest_plane_are_drawn(self):
        mesh = read_mesh(self.written(vtu(STACKED, TETRAHEDRA, 10)))
        self.assertEqual((mesh.triangles, mesh.numbers, mesh.cells), ([(0, 1, 2)], [1], 2))

    def test_cells_have_the_ranks_of_the_file_and_are_drawn_in_their_colours(self):
        path = self.written(vtu(SQUARE, HALVES, 5, [1, 0]))
        self.assertEqual(read_mesh(path).ranks, [1, 0])
        words = [sys.executable, support.SCRIPTS / "cfdmark", "plot-mesh", path, self.folder / "parts.png", "--colour", "rank"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertTrue((self.folder / "parts.png").read_bytes().startswith(PNG))

    def test_ranks_that_are_absent_or_no_numbers_are_refused(self):
        path = self.written(vtu(SQUARE, HALVES, 5))
        self.assertIsNone(read_mesh(path).ranks)
        words = [sys.executable, support.SCRIPTS / "cfdmark", "plot-mesh", path, self.folder / "parts.png", "--colour", "rank"]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("there is no array rank", done.stderr)
        for ranks in ([0], [0, -1], [0, 0.5], [0, 2]):
            self.refused(vtu(SQUARE, HALVES, 5, ranks), "array rank must have a whole number for each cell")

    def test_a_file_that_cannot_be_drawn_is_refused_with_its_reason(self):
        whole = vtu(SQUARE, HALVES, 5)
        self.refused(b"<VTKFile>", "no appended raw arrays")
        self.refused(whole[: whole.index(b"_") + 30], "is incomplete")
        self.refused(whole.replace(b'Name="types"', b'Name="kinds"'), "no array types")
        self.refused(vtu(SQUARE, [(0, 1, 9)], 5), "a node that does not exist")
        self.refused(vtu(SQUARE, HALVES, 9), "triangles or tetrahedra")
        self.refused(vtu(SQUARE, HALVES * 10_001, 5), "20,002 cells; 1 to 20,000 can be drawn")
        self.refused(vtu(STACKED, TETRAHEDRA[:1], 10), "no side to draw")

    def test_a_missing_file_and_a_missing_folder_end_with_their_statuses(self):
        for source, target, status in (("none.vtu", "a.png", 2), ("mesh.vtu", "none/a.png", 3)):
            self.written(vtu(SQUARE, HALVES, 5))
            words = [sys.executable, support.SCRIPTS / "cfdmark", "plot-mesh", self.folder / source, self.folder / target]
            self.assertEqual(subprocess.run(words, capture_output=True, check=False).returncode, status)


if __name__ == "__main__":
    unittest.main()
