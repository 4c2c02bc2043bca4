// The finite-volume formulas by hand, on one cell with distinct neighbours, fluxes and coefficients. All
// other cells are NaN, so that reading one of them is detected.
#include "kernels/body_force/body_force.hpp"
#include "kernels/face_flux/face_flux.hpp"
#include "kernels/momentum/momentum.hpp"
#include "kernels/pressure_correction/pressure_correction.hpp"
#include "kernels/pressure_gradient/pressure_gradient.hpp"
#include "tests/catch.hpp"
#include "tests/kernels/middle_cell.hpp"

using namespace cfdmark;
using namespace cfdmark::middle_cell;

namespace {

struct MomentumResult {
  HostField west = at_cell(0), east = at_cell(0), south = at_cell(0), north = at_cell(0), centre = at_cell(0),
            bu = at_cell(0), bv = at_cell(0);
  std::vector<double> values() const {
    return {middle(west), middle(east), middle(south), middle(north), middle(centre), middle(bu), middle(bv)};
  }
};
std::vector<double> momentum(const Momentum& kernel, int faces) {
  MomentumResult r;
  sweep_middle(kernel, {.mass_x = at_faces_x(4, 6).view(),
                        .mass_y = at_faces_y(-2, 5).view(),
                        .faces = at_cell(faces).view(),
                        .u = at_cells({13, 3, 5, 7, 11}).view(),
                        .v = at_cells({2, 1, 4, 6, 10}).view(),
                        .px = at_cell(16).view(),
                        .py = at_cell(-8).view(),
                        .west = r.west.view(),
                        .east = r.east.view(),
                        .south = r.south.view(),
                        .north = r.north.view(),
                        .centre = r.centre.view(),
                        .bu = r.bu.view(),
                        .bv = r.bv.view()});
  return r.values();
}

}  // namespace

// D is 3/2 in x and 6 in y. Outflow: west -4, east 6, south 2, north 5.
TEST_CASE("momentum by hand: upwind coefficients, central by correction", "[kernels][flow]") {
  // bu: 1/2 38 13 kept, 2 10 + 3 8 + 1 6 + 2.5 2 corrected, -16/8 of pressure.
  // bv: 1/2 38 2 kept, 2 1 - 3 2 - 1 4 - 2.5 8 corrected, 8/8 of pressure.
  CHECK(momentum({.cell = cell, .relaxation = 0.5}, all_fluid) ==
        std::vector<double>{5.5, 1.5, 6, 6, 38, 247 + 55 - 2, 38 - 28 + 1});
  CHECK(momentum({.cell = cell, .convection = Convection::upwind, .relaxation = 0.5}, all_fluid) ==
        std::vector<double>{5.5, 1.5, 6, 6, 38, 247 - 2, 38 + 1});
}

TEST_CASE("momentum by hand: hybrid drops diffusion beyond a cell Peclet number of 2", "[kernels][flow]") {
  CHECK(momentum({.cell = cell, .convection = Convection::hybrid, .relaxation = 0.5}, all_fluid) ==
        std::vector<double>{4, 0, 5, 3.5, 25, 12.5 * 13 - 2, 12.5 * 2 + 1});
}

TEST_CASE("momentum by hand: a time step and a force", "[kernels][flow]") {
  CHECK(momentum({.cell = cell, .inverse_time_step = 4, .force_x = 8, .force_y = 16}, all_fluid) ==
        std::vector<double>{5.5, 1.5, 6, 6, 20, 13 + 55 - 2 + 1, 2 - 28 + 1 + 2});
}

TEST_CASE("momentum by hand: a boundary value is half as far away", "[kernels][flow]") {
  const int faces = CellFaces::of(fixed_velocity, outlet, slip, fluid).code;
  // West 2 D + an inflow of 4, east nothing, south 2 D, which is added back for u.
  CHECK(momentum({.cell = cell, .relaxation = 0.5}, faces) ==
        std::vector<double>{7, 0, 12, 6, 50, 325 + 5 - 2 + 12 * 13, 50 - 20 + 1});
  // An outflow of 6 east through a wall with a velocity: 2 D in the matrix, 6 (13 - 5) and 6 (2 - 4) in the
  // corrections.
  CHECK(momentum({.cell = cell, .convection = Convection::upwind, .relaxation = 0.5},
                 CellFaces::of(fluid, fixed_velocity, fluid, fluid).code) ==
        std::vector<double>{5.5, 3, 6, 6, 41, 20.5 * 13 + 48 - 2, 20.5 * 2 - 12 + 1});
  CHECK(momentum({.cell = cell, .relaxation = 0.5}, solid) == std::vector<double>{0, 0, 0, 0, 1, 0, 0});
}

