// The formulas of a staggered grid by hand, on one cell with distinct neighbours. All other values are NaN,
// so that reading one of them is detected.
#include <limits>

#include "kernels/adams_bashforth/adams_bashforth.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/momentum_fluxes/momentum_fluxes.hpp"
#include "kernels/temperature/temperature.hpp"
#include "kernels/velocity_correction/velocity_correction.hpp"
#include "kernels/velocity_divergence/velocity_divergence.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

constexpr FluidCell cell{.dx = 0.5, .dy = 0.25, .density = 2, .viscosity = 3};  // nu = 3/2
constexpr FaceKind fluid = FaceKind::fluid, wall = FaceKind::fixed, slip = FaceKind::slip;
const int all_fluid = CellFaces::of(fluid, fluid, fluid, fluid).code;

// A value at an offset in cells from the middle, (2, 2).
struct At {
  int di, dj;
  double value;
};
HostField field(const std::vector<At>& values) {
  HostField f(Grid{5, 5}.with_halo(2), Precision::fp64);
  for_each_cell(f.grid(), true,
                [&](int i, int j, int k) { f.set(i, j, k, std::numeric_limits<double>::quiet_NaN()); });
  for (const At& at : values) f.set(2 + at.di, 2 + at.dj, 0, at.value);
  return f;
}
double middle(const HostField& f) { return f.get(2, 2); }

template <class K>
void sweep_middle(const K& kernel, const typename K::template Fields<AnyViews>& fields) {
  const CellArgs<K> args{.precision = Precision::fp64, .kernel = kernel, .fields = fields};
  dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& views) {
    if constexpr (std::is_same_v<typename V::Number, double>) sweep_cell<V>(kernel, views, 2, 2, 0);
  });
}

const std::vector<At> near_u = {{0, 0, 2}, {-1, 0, 4}, {1, 0, 6}, {0, -1, 1}, {0, 1, 4}, {1, -1, 5}};
const std::vector<At> near_v = {{0, 0, 2}, {0, -1, 6}, {0, 1, 3}, {-1, 0, 4}, {1, 0, 8}, {-1, 1, 1}};

struct Rates {
  double u, v;
  bool operator==(const Rates&) const = default;
};
template <class K>
Rates rates(const K& kernel, const std::vector<At>& faces, std::vector<At> u = {}, std::vector<At> v = {}) {
  u.insert(u.begin(), near_u.begin(), near_u.end()), v.insert(v.begin(), near_v.begin(), near_v.end());
  const HostField ru = field({}), rv = field({});
  sweep_middle(kernel, {{.faces = field(faces).view(),
                         .u = field(u).view(),
                         .v = field(v).view(),
                         .ru = ru.view(),
                         .rv = rv.view()}});
  return {middle(ru), middle(rv)};
}
// Returns the rates for the given codes of the cells at the middle's west and south faces.
Rates central(int middle_cell, int west_cell, int south_cell, double force = 0) {
  return rates(MomentumFluxes{{cell, force}},
               {{0, 0, double(middle_cell)}, {-1, 0, double(west_cell)}, {0, -1, double(south_cell)}});
}

}  // namespace

// u along: (3 3 - 4 4) 2 by convection, 6 6 by viscosity; across: (3 3/2 - 2 3) 4 and 24 1.
// v along: (4 4 - 5/2 5/2) 4 and 24 5; across: (3/2 3 - 11/2 5) 2 and 6 8.
TEST_CASE("momentum fluxes by hand: central convection and viscosity", "[kernels][flow]") {
  CHECK(central(all_fluid, all_fluid, all_fluid) == Rates{-14 + 36 - 6 + 24, 39 + 120 - 46 + 48});
  CHECK(central(all_fluid, all_fluid, all_fluid, 8) == Rates{40 + 4, 161});  // 8 at a density of 2
}

TEST_CASE("momentum fluxes by hand: a wall fixes the tangential mean, a slip plane exerts no shear",
          "[kernels][flow]") {
  const auto north = [](FaceKind kind) { return CellFaces::of(fluid, fluid, fluid, kind).code; };
  // Across the wall 2 4 - 2 = 6, which convects 2 4 and diffuses with 24 (6 - 2).
  CHECK(central(north(wall), north(wall), all_fluid).u == 22 - 14 + 72);
  CHECK(central(north(slip), north(slip), all_fluid).u == 22 + 2 - 24);
  CHECK(central(north(wall), all_fluid, all_fluid).u == 40);  // at a corner of a body: the stored value
  const auto west = CellFaces::of(wall, fluid, fluid, fluid).code;
  // No momentum passes through a wall; along it v has 2 4 - 2 = 6 across.
  CHECK(central(west, west, all_fluid) == Rates{0, 161});
  CHECK(central(west, all_fluid, west) == Rates{0, 159 + (1.5 * 4 - 27.5) * 2 + 6 * 10});
  CHECK(central(CellFaces::of(fluid, fluid, wall, fluid).code, all_fluid, all_fluid).v == 0);
}

