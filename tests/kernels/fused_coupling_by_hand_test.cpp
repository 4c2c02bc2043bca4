// The two passes of SIMPLE worked out by hand, on one cell whose neighbours are all different numbers, and
// those behind them. All other cells are NaN: to read one of them shows.
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/backends/cell_kernel.hpp"
#include "kernels/fused_coupling/fused_coupling.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

constexpr FluidCell cell{.dx = 0.5, .dy = 0.25, .density = 2, .viscosity = 3};  // volume 1/8
constexpr FusedCoupling coupled{{.cell = cell, .relaxation = 0.5}};
constexpr FaceKind fluid = FaceKind::fluid, wall = FaceKind::fixed, outlet = FaceKind::outlet,
                   slip = FaceKind::slip;
const int all_fluid = CellFaces::of(fluid, fluid, fluid, fluid).code;

struct CellValue {
  int i, j;  // from the cell in the middle
  double value;
};
// At the cell (1, 1) and around it; one layer of ghosts makes that two cells to each side.
HostField at_cells(const std::vector<CellValue>& values, FieldPlace place = FieldPlace::cell) {
  HostField f(Grid{3, 3}.at(place), Precision::fp64);
  for_each_cell(f.grid(), true,
                [&](int i, int j, int k) { f.set(i, j, k, std::numeric_limits<double>::quiet_NaN()); });
  for (const CellValue& v : values) f.set(1 + v.i, 1 + v.j, 0, v.value);
  return f;
}
HostField cross(double here, double west, double east, double south, double north) {
  return at_cells({{0, 0, here}, {-1, 0, west}, {1, 0, east}, {0, -1, south}, {0, 1, north}});
}
HostField middle_only() { return at_cells({}); }
double middle(const HostField& f) { return f.get(1, 1); }

HostField faces_with(int here) {
  const double around = all_fluid;
  return cross(here, around, around, around, around);
}
const HostField aP = cross(4, 4, 12, 28, 60);
const HostField u = cross(13, 3, 5, 7, 11), v = cross(2, 1, 6, 4, 10);
// Gradients in x from west to east: 12, 4, -16; in y from south to north: 22, -10, -16.
const HostField p = at_cells({{-2, 0, 1},
                              {-1, 0, 5},
                              {0, 0, 13},
                              {1, 0, 9},
                              {2, 0, -3},
                              {0, -2, 2},
                              {0, -1, 6},
                              {0, 1, 1},
                              {0, 2, 5}});
const HostField excess_x = at_cells({{0, 0, 4}, {1, 0, -2}}), excess_y = at_cells({{0, 0, 1}, {0, 1, 3}});
const HostField correction = at_cells({{0, 0, 8},
                                       {-1, 0, 4},
                                       {1, 0, 16},
                                       {-2, 0, 2},
                                       {2, 0, 6},
                                       {0, -1, 12},
                                       {0, 1, 20},
                                       {0, -2, 10},
                                       {0, 2, 2},
                                       {-1, -1, 3},
                                       {1, -1, 7},
                                       {-1, 1, 5},
                                       {1, 1, 9}});

template <class K, class... Field>
void sweep_middle(const K& kernel, const Field&... fields) {
  const CellArgs<K> args{Precision::fp64, kernel, {fields.view()...}};
  with_views(args, [&]<class V>(const typename K::template Fields<V>& views) {
    if constexpr (std::is_same_v<typename V::Number, double>) sweep_cell<V>(kernel, views, 1, 1, 0);
  });
}

// The mean, half of the excess, and V / A_P times the jump of the gradient; times rho and the area, 1/2
// and 1.
const double west_mass = 0.5 * (8 + 0.5 * 4 - 0.125 / 4 * (16 - 8)),
             east_mass = 0.5 * (9 - 0.5 * 2 - 0.125 / 8 * (-8 + 6)),
             south_mass = 3 + 0.5 * 1 - 0.125 / 16 * (28 - 6),
             north_mass = 6 + 0.5 * 3 - 0.125 / 32 * (-48 + 13);