TEST_CASE("pressure gradient by hand: from the faces, extrapolated at a boundary", "[kernels][flow]") {
  const auto gradient = [](int faces) {
    const HostField p = at_cells({13, 3, 5, 7, 11}), x = at_cell(0), y = at_cell(0);
    sweep_middle(PressureGradient{cell},
                 {.faces = at_cell(faces).view(), .p = p.view(), .x = x.view(), .y = y.view()});
    return std::pair{middle(x), middle(y)};
  };
  CHECK(gradient(all_fluid) == std::pair{(9.0 - 8.0) * 2, (12.0 - 10.0) * 4});
  // West 13 + (13 - 5) / 2; north 0.
  CHECK(gradient(CellFaces::of(fixed_velocity, fluid, fluid, outlet).code) ==
        std::pair{(9.0 - 17.0) * 2, (0.0 - 10.0) * 4});
  // At a symmetry plane in the north the pressure 13 continues.
  CHECK(gradient(CellFaces::of(fluid, fluid, fluid, slip).code).second == (13.0 - 10.0) * 4);
  // A cell between two walls has no gradient across them.
  CHECK(gradient(CellFaces::of(fixed_velocity, fixed_velocity, fluid, fluid).code).first == 0);
}

TEST_CASE("face flux by hand: Rhie-Chow, plain mean, and boundaries", "[kernels][flow]") {
  const auto x = [](const FaceFluxX& kernel, int faces) {
    const HostField mass = at_faces_x(1, nothing);
    const auto pair = [](double here, double before) {
      return at_cells({here, before, nothing, nothing, nothing});
    };
    sweep_middle(kernel, {{.faces = pair(faces, all_fluid).view(),
                           .velocity = pair(13, 3).view(),
                           .old_velocity = pair(4, 2).view(),
                           .p = pair(5, 1).view(),
                           .gradient = pair(4, 2).view(),
                           .centre = pair(4, 2).view(),
                           .mass = mass.view()}});
    return middle(mass);
  };
  const FaceFluxX rhie_chow{{.cell = cell, .relaxation = 0.5}};
  FaceFluxX plain = rhie_chow;
  plain.rhie_chow = false;
  // The mean is 8. V / A_P is 1/8 over 3; the gradient of p is 8 at the face and 3 at the cells; half of
  // 1/(1/2) - 3 is kept.
  CHECK(x(rhie_chow, all_fluid) == Approx(0.5 * (8 - 5 / 24.0 - 0.5)));
  CHECK(x(plain, all_fluid) == 0.5 * 8);
  CHECK(x(rhie_chow, CellFaces::of(fixed_velocity, fluid, fluid, fluid).code) == 1);
  CHECK(x(rhie_chow, CellFaces::of(outlet, fluid, fluid, fluid).code) == 0.5 * 13);
  // The last face of a row is followed by a ghost, which is not fluid.
  CHECK(x(rhie_chow, solid + int(outlet) - int(fixed_velocity)) == 0.5 * 3);

  const auto y = [](const FaceFluxY& kernel) {
    const HostField mass = at_faces_y(5, nothing);
    const auto pair = [](double here, double before) {
      return at_cells({here, nothing, nothing, before, nothing});
    };
    sweep_middle(kernel, {{.faces = pair(all_fluid, all_fluid).view(),
                           .velocity = pair(13, 3).view(),
                           .old_velocity = pair(4, 2).view(),
                           .p = pair(5, 1).view(),
                           .gradient = pair(4, 2).view(),
                           .centre = pair(4, 2).view(),
                           .mass = mass.view()}});
    return middle(mass);
  };
  // The gradient of p at the face is 16. Of 5/1 - 3 nothing is kept; with a time step 2/8 4 / 3 of it.
  CHECK(y({{.cell = cell}}) == Approx(8 - 13 / 24.0));
  const FaceFluxY unsteady{{.cell = cell, .relaxation = 1, .inverse_time_step = 4}};
  CHECK(y(unsteady) == Approx(8 - 13 / 24.0 + 2 / 3.0));
}

TEST_CASE("the pressure correction equation by hand", "[kernels][flow]") {
  const auto equation = [](int faces) {
    HostField out[6] = {at_cell(0), at_cell(0), at_cell(0), at_cell(0), at_cell(0), at_cell(0)};
    sweep_middle(PressureEquation{cell}, {.faces = at_cell(faces).view(),
                                          .aP = at_cells({4, 2, 8, 1, 16}).view(),
                                          .mass_x = at_faces_x(4, 6).view(),
                                          .mass_y = at_faces_y(-2, 5).view(),
                                          .west = out[0].view(),
                                          .east = out[1].view(),
                                          .south = out[2].view(),
                                          .north = out[3].view(),
                                          .centre = out[4].view(),
                                          .b = out[5].view()});
    std::vector<double> values;
    for (const HostField& f : out) values.push_back(middle(f));
    return values;
  };
  // rho V dy / dx is 1/8, rho V dx / dy 1/2; A_P: here 4, west 2, east 8, south 1, north 16.
  const double west = 0.125 * (2 / 6.0), east = 0.125 * (2 / 12.0), south = 0.5 * (2 / 5.0),
               north = 0.5 * (2 / 20.0);
  CHECK(equation(all_fluid) ==
        std::vector<double>{west, east, south, north, west + east + south + north, -2 - 7});
  CHECK(equation(CellFaces::of(fixed_velocity, outlet, slip, fluid).code) ==
        std::vector<double>{0, 0.0625, 0, north, 0.0625 + north, -9});
  CHECK(equation(solid) == std::vector<double>{0, 0, 0, 0, 1, 0});
  CHECK(equation(CellFaces::of(slip, slip, slip, slip).code) == std::vector<double>{0, 0, 0, 0, 1, 0});
}

