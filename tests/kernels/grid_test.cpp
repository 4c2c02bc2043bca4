#include <array>
#include <stdexcept>

#include "kernels/core/domain.hpp"
#include "kernels/core/grid.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("a field's memory has each cell and ghost once, in rows that begin at multiples of 32", "[grid]") {
  // 5 cells and two ghosts on either side: 9 of the 32 elements of a row. Three rows of cells, four of
  // ghosts.
  const Grid plane = Grid{5, 3}.with_halo(2);
  CHECK(Layout(plane).pitch == 32);
  CHECK(Layout(plane).plane == 0);
  CHECK(Layout(plane).lead == 32 + 2 * 32);
  CHECK(Layout(plane).elements == 32 + 32 * 7);
  // In 3-D two planes of ghosts on either side of two.
  const Grid box = Grid{5, 3, 2}.with_halo(2);
  CHECK(Layout(box).lead == 32 + 2 * 32 + 2 * 32 * 7);
  CHECK(Layout(box).plane == 32 * 7);
  CHECK(Layout(box).elements == 32 + 32 * 7 * 6);
  // 31 cells and two ghosts do not fit into 32 elements.
  CHECK(Layout(Grid{30, 1}).pitch == 32);
  CHECK(Layout(Grid{31, 1}).pitch == 64);
}

TEST_CASE("loops share a flat grid in parts of 1024 values, the last of which is shorter", "[grid]") {
  const Layout flat(flat_grid(2500));
  CHECK(flat.elements == 32 + 2528);  // 79 lines of 32
  CHECK(flat.lead == 32);
  CHECK(flat.pitch == 1024);
  const LoopRows rows(flat_grid(2500));
  CHECK(std::array{rows.nx, rows.ny, rows.nz} == std::array{1024, 3, 1});
  CHECK(std::array{rows.cells(0), rows.cells(1), rows.cells(2)} == std::array{1024, 1024, 452});
  CHECK(LoopRows(flat_grid(2048)).cells(1) == 1024);
  CHECK(LoopRows(flat_grid(1000)).cells(0) == 1000);
  // The rows of other grids are their own, also of one row with ghosts.
  CHECK(LoopRows(Grid{2500, 1}).count() == 1);
  CHECK(LoopRows(Grid{5, 4, 3}).count() == 12);
  CHECK(LoopRows(Grid{5, 4, 3}).cells(11) == 5);
}

TEST_CASE("a plane of a 3-D grid is 3-D and has another name than a 2-D grid", "[grid]") {
  CHECK_FALSE(Grid{8, 8}.is_3d());
  CHECK(Grid{8, 8, 2}.is_3d());
  const Grid plane{8, 8, 1, 3};
  CHECK(plane.is_3d());
  CHECK(Layout(plane).elements == 32 + 32 * 10 * 3);  // it has ghosts in z
  CHECK(grid_text(plane) == "8x8x1");
  CHECK(grid_from("8x8x1") == plane);
  CHECK(grid_from("8x8") == Grid{8, 8});
  CHECK_FALSE(plane == Grid{8, 8});
}

TEST_CASE("a row of n cells has n + 1 faces, and as many as cells in the other directions", "[grid]") {
  const auto sides = [](const Grid& g) { return std::array{g.nx, g.ny, g.nz, g.dims}; };
  const Grid g{5, 4, 3}, flat{5, 4};
  CHECK(sides(g.at(FieldPlace::cell)) == std::array{5, 4, 3, 3});
  CHECK(sides(g.at(FieldPlace::face_x)) == std::array{6, 4, 3, 3});
  CHECK(sides(g.at(FieldPlace::face_y)) == std::array{5, 5, 3, 3});
  CHECK(sides(g.at(FieldPlace::face_z)) == std::array{5, 4, 4, 3});
  CHECK(sides(g.at(FieldPlace::node)) == std::array{6, 5, 4, 3});
  CHECK(sides(flat.at(FieldPlace::face_x)) == std::array{6, 4, 1, 2});
  CHECK(sides(flat.at(FieldPlace::node)) == std::array{6, 5, 1, 2});
}

TEST_CASE("a domain and its text are one another's, for grids, meshes and matrices", "[domain]") {
  for (const char* text :
       {"512x512", "8x8x1", "64x32x16", "triangles-178x178", "triangles-120x120+17256", "triangles-3x4-seed7",
        "triangles-3x4-seed0", "tetrahedra-7x22x271+8629", "tetrahedra-2x2x2+1-seed12", "shaft.msh",
        "parts/shaft.msh-1a2b", "poisson-100x100", "poisson_3d-8x8x8", "A.mtx", "in/A.mtx-1a2b",
        "A.mtx+b.mtx", "a-b.mtx-1a+b+c.mtx-2b", "poisson-4x4+b.mtx-5c"})
    CHECK(domain_from(text).text() == text);
  CHECK(domain_from("triangles-3x4-seed1").text() == "triangles-3x4");  // the default
  CHECK(domain_from("8x8x1").box() == Grid{8, 8, 1, 3});
  CHECK(domain_from("triangles-120x120+17256").cells() == 63312);
  CHECK(domain_from("tetrahedra-7x22x271+8629").cells() == 276291);
  CHECK(domain_from("triangles-4x4").dims() == 2);
  CHECK(domain_from("tetrahedra-4x4x4").dims() == 3);
  CHECK(Domain(MeshRef{.dims = 3, .file = "shaft.msh", .checksum = "1a2b", .cells_of_file = 5}).text() ==
        "shaft.msh-1a2b");
}

TEST_CASE("a text that is not a domain is an error, and so is the wrong kind of domain", "[domain]") {
  for (const char* text : {"",
                           "512",
                           "512x",
                           "0x4",
                           "4x4x4x4",
                           "triangles",
                           "triangles-4",
                           "triangles-4x4x4",
                           "tetrahedra-4x4",
                           "triangles-4x4+",
                           "triangles-4x4+0",
                           "triangles-4x4-seed",
                           "triangles-4x4 ",
                           "Hexahedra-4x4x4",
                           "triangles-65536x65536",
                           ".msh",
                           "a.msh-",
                           "a.msh-xyz",
                           "a.msh2",
                           ".mtx",
                           "a.mtx-",
                           "a.mtx-xyz",
                           "a.mtx+b",
                           "a.mtx+b.mtx-",
                           "poisson-4",
                           "poisson-4x4+",
                           "3d-4x4"})
    CHECK_THROWS_AS(domain_from(text), std::invalid_argument);
  CHECK_THROWS_AS(domain_from("4x4").mesh(), std::logic_error);
  CHECK_THROWS_AS(domain_from("triangles-4x4").box(), std::logic_error);
}