TEST_CASE("momentum fluxes by hand: second-order upwind, and the mean if its second value is across a wall",
          "[kernels][flow]") {
  const auto upwind = [](int north_of_north, double v_north) {
    std::vector<At> faces;
    for (int dj = -1; dj <= 1; ++dj)
      for (int di = -1; di <= 1; ++di)
        faces.push_back({di, dj, double(dj == 1 ? north_of_north : all_fluid)});
    return rates(UpwindMomentumFluxes{{cell}}, faces, {{-2, 0, 2}, {2, 0, 9}, {0, -2, 1}, {0, 2, 2}},
                 {{-1, 1, v_north}, {0, 1, 3 * v_north}, {-2, 0, 3}, {2, 0, 5}, {0, -2, 7}, {0, 2, 1}})
        .u;
  };
  const int under_wall = CellFaces::of(fluid, fluid, fluid, wall).code;
  // In with 3: 3/2 4 - 1/2 2; out with 4: 3/2 2 - 1/2 4; from below 3/2 1 - 1/2 1; above 3/2 2 - 1/2 1.
  CHECK(upwind(all_fluid, 1) == (3 * 5 - 4 * 1) * 2 + 36 + (3 * 1 - 2 * 2.5) * 4 + 24);
  // The value from above is 3/2 4 - 1/2 2, or the mean of 2 and 4.
  CHECK(upwind(all_fluid, -1) == (3 * 5 - 4 * 1) * 2 + 36 + (3 * 1 + 2 * 5) * 4 + 24);
  CHECK(upwind(under_wall, -1) == (3 * 5 - 4 * 1) * 2 + 36 + (3 * 1 + 2 * 3) * 4 + 24);
}

TEST_CASE("an Adams-Bashforth step by hand, and in one pass with the fluxes", "[kernels][flow]") {
  const auto of = [](double value) { return field({{0, 0, value}}); };
  const HostField new_u = field({}), new_v = field({});
  sweep_middle(AdamsBashforth{0.5, -0.25}, {.ru = of(4).view(),
                                            .rv = of(8).view(),
                                            .old_ru = of(6).view(),
                                            .old_rv = of(4).view(),
                                            .u = of(2).view(),
                                            .v = of(1).view(),
                                            .new_u = new_u.view(),
                                            .new_v = new_v.view()});
  CHECK(middle(new_u) == 2 + 2 - 1.5);
  CHECK(middle(new_v) == 1 + 4 - 1);
  const HostField ru = of(6), rv = of(4);
  const double code = all_fluid;
  sweep_middle(CentralPrediction{{{cell}, 0.5, -0.25}},
               {{.faces = field({{0, 0, code}, {-1, 0, code}, {0, -1, code}}).view(),
                 .u = field(near_u).view(),
                 .v = field(near_v).view(),
                 .ru = ru.view(),
                 .rv = rv.view(),
                 .new_u = new_u.view(),
                 .new_v = new_v.view()}});
  CHECK(middle(new_u) == 2 + 20 - 1.5);
  CHECK(middle(new_v) == 2 + 80.5 - 1);
  CHECK(middle(ru) == 40);
  CHECK(middle(rv) == 161);
  std::vector<At> u = near_u, v = near_v, faces;
  for (const auto& [di, dj] : {std::pair{-2, 0}, {2, 0}, {0, -2}, {0, 2}})
    u.push_back({di, dj, di == 2 ? 9.0 : 2.0 - (dj == -2)}), v.push_back({di, dj, 1});
  for (int dj = -1; dj <= 1; ++dj)
    for (int di = -1; di <= 1; ++di) faces.push_back({di, dj, code});
  const HostField old_ru = of(6), old_rv = of(4);
  sweep_middle(UpwindPrediction{{{cell}, 0.5, -0.25}}, {{.faces = field(faces).view(),
                                                         .u = field(u).view(),
                                                         .v = field(v).view(),
                                                         .ru = old_ru.view(),
                                                         .rv = old_rv.view(),
                                                         .new_u = new_u.view(),
                                                         .new_v = new_v.view()}});
  CHECK(middle(old_ru) == 74);  // as above
  CHECK(middle(new_u) == 2 + 37 - 1.5);
}