TEST_CASE("corrections by hand: fluxes with the equation's coefficients, centres over twice the distance",
          "[kernels][flow]") {
  const HostField mass_x = at_faces_x(1, nothing), mass_y = at_faces_y(1, nothing);
  const HostField faces =
      at_cells({double(all_fluid), double(all_fluid), nothing, double(all_fluid), nothing});
  const HostField aP = at_cells({4, 2, nothing, 1, nothing}), correction = at_cells({13, 3, 5, 7, 11});
  sweep_middle(
      FluxCorrectionX{{cell}},
      {{.faces = faces.view(), .aP = aP.view(), .correction = correction.view(), .mass = mass_x.view()}});
  sweep_middle(
      FluxCorrectionY{{cell}},
      {{.faces = faces.view(), .aP = aP.view(), .correction = correction.view(), .mass = mass_y.view()}});
  CHECK(middle(mass_x) == Approx(1 + 0.125 / 3 * (3 - 13)));
  CHECK(middle(mass_y) == Approx(1 + 0.5 * 0.4 * (7 - 13)));

  const HostField u = at_cell(1), v = at_cell(2), p = at_cell(3);
  sweep_middle(CellCorrection{cell, 0.5}, {.faces = at_cell(all_fluid).view(),
                                           .aP = at_cell(4).view(),
                                           .correction = correction.view(),
                                           .u = u.view(),
                                           .v = v.view(),
                                           .p = p.view()});
  CHECK(middle(u) == 1 - 0.0625 * (9 - 8));
  CHECK(middle(v) == 2 - 0.125 * (12 - 10));
  CHECK(middle(p) == 3 + 0.5 * 13);
  // At a wall the correction has no gradient, at an outlet it is 0.
  sweep_middle(CellCorrection{cell, 0.5},
               {.faces = at_cell(CellFaces::of(fixed_velocity, outlet, fluid, fluid).code).view(),
                .aP = at_cell(4).view(),
                .correction = correction.view(),
                .u = u.view(),
                .v = v.view(),
                .p = p.view()});
  CHECK(middle(u) == 1 - 0.0625 * (9 - 8) - 0.0625 * (0 - 13));
}

TEST_CASE("flux increments by hand: the mean of two cells, at an outlet the inner cell", "[kernels][flow]") {
  const auto pair = [](double here, double west, double south) {
    return at_cells({here, west, nothing, south, nothing});
  };
  const HostField faces = pair(all_fluid, all_fluid, all_fluid), gain = pair(13, 3, 7);
  const HostField mass_x = at_faces_x(1, nothing), mass_y = at_faces_y(1, nothing);
  sweep_middle(FluxIncrementX{{cell}},
               {{.faces = faces.view(), .increment = gain.view(), .mass = mass_x.view()}});
  sweep_middle(FluxIncrementY{{cell}},
               {{.faces = faces.view(), .increment = gain.view(), .mass = mass_y.view()}});
  CHECK(middle(mass_x) == 1 + 0.5 * 8);
  CHECK(middle(mass_y) == 1 + 1.0 * 10);
  const HostField outlet_behind = pair(solid + int(outlet) - int(fixed_velocity), all_fluid, all_fluid);
  sweep_middle(FluxIncrementX{{cell}},
               {{.faces = outlet_behind.view(), .increment = gain.view(), .mass = mass_x.view()}});
  CHECK(middle(mass_x) == 5 + 0.5 * 3);
  sweep_middle(
      FluxIncrementX{{cell}},
      {{.faces = pair(solid, all_fluid, all_fluid).view(), .increment = gain.view(), .mass = mass_x.view()}});
  CHECK(middle(mass_x) == 6.5);
}

