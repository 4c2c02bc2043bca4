// Walls at true distances by hand, on one cell: D is 3/2 in x and 6 in y.
#include "kernels/wall_distances/wall_distances.hpp"

#include "tests/catch.hpp"
#include "tests/kernels/middle_cell.hpp"

using namespace cfdmark;
using namespace cfdmark::middle_cell;

namespace {

// Returns aW, aE, aS, aN, aP, bu, bv of Momentum, or of WallMomentum with a code of distances.
struct Equations {
  double west, east, flow_south, flow_north;  // mass flow through the faces in positive x and y
  int faces;

  template <class K>
  std::vector<double> of(const K& kernel, [[maybe_unused]] int distances = 0) const {
    const HostField mass_x = at_faces_x(west, east), mass_y = at_faces_y(flow_south, flow_north),
                    kinds = at_cell(faces), u = at_cells({13, 3, 5, 7, 11}), v = at_cells({2, 1, 4, 6, 10}),
                    px = at_cell(16), py = at_cell(-8), walls = at_cell(distances);
    const HostField out[7] = {at_cell(0), at_cell(0), at_cell(0), at_cell(0),
                              at_cell(0), at_cell(0), at_cell(0)};
    typename K::template Fields<AnyViews> fields{};
    fields.mass_x = mass_x.view(), fields.mass_y = mass_y.view(), fields.faces = kinds.view();
    fields.u = u.view(), fields.v = v.view(), fields.px = px.view(), fields.py = py.view();
    fields.west = out[0].view(), fields.east = out[1].view(), fields.south = out[2].view();
    fields.north = out[3].view(), fields.centre = out[4].view(), fields.bu = out[5].view();
    fields.bv = out[6].view();
    if constexpr (requires { fields.distances; }) fields.distances = walls.view();
    sweep_middle(kernel, fields);
    std::vector<double> values;
    for (const HostField& f : out) values.push_back(middle(f));
    return values;
  }
};

}  // namespace

TEST_CASE("distances are rounded to 64ths of a cell, and half a cell towards all sides is the code 0",
          "[kernels][flow]") {
  CHECK(WallDistances::of({0.5, 0.5, 0.5, 0.5}).code == 0);
  const WallDistances some = WallDistances::of({0.25, 0.3, 1, 1e-9});
  CHECK(some.parts(0) == 16);
  CHECK(some.parts(1) == 19);
  CHECK(some.parts(2) == 64);
  CHECK(some.parts(3) == 1);
  for (int parts = 1; parts <= 64; ++parts) {
    const double distance = parts / 64.0;
    const WallDistances all = WallDistances::of({distance, distance, distance, distance});
    for (int side = 0; side < 4; ++side) CHECK(all.parts(side) == parts);
    CHECK(int(float(all.code)) == all.code);
    CHECK(all.excess<double>(2) == Approx(1 / distance - 2));
  }
}

TEST_CASE("momentum by hand: a wall's conductance is D over its distance", "[kernels][flow]") {
  const Equations near_body{0, 6, -2, 0, CellFaces::of(fixed_velocity, fluid, fluid, fixed_velocity).code};
  // The body is a quarter of a cell away in the west, 4 D, and a whole cell in the north, 1 D.
  const int walls = WallDistances::of({0.25, 0.5, 0.5, 1}).code;
  // bu: 1/2 39 13 kept, 3 8 + 1 6 corrected, -16/8 of pressure; bv: 1/2 39 2 kept, -3 2 - 1 4, 8/8.
  CHECK(near_body.of(WallMomentum{{.cell = cell, .relaxation = 0.5}}, walls) ==
        std::vector<double>{6, 1.5, 6, 6, 39, 253.5 + 30 - 2, 39 - 10 + 1});
  CHECK(near_body.of(Momentum{.cell = cell, .relaxation = 0.5}) ==
        std::vector<double>{3, 1.5, 6, 12, 45, 292.5 + 30 - 2, 45 - 10 + 1});
}

TEST_CASE("walls half a cell away give the bits of walls on the faces", "[kernels][flow]") {
  for (const int faces : {all_fluid, solid, CellFaces::of(fixed_velocity, outlet, slip, fluid).code})
    for (const Convection convection : {Convection::central, Convection::upwind, Convection::hybrid}) {
      const Momentum momentum{.cell = {.dx = 0.3, .dy = 0.7, .density = 1.1, .viscosity = 0.013},
                              .convection = convection,
                              .relaxation = 0.7,
                              .inverse_time_step = 0.3,
                              .force_x = 0.9};
      const Equations equations{0.4, 0.6, -0.2, 0.5, faces};
      CHECK(equations.of(WallMomentum{momentum}) == equations.of(momentum));
    }
}

TEST_CASE("forces by hand: friction on a body at its true distance", "[kernels][flow]") {
  const double body = CellFaces::body().code;
  // The body is east and north, a quarter of a cell and a whole cell away; south is a wall.
  const int here = CellFaces::of(fluid, fixed_velocity, fixed_velocity, fixed_velocity).code;
  const HostField faces = at_cells({double(here), double(all_fluid), body, double(solid), body});
  const HostField p = at_cells({13, 3, 5, 7, 11}), velocity = at_cell(2),
                  walls = at_cell(WallDistances::of({0.5, 0.25, 0.5, 1}).code);
  const auto force = [&]<class K>(const K& kernel) {
    const CellArgs<K> args{
        .precision = Precision::fp64,
        .kernel = kernel,
        .fields = {
            {.faces = faces.view(), .p = p.view(), .distances = walls.view(), .velocity = velocity.view()}}};
    return dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& views) {
      return double(sweep_cell<V>(kernel, views, 1, 1, 0));
    });
  };
  // Pressure as on the faces; friction mu u area / distance: 3 2 (4 1/4 / 1/2 + 1/2 / 1/4).
  CHECK(force(WallForceX{{{.cell = cell}}}) == 18 * 0.25 + 6 * (2 + 2));
  CHECK(force(WallForceY{{{.cell = cell}}}) == 13 * 0.5 + 6 * (2 + 2));
}