std::vector<double> equation(const FusedCoupling& how, int faces) {
  std::vector<HostField> out(7, middle_only());
  sweep_middle(FusedPressureEquation{how}, faces_with(faces), u, v, p, aP, excess_x, excess_y, out[0], out[1],
               out[2], out[3], out[4], out[5], out[6]);
  std::vector<double> values;
  for (const HostField& f : out) values.push_back(middle(f));
  return values;
}

struct NextMomentum {
  std::vector<HostField> out = std::vector<HostField>(12, middle_only());

  explicit NextMomentum(int faces) {
    sweep_middle(FusedMomentum{coupled, {.cell = cell, .relaxation = 0.5}, 0.25}, faces_with(faces), aP,
                 correction, u, v, p, excess_x, excess_y, out[0], out[1], out[2], out[3], out[4], out[5],
                 out[6], out[7], out[8], out[9], out[10], out[11]);
  }
  double operator[](int n) const { return middle(out[n]); }
};

}  // namespace

TEST_CASE("the fused equation of the pressure correction by hand", "[kernels][flow]") {
  // rho V dy / dx is 1/8, rho V dx / dy 1/2; over the mean A_P: 4, 8, 16 and 32.
  CHECK(equation(coupled, all_fluid) ==
        std::vector<double>{1 / 32.0, 1 / 64.0, 1 / 32.0, 1 / 64.0, 6 / 64.0,
                            (west_mass - east_mass) + (south_mass - north_mass), 0});
  // A wall and a plane of symmetry have the mass that goes through them; the outlet lets out 13, from half as
  // far. Beside the plane the pressure goes on to 19: the gradient there is -48.
  const int sides = CellFaces::of(wall, outlet, slip, fluid).code;
  const double north = 6 + 1.5 - 0.125 / 32 * (-48 + 32);
  CHECK(equation(coupled, sides) ==
        std::vector<double>{0, 1 / 16.0, 0, 1 / 64.0, 5 / 64.0, (4 - 6.5) + (1 - north), 0});
  // An outlet that gives no pressure is a wall to p', and has its mass.
  CHECK(equation({coupled.flux, FaceKind::fixed}, sides) ==
        std::vector<double>{0, 0, 0, 1 / 64.0, 1 / 64.0, (4.0 + 2) + (1 - north), 0});
  CHECK(equation(coupled, CellFaces::solid().code) == std::vector<double>{0, 0, 0, 0, 1, 0, 0});
}

TEST_CASE("corrections and the next equations of momentum by hand, in one pass", "[kernels][flow]") {
  const NextMomentum next(all_fluid);
  // p' rises by half of what lies between the cells on both sides; A_P 4, 4, 12, 28, 60.
  const double u_here = 13 - 0.25 / 4 * 6, u_west = 3 - 0.25 / 4 * 3, u_east = 5 + 0.25 / 12 * 1,
               u_south = 7 - 0.25 / 28 * 2, u_north = 11 - 0.25 / 60 * 2;
  const double v_here = 2 - 0.5 / 4 * 4, v_west = 1 - 0.5 / 4 * 1, v_east = 6 - 0.5 / 12 * 1,
               v_south = 4 + 0.5 / 28 * 1, v_north = 10 + 0.5 / 60 * 3;
  const double west = west_mass + (4 - 8) / 32.0, east = east_mass + (8 - 16) / 64.0,
               south = south_mass + (12 - 8) / 32.0, north = north_mass + (8 - 20) / 64.0;
  CHECK(next[0] == Approx(u_here));
  CHECK(next[1] == Approx(v_here));
  CHECK(next[2] == 13 + 0.25 * 8);
  CHECK(next[3] == Approx(west / 0.5 - 0.5 * (u_west + u_here)));
  CHECK(next[4] == Approx(south / 1.0 - 0.5 * (v_south + v_here)));
  // D is 3/2 in x and 6 in y; all flows on to the east and the north.
  const double aP_next = (1.5 + west + 1.5 + 6 + south + 6) / 0.5;
  CHECK(next[5] == Approx(1.5 + west));
  CHECK(next[6] == 1.5);
  CHECK(next[7] == Approx(6 + south));
  CHECK(next[8] == 6);
  CHECK(next[9] == Approx(aP_next));
  const auto corrected = [&](double here, double w, double e, double s, double n) {
    return 0.5 * (west * (here - w) + east * (here - e) + south * (here - s) + north * (here - n));
  };
  // The new pressures: 15 here, 6 west, 13 east, 9 south, 6 north.
  CHECK(next[10] == Approx(0.5 * aP_next * u_here + corrected(u_here, u_west, u_east, u_south, u_north) -
                           0.125 * (13 - 6)));
  CHECK(next[11] == Approx(0.5 * aP_next * v_here + corrected(v_here, v_west, v_east, v_south, v_north) -
                           0.125 * 2 * (6 - 9)));
}