TEST_CASE("forces by hand: pressure and friction on the faces of a body", "[kernels][flow]") {
  const double body = CellFaces::body().code;
  // The body is east and north; south is a wall, which is not part of it.
  const int here = CellFaces::of(fluid, fixed_velocity, fixed_velocity, fixed_velocity).code;
  const HostField faces = at_cells({double(here), double(all_fluid), body, double(solid), body});
  const HostField p = at_cells({13, 3, 5, 7, 11}), velocity = at_cell(2);
  const auto force = [&]<class K>(const K& kernel) {
    const CellArgs<K> args{.precision = Precision::fp64,
                           .kernel = kernel,
                           .fields = {{.faces = faces.view(), .p = p.view(), .velocity = velocity.view()}}};
    return dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& views) {
      return double(sweep_cell<V>(kernel, views, 1, 1, 0));
    });
  };
  // East face 13 + (13 - 3) / 2; north face 13, because the south is not fluid. Friction 2 mu u area / side:
  // 6 2 (1/4 / 1/2 + 1/2 / 1/4).
  CHECK(force(BodyForceX{{cell}}) == 18 * 0.25 + 12 * (0.5 + 2));
  CHECK(force(BodyForceY{{cell}}) == 13 * 0.5 + 12 * (0.5 + 2));
}

// Misprints of Normore 2010; the tests above derive the correct formulas. Each misprint would change the
// numbers of these cells, which are computed with the misprint too: no kernel gives them.
TEST_CASE("no kernel contains the misprints of the thesis", "[kernels][flow]") {
  struct Misprint {
    const char* what;
    double here, printed;
  };
  const std::vector<double> m = momentum({.cell = cell, .relaxation = 1}, all_fluid);
  const double aW = m[0], aS = m[2], aP = m[4], bu = m[5], bv = m[6];
  const double unsteady = momentum({.cell = cell, .inverse_time_step = 4}, all_fluid)[4];

  const HostField p = at_cells({13, 3, 5, 7, 11}), px = at_cell(0), py = at_cell(0);
  sweep_middle(PressureGradient{cell},
               {.faces = at_cell(all_fluid).view(), .p = p.view(), .x = px.view(), .y = py.view()});

  HostField c[6] = {at_cell(0), at_cell(0), at_cell(0), at_cell(0), at_cell(0), at_cell(0)};
  sweep_middle(PressureEquation{cell}, {.faces = at_cell(all_fluid).view(),
                                        .aP = at_cells({4, 2, 8, 1, 16}).view(),
                                        .mass_x = at_faces_x(4, 6).view(),
                                        .mass_y = at_faces_y(-2, 5).view(),
                                        .west = c[0].view(),
                                        .east = c[1].view(),
                                        .south = c[2].view(),
                                        .north = c[3].view(),
                                        .centre = c[4].view(),
                                        .b = c[5].view()});

  const HostField u = at_cell(1), v = at_cell(2), corrected = at_cell(3);
  sweep_middle(CellCorrection{cell, 1}, {.faces = at_cell(all_fluid).view(),
                                         .aP = at_cell(4).view(),
                                         .correction = p.view(),
                                         .u = u.view(),
                                         .v = v.view(),
                                         .p = corrected.view()});

  const std::vector<Misprint> misprints = {
      {"(7, 8): values on the faces, and the half of two cells' distance", middle(px), (9 - 8) / (2 * 0.5)},
      {"(7, 8): values at the nodes without that half", middle(px), (5 - 3) / 0.5},
      {"(9): p = p' + p'", middle(corrected), 13 + 13},
      {"(10): u = u' + u'", middle(u), 2 * -0.0625},
      {"(18): + [s - n]", middle(c[5]), (4 - 6) - (-2 - 5)},
      {"(19): a half in the coefficients of p'", middle(c[0]), 0.5 * 0.125 * (2 / 6.0)},
      {"(19, 20): the brackets of w and e exchanged", middle(c[0]), 0.125 * (2 / 12.0)},
      {"(19, 20): p'_S twice", middle(c[3]), 0.5 * (2 / 5.0)},
      {"(19, 20): dx at the faces of u", middle(c[0]), 2 * 0.125 * (0.5 / 0.5) * (2 / 6.0)},
      {"(21, 22): dy at the faces of v", middle(c[2]), 2 * 0.125 * (0.25 / 0.25) * (2 / 5.0)},
      {"(23): a_W of v on the west face", aW, 1.5 + 0},
      {"(49): an area of dx + dy", bu, 55 - 16 * 0.75},
      {"(51): u through the north and south faces", aS, 6 + 4},
      {"(55, 56): neighbours on the side of the centre", aW, -5.5},
      {"page 49: the pressure in b of v, which is not printed", bv, -28},
      {"appendix: no a_P0 in time", unsteady, aP},
  };
  for (const Misprint& misprint : misprints) {
    INFO(misprint.what << ": " << misprint.here << ", as printed " << misprint.printed);
    CHECK(std::abs(misprint.here - misprint.printed) > 0.01 * std::abs(misprint.here));
  }
}