// A step of 1/2 after one of 1/4: weights 1/2 (1 + 1) and -1/2 1, the integral of the line through both
// rates.
TEST_CASE("an Adams-Bashforth step by hand that is longer than the previous one, with lengths in memory",
          "[kernels][flow]") {
  const auto of = [](double value) { return field({{0, 0, value}}); };
  const double lengths[] = {0.5, 0.25};
  const HostField new_u = field({}), new_v = field({});
  sweep_middle(AdamsBashforth{{0, 0, lengths}}.started(), {.ru = of(4).view(),
                                                           .rv = of(8).view(),
                                                           .old_ru = of(6).view(),
                                                           .old_rv = of(4).view(),
                                                           .u = of(2).view(),
                                                           .v = of(1).view(),
                                                           .new_u = new_u.view(),
                                                           .new_v = new_v.view()});
  CHECK(middle(new_u) == 2 + 4 - 3);
  CHECK(middle(new_v) == 1 + 8 - 2);
  const OfStep scaled = OfStep{3, lengths}.known(), as_it_is = OfStep{3}.known();
  CHECK(scaled.value == 1.5);
  CHECK(as_it_is.value == 3);
}

TEST_CASE("velocity divergence by hand is a cell's inflow times density over time step", "[kernels][flow]") {
  const HostField b = field({});
  sweep_middle(
      VelocityDivergence{cell, 0.25},
      {.u = field({{0, 0, 3}, {1, 0, 5}}).view(), .v = field({{0, 0, 7}, {0, 1, 4}}).view(), .b = b.view()});
  CHECK(middle(b) == 8 * (0.25 * (3 - 5) + 0.5 * (7 - 4)));
}

TEST_CASE("velocity correction by hand, which leaves walls unchanged", "[kernels][flow]") {
  const auto corrected = [](int faces) {
    const HostField u = field({}), v = field({});
    sweep_middle(VelocityCorrection{cell, 0.25}, {.faces = field({{0, 0, double(faces)}}).view(),
                                                  .p = field({{0, 0, 13}, {-1, 0, 3}, {0, -1, 7}}).view(),
                                                  .u = field({{0, 0, 2}}).view(),
                                                  .v = field({{0, 0, 1}}).view(),
                                                  .new_u = u.view(),
                                                  .new_v = v.view()});
    return Rates{middle(u), middle(v)};
  };
  CHECK(corrected(all_fluid) == Rates{2 - 0.25 * 10, 1 - 0.5 * 6});
  CHECK(corrected(CellFaces::of(wall, fluid, fluid, fluid).code) == Rates{2, -2});
  CHECK(corrected(CellFaces::of(fluid, fluid, wall, fluid).code) == Rates{-0.5, 1});
}

// In x (3 (2 + 4) / 2 - 5 (4 + 8) / 2) 2 by convection and 2 4 ((2 - 4) + (8 - 4)) by conduction; in y (1 (6
// + 4) / 2 - 2 (4 + 1) / 2) 4 and 2 16 ((6 - 4) + (1 - 4)).
TEST_CASE("temperature by hand: convection, conduction, an isothermal and an adiabatic wall",
          "[kernels][flow]") {
  const auto stepped = [](int faces) {
    const HostField rate = field({{0, 0, 16}}), T = field({});
    sweep_middle(Temperature{{cell, 2, {0.5, -0.25}}},
                 {.faces = field({{0, 0, double(faces)}}).view(),
                  .u = field({{0, 0, 3}, {1, 0, 5}}).view(),
                  .v = field({{0, 0, 1}, {0, 1, 2}}).view(),
                  .T = field({{0, 0, 4}, {-1, 0, 2}, {1, 0, 8}, {0, -1, 6}, {0, 1, 1}}).view(),
                  .rate = rate.view(),
                  .new_T = T.view()});
    return Rates{middle(rate), middle(T)};
  };
  const double all = -42 + 16 - 0 - 32;
  CHECK(stepped(all_fluid) == Rates{all, 4 + 0.5 * all - 4});
  // A wall of 2 in the west: 0 across it, so that their mean is 2; through the north only convection.
  const double held = (3 * 2 - 5 * 6) * 2 + 8 * (-4 + 4) + (5 - 2 * 4) * 4 + 32 * 2;
  CHECK(stepped(CellFaces::of(wall, fluid, fluid, slip).code).u == held);
  CHECK(stepped(CellFaces::solid().code) == Rates{0, 0});
}

TEST_CASE("buoyancy by hand: the mean of two cells at two times", "[kernels][flow]") {
  const auto lifted = [](int faces) {
    const HostField v = field({{0, 0, 1}});
    sweep_middle(Buoyancy{0.5}, {.faces = field({{0, 0, double(faces)}}).view(),
                                 .T = field({{0, 0, 4}, {0, -1, 6}}).view(),
                                 .new_T = field({{0, 0, 8}, {0, -1, 2}}).view(),
                                 .v = v.view()});
    return middle(v);
  };
  CHECK(lifted(all_fluid) == 1 + 0.5 * 5);
  CHECK(lifted(CellFaces::of(fluid, fluid, wall, fluid).code) == 1);
}
