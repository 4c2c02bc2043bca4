// Partial sums and the force on each cell, by hand.
#include "kernels/partial_sums/partial_sums.hpp"

#include "kernels/surface_force/surface_force.hpp"
#include "tests/catch.hpp"
#include "tests/kernels/middle_cell.hpp"

using namespace cfdmark;
using namespace cfdmark::middle_cell;

TEST_CASE("partial sums by hand: every second value of a row, three of them", "[kernels]") {
  HostField x({8, 3}, Precision::fp64), y({8, 3}, Precision::fp64);
  for (int i = 0; i < 8; ++i) x.set(i, 1, 0, 1 << i), y.set(i, 1, 0, 3 + i);
  const HostField sum = at_cell(0);
  sweep_middle(PartialSum{3, 2}, {.x = x.view(), .sum = sum.view()});
  CHECK(middle(sum) == 2 + 8 + 32);
  sweep_middle(PartialDot{3, 2}, {.x = x.view(), .y = y.view(), .sum = sum.view()});
  CHECK(middle(sum) == 2 * 4 + 8 * 6 + 32 * 8);
  sweep_middle(PartialSum{0, 2}, {.x = x.view(), .sum = sum.view()});
  CHECK(middle(sum) == 0);
}

TEST_CASE("the force on a cell by hand is a term of the sums for drag and lift", "[kernels][flow]") {
  const double body = CellFaces::body().code;
  // As in wall_distances_by_hand_test.cpp: the body is east and north, south is a wall.
  const int here = CellFaces::of(fluid, fixed_velocity, fixed_velocity, fixed_velocity).code;
  const HostField faces = at_cells({double(here), double(all_fluid), body, double(solid), body});
  const HostField p = at_cells({13, 3, 5, 7, 11}), velocity = at_cell(2), force = at_cell(0),
                  walls = at_cell(WallDistances::of({0.5, 0.25, 0.5, 1}).code), on_faces = at_cell(0);
  const auto found = [&](bool along_x, const HostField& distances) {
    sweep_middle(SurfaceForce{.wall = {{.cell = cell}}, .along_x = along_x}, {.faces = faces.view(),
                                                                              .p = p.view(),
                                                                              .distances = distances.view(),
                                                                              .velocity = velocity.view(),
                                                                              .force = force.view()});
    return middle(force);
  };
  CHECK(found(true, walls) == 18 * 0.25 + 6 * (2 + 2));
  CHECK(found(false, walls) == 13 * 0.5 + 6 * (2 + 2));
  // Friction with walls on the faces: 2 3 2 (1/4 / 1/2 + 1/2 / 1/4).
  CHECK(found(true, on_faces) == 18 * 0.25 + 12 * (0.5 + 2));
}
