// The mesh and groups that the reader of Gmsh's files returns.
#include "kernels/mesh/files/read_msh.hpp"

#include "tests/bench/temporary_folder.hpp"
#include "tests/mesh/files/mesh_texts.hpp"

using namespace cfdmark;

namespace {

using Ints = std::vector<int>;

std::string with_crlf(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '\n' ? "\r\n" : std::string(1, c);
  return out;
}

void check_square(const MeshFile& file) {
  CHECK(file.mesh.dims == 2);
  CHECK(file.mesh.nodes == std::vector<Point>{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}});
  CHECK(file.mesh.cell_nodes == Ints{0, 1, 2, 0, 2, 3});
  CHECK(file.groups == std::vector<PhysicalGroup>{{1, 7, "lid"}, {1, 8, "the other wall"}});
  CHECK(file.group_face_nodes == Ints{0, 1, 2, 3});
  CHECK(file.group_face_tags == Ints{8, 7});
  CHECK(file.reoriented_cells == 0);
  CHECK(file.unused_nodes == 0);
}

}  // namespace

TEST_CASE("versions 2.2 and 4.1 of one mesh give the same nodes, cells and groups") {
  check_square(read_msh(square_2_2, "test.msh"));
  check_square(read_msh(square_4_1, "test.msh"));
}

TEST_CASE("line ends of Windows change nothing") {
  check_square(read_msh(with_crlf(square_2_2), "test.msh"));
  check_square(read_msh(with_crlf(square_4_1), "test.msh"));
}

TEST_CASE("blank lines, comments and unknown sections are skipped") {
  const std::string extra = "\n$Comments\nNodes\n$EndComments\n$NodeData\n1 2 3\n$EndNodeData\n  \n";
  check_square(read_msh("$Comments\n$Nodes\n$EndComments\n" + square_2_2, "test.msh"));
  check_square(read_msh(with(square_2_2, "$Nodes\n", extra + "$Nodes\n"), "test.msh"));
  check_square(read_msh(with(square_4_1, "$Nodes\n", extra + "$Nodes\n") + extra, "test.msh"));
}

TEST_CASE("versions 2.0 to 2.2 are read alike, however their number is written") {
  for (const char* version : {"2", "2.0", "2.000000", "2.1", "2.20"})
    check_square(read_msh(with(square_2_2, "2.2 0 8", std::string(version) + " 0 8"), "test.msh"));
}

TEST_CASE("a file without a newline at its end is complete") {
  check_square(read_msh(square_2_2.substr(0, square_2_2.size() - 1), "test.msh"));
}

TEST_CASE("in a mesh of tetrahedra triangles are faces in groups") {
  const MeshFile file = read_msh(pair_2_2, "test.msh");
  CHECK(file.mesh.dims == 3);
  CHECK(file.mesh.cell_nodes == Ints{0, 1, 2, 3, 1, 2, 3, 4});
  CHECK(file.group_face_nodes == Ints{0, 2, 1});
  CHECK(file.group_face_tags == Ints{3});
}

TEST_CASE("numbers of nodes may begin at 0, have gaps and any order") {
  const std::string from_0 = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
3
2 1 0 0
0 0 0 0
1 0 1 0
$EndNodes
$Elements
1
0 2 0 0 2 1
$EndElements
)";
  const MeshFile file = read_msh(from_0, "test.msh");
  CHECK(file.mesh.cell_nodes == Ints{1, 0, 2});
  std::string wide =
      with(with(from_0, "\n1 0 1 0", "\n9000000000000000000 0 1 0"), "\n2 1 0 0", "\n40 1 0 0");
  wide = with(wide, "0 2 0 0 2 1", "0 2 0 0 40 9000000000000000000");
  CHECK(read_msh(wide, "test.msh").mesh.cell_nodes == Ints{1, 0, 2});
}

TEST_CASE("cells of negative area or volume are reversed and counted") {
  const MeshFile square = read_msh(with(square_2_2, "1 3 4\n$", "3 1 4\n$"), "test.msh");
  CHECK(square.mesh.cell_nodes == Ints{0, 1, 2, 2, 3, 0});
  CHECK(square.reoriented_cells == 1);
  const MeshFile pair = read_msh(with(pair_2_2, "2 3 4 5\n", "3 2 4 5\n"), "test.msh");
  CHECK(pair.mesh.cell_nodes == Ints{0, 1, 2, 3, 2, 1, 4, 3});
  CHECK(pair.reoriented_cells == 1);
}

TEST_CASE("nodes of no cell are dropped and counted") {
  const std::string more =
      with(with(square_2_2, "$Nodes\n4", "$Nodes\n6"), "\n1 0 0 0", "\n9 5 5 5\n8 0 0 1\n1 0 0 0");
  const MeshFile file = read_msh(more, "test.msh");
  CHECK(file.unused_nodes == 2);
  CHECK(file.mesh.nodes == read_msh(square_2_2, "test.msh").mesh.nodes);
  CHECK(file.mesh.cell_nodes == Ints{0, 1, 2, 0, 2, 3});
  CHECK(file.group_face_nodes == Ints{0, 1, 2, 3});
}

TEST_CASE("triangles in a plane of another z are a mesh in 2-D with z = 0") {
  std::string lifted = square_2_2;
  for (const char* node : {"1 0 0", "2 1 0", "3 1 1", "4 0 1"})
    lifted = with(lifted, std::string("\n") + node + " 0", std::string("\n") + node + " 2.5");
  CHECK(read_msh(lifted, "test.msh").mesh.nodes == read_msh(square_2_2, "test.msh").mesh.nodes);
}

TEST_CASE("a face of two groups is listed with both tags") {
  const MeshFile two_lines =
      read_msh(with(with(square_2_2, "ts\n5", "ts\n6"), "3 1 2 7 3 3 4\n", "3 1 2 7 3 3 4\n6 1 2 9 3 4 3\n"),
               "test.msh");
  CHECK(two_lines.group_face_tags == Ints{8, 7, 9});
  const MeshFile two_tags = read_msh(with(square_4_1, "1 7 2 3 -4", "2 7 9 2 3 -4"), "test.msh");
  CHECK(two_tags.group_face_tags == Ints{8, 7, 9});
  CHECK(two_tags.group_face_nodes == Ints{0, 1, 2, 3, 2, 3});
}

TEST_CASE("parametric coordinates of version 4.1 are skipped") {
  const MeshFile file = read_msh(with(with(with(with(square_4_1, "2 1 0 3\n", "2 1 1 3\n"),
                                                "\n1 0 0\n1 1 0\n", "\n1 0 0 .5 .5\n1 1 0 1 1\n"),
                                           "\n0 1 0\n$", "\n0 1 0 7 nan\n$"),
                                      "0 1 0 1\n", "0 1 1 1\n"),
                                 "test.msh");
  check_square(file);
}

TEST_CASE("a missing file and a folder are errors that name them") {
  const TemporaryFolder folder;
  for (const std::string& path : {folder / "absent.msh", folder.path.string()}) {
    try {
      read_msh_file(path);
      FAIL("the file was accepted");
    } catch (const MeshFileError& error) {
      CHECK(error.fault == MeshFault::unreadable);
      CHECK(error.file == path);
      CHECK(error.unit == PlaceUnit::file);
    }
  }
}