TEST_CASE("a fused pass keeps what goes through a wall, and leaves a solid cell as it is",
          "[kernels][flow]") {
  const NextMomentum beside(CellFaces::of(wall, fluid, wall, fluid).code);
  CHECK(beside[3] == 4);
  CHECK(beside[4] == 1);
  CHECK(beside[5] == 2 * 1.5 + 4);             // what a boundary brings, half as far
  CHECK(beside[0] == 13 - 0.0625 * (12 - 8));  // no gradient of p' on a wall
  const NextMomentum solid(CellFaces::solid().code);
  for (const auto& [n, value] : {std::pair{0, 13.0},
                                 {1, 2.0},
                                 {3, 4.0},
                                 {4, 1.0},
                                 {5, 0.0},
                                 {6, 0.0},
                                 {7, 0.0},
                                 {8, 0.0},
                                 {9, 1.0},
                                 {10, 0.0},
                                 {11, 0.0}})
    CHECK(solid[n] == value);
}

TEST_CASE("excesses and corrected fluxes by hand", "[kernels][flow]") {
  const auto on_x = [](double value) { return at_cells({{0, 0, value}}, FieldPlace::face_x); };
  const auto on_y = [](double value) { return at_cells({{0, 0, value}}, FieldPlace::face_y); };
  const HostField x = on_x(0), y = on_y(0);
  sweep_middle(FluxExcessX{coupled.flux}, faces_with(all_fluid), u, on_x(3), x);
  sweep_middle(FluxExcessY{coupled.flux}, faces_with(all_fluid), v, on_y(3), y);
  CHECK(middle(x) == 3 / 0.5 - 8);
  CHECK(middle(y) == 3 / 1.0 - 3);
  const int sides = CellFaces::of(wall, fluid, outlet, fluid).code;
  sweep_middle(FluxExcessX{coupled.flux}, faces_with(sides), u, on_x(3), x);
  sweep_middle(FluxExcessY{coupled.flux}, faces_with(sides), v, on_y(3), y);
  CHECK(middle(x) == 3);
  CHECK(middle(y) == 3);

  const auto flux_x = [&](const FusedCoupling& how, int faces) {
    sweep_middle(CorrectedFluxX{how}, faces_with(faces), aP, correction, u, p, on_x(4), x);
    return middle(x);
  };
  CHECK(flux_x(coupled, all_fluid) == west_mass + (4 - 8) / 32.0);
  CHECK(flux_x(coupled, sides) == 4);
  // The last face of a row belongs to a ghost: what lies before it is inside.
  const int behind = CellFaces::solid().code + int(outlet) - int(wall);
  CHECK(flux_x(coupled, behind) == 0.5 * 3 + 0.125 * (2 / 4.0) * (4 - 8));
  CHECK(flux_x({coupled.flux, FaceKind::fixed}, behind) == 4);
  sweep_middle(CorrectedFluxY{coupled}, faces_with(all_fluid), aP, correction, v, p, on_y(1), y);
  CHECK(middle(y) == south_mass + (12 - 8) / 32.0);
}
