// The formulas of a 3-D staggered grid by hand, on one cell with distinct neighbours. All other values are
// NaN, so that reading one of them is detected.
#include <limits>

#include "kernels/adams_bashforth/adams_bashforth.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "kernels/momentum_fluxes/momentum_fluxes.hpp"
#include "kernels/velocity_correction/velocity_correction.hpp"
#include "kernels/velocity_divergence/velocity_divergence.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// nu = 3/2
constexpr FluidCell cell{.dx = 0.5, .dy = 0.25, .dz = 2, .density = 2, .viscosity = 3};
constexpr FaceKind fluid = FaceKind::fluid, wall = FaceKind::fixed, slip = FaceKind::slip;
const int all_fluid = CellFaces::of(fluid, fluid, fluid, fluid).code;

// A value at an offset in cells from the middle, (2, 2, 2).
struct At {
  int di, dj, dk;
  double value;
};
HostField field(const std::vector<At>& values) {
  HostField f(Grid{5, 5, 5}.with_halo(2), Precision::fp64);
  for_each_cell(f.grid(), true,
                [&](int i, int j, int k) { f.set(i, j, k, std::numeric_limits<double>::quiet_NaN()); });
  for (const At& at : values) f.set(2 + at.di, 2 + at.dj, 2 + at.dk, at.value);
  return f;
}
HostField of(double value) { return field({{0, 0, 0, value}}); }
double middle(const HostField& f) { return f.get(2, 2, 2); }

template <class K>
void sweep_middle(const K& kernel, const typename K::template Fields<AnyViews>& fields) {
  const CellArgs<K> args{.precision = Precision::fp64, .kernel = kernel, .fields = fields};
  dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& views) {
    if constexpr (std::is_same_v<typename V::Number, double> && (V::dims == 3 || !has_neighbours<K>))
      sweep_cell<V>(kernel, views, 2, 2, 2);
  });
}

struct Three {
  double u, v, w;
  bool operator==(const Three&) const = default;
};

// In the plane of x and y as in 2-D, where the rates of u and v are 40 and 161.
const std::vector<At> near_u = {{0, 0, 0, 2},  {-1, 0, 0, 4}, {1, 0, 0, 6}, {0, -1, 0, 1}, {0, 1, 0, 4},
                                {1, -1, 0, 5}, {0, 0, -1, 4}, {0, 0, 1, 6}, {1, 0, -1, 4}};
const std::vector<At> near_v = {{0, 0, 0, 2},  {0, -1, 0, 6}, {0, 1, 0, 3}, {-1, 0, 0, 4}, {1, 0, 0, 8},
                                {-1, 1, 0, 1}, {0, 0, -1, 8}, {0, 0, 1, 2}, {0, 1, -1, 1}};
const std::vector<At> near_w = {{0, 0, 0, 4}, {0, 0, -1, 2}, {0, 0, 1, 2},  {-1, 0, 0, 2}, {-1, 0, 1, 0},
                                {1, 0, 0, 6}, {0, -1, 0, 6}, {0, -1, 1, 8}, {0, 1, 0, 1}};

template <class K>
Three rates(const K& kernel, const std::vector<At>& faces, const std::vector<At>& far_u = {}) {
  std::vector<At> u = near_u;
  u.insert(u.end(), far_u.begin(), far_u.end());
  const HostField ru = field({}), rv = field({}), rw = field({});
  sweep_middle(kernel, {{.faces = field(faces).view(),
                         .u = field(u).view(),
                         .v = field(near_v).view(),
                         .w = field(near_w).view(),
                         .ru = ru.view(),
                         .rv = rv.view(),
                         .rw = rw.view()}});
  return {middle(ru), middle(rv), middle(rw)};
}
// Returns the rates for the given codes of the cells at the middle's west, south and bottom faces.
Three central(int middle_cell, int west_cell, int south_cell = all_fluid, double force = 0) {
  return rates(MomentumFluxes3d{{cell, force}}, {{0, 0, 0, double(middle_cell)},
                                                 {-1, 0, 0, double(west_cell)},
                                                 {0, -1, 0, double(south_cell)},
                                                 {0, 0, -1, double(all_fluid)}});
}
int with_top(FaceKind kind) { return CellFaces::of(fluid, fluid, fluid, fluid, fluid, kind).code; }

// Along z u gains (3 3 - 1 4) / 2 and 3/8 6; v gains (5 5 - 5 2) / 2 and 3/8 6. w gains along itself (3 3 - 3
// 3) / 2 and 3/8 -4, in x (3 3 - 5 5) 2 and 6 0, in y (5 5 - 2 5/2) 4 and 24 -1.
constexpr Three gained{40 + 2.5 + 2.25, 161 + 7.5 + 2.25, -1.5 - 32 + 80 - 24};

}  // namespace

TEST_CASE("momentum fluxes by hand in 3-D: convection of and by the third velocity", "[kernels][flow]") {
  CHECK(central(all_fluid, all_fluid) == gained);
  CHECK(central(all_fluid, all_fluid, all_fluid, 8) == Three{gained.u + 4, gained.v, gained.w});
}

TEST_CASE("momentum fluxes by hand in 3-D: walls and slip planes above, and a wall below",
          "[kernels][flow]") {
  // Across the wall 2 6 - 2 = 10, which convects 6 and diffuses with 3/8 (10 - 2).
  CHECK(central(with_top(wall), with_top(wall)).u == 40 + (3 * 3 - 1 * 6) * 0.5 + 0.375 * (2 + 8));
  CHECK(central(with_top(slip), with_top(slip)).u == 40 + (3 * 3 - 1 * 2) * 0.5 + 0.375 * 2);
  CHECK(central(with_top(wall), all_fluid).u == gained.u);  // at the edge of a body: the stored value
  const int on_wall = CellFaces::of(fluid, fluid, fluid, fluid, wall).code;
  CHECK(central(on_wall, all_fluid).w == 0);
  CHECK(central(CellFaces::of(wall, fluid, fluid, fluid).code, all_fluid).u == 0);
}

TEST_CASE("momentum fluxes by hand in 3-D: second-order upwind along z, and the mean next to a wall",
          "[kernels][flow]") {
  const auto upwind = [](int below) {
    std::vector<At> faces;
    for (int dk = -1; dk <= 1; ++dk)
      for (int dj = -1; dj <= 1; ++dj)
        for (int di = -1; di <= 1; ++di) faces.push_back({di, dj, dk, double(dk == -1 ? below : all_fluid)});
    const std::vector<At> far_u = {{-2, 0, 0, 2}, {2, 0, 0, 9},  {0, -2, 0, 1},
                                   {0, 2, 0, 2},  {0, 0, -2, 2}, {0, 0, 2, 8}};
    std::vector<At> u = near_u;
    u.insert(u.end(), far_u.begin(), far_u.end());
    const double rate = rates(UpwindMomentumFluxes3d{{cell}}, faces, far_u).u;
    const HostField ru = of(6), rv = of(0), rw = of(0), new_u = field({}), new_v = field({}),
                    new_w = field({});
    sweep_middle(UpwindPrediction3d{{{cell}, {0.5, -0.25}}}, {{.faces = field(faces).view(),
                                                               .u = field(u).view(),
                                                               .v = field(near_v).view(),
                                                               .w = field(near_w).view(),
                                                               .ru = ru.view(),
                                                               .rv = rv.view(),
                                                               .rw = rw.view(),
                                                               .new_u = new_u.view(),
                                                               .new_v = new_v.view(),
                                                               .new_w = new_w.view()}});
    CHECK(middle(ru) == rate);
    CHECK(middle(new_u) == 2 + 0.5 * rate - 1.5);
    return rate;
  };
  // In the plane as in 2-D, 74. From below 3/2 4 - 1/2 2, or the mean of 4 and 2; above 3/2 2 - 1/2 4.
  CHECK(upwind(all_fluid) == 74 + (3 * 5 - 1 * 1) * 0.5 + 2.25);
  CHECK(upwind(CellFaces::of(fluid, fluid, fluid, fluid, wall).code) == 74 + (3 * 3 - 1 * 1) * 0.5 + 2.25);
}

TEST_CASE("an Adams-Bashforth step by hand in 3-D, and in one pass with the fluxes", "[kernels][flow]") {
  const HostField u = field({}), v = field({}), w = field({});
  sweep_middle(AdamsBashforth3d{{0.5, -0.25}}, {.ru = of(4).view(),
                                                .rv = of(8).view(),
                                                .rw = of(12).view(),
                                                .old_ru = of(6).view(),
                                                .old_rv = of(4).view(),
                                                .old_rw = of(16).view(),
                                                .u = of(2).view(),
                                                .v = of(1).view(),
                                                .w = of(3).view(),
                                                .new_u = u.view(),
                                                .new_v = v.view(),
                                                .new_w = w.view()});
  CHECK(Three{middle(u), middle(v), middle(w)} == Three{2 + 2 - 1.5, 1 + 4 - 1, 3 + 6 - 4});
  const HostField ru = of(6), rv = of(4), rw = of(8);
  std::vector<At> faces;
  for (const auto& [di, dj, dk] : {std::array{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}})
    faces.push_back({di, dj, dk, double(all_fluid)});
  sweep_middle(CentralPrediction3d{{{cell}, 0.5, -0.25}}, {{.faces = field(faces).view(),
                                                            .u = field(near_u).view(),
                                                            .v = field(near_v).view(),
                                                            .w = field(near_w).view(),
                                                            .ru = ru.view(),
                                                            .rv = rv.view(),
                                                            .rw = rw.view(),
                                                            .new_u = u.view(),
                                                            .new_v = v.view(),
                                                            .new_w = w.view()}});
  CHECK(Three{middle(ru), middle(rv), middle(rw)} == gained);
  CHECK(Three{middle(u), middle(v), middle(w)} ==
        Three{2 + 0.5 * gained.u - 1.5, 2 + 0.5 * gained.v - 1, 4 + 0.5 * gained.w - 2});
}

TEST_CASE("velocity divergence by hand in 3-D", "[kernels][flow]") {
  const HostField b = field({});
  sweep_middle(VelocityDivergence3d{{cell, 0.25}}, {.u = field({{0, 0, 0, 3}, {1, 0, 0, 5}}).view(),
                                                    .v = field({{0, 0, 0, 7}, {0, 1, 0, 4}}).view(),
                                                    .w = field({{0, 0, 0, 9}, {0, 0, 1, 1}}).view(),
                                                    .b = b.view()});
  CHECK(middle(b) == 8 * (0.5 * (3 - 5) + 1 * (7 - 4) + 0.125 * (9 - 1)));
}

TEST_CASE("velocity correction by hand in 3-D, which leaves walls unchanged", "[kernels][flow]") {
  const auto corrected = [](int faces) {
    const HostField u = field({}), v = field({}), w = field({});
    sweep_middle(VelocityCorrection3d{{cell, 0.25}},
                 {.faces = of(faces).view(),
                  .p = field({{0, 0, 0, 13}, {-1, 0, 0, 3}, {0, -1, 0, 7}, {0, 0, -1, 5}}).view(),
                  .u = of(2).view(),
                  .v = of(1).view(),
                  .w = of(4).view(),
                  .new_u = u.view(),
                  .new_v = v.view(),
                  .new_w = w.view()});
    return Three{middle(u), middle(v), middle(w)};
  };
  CHECK(corrected(all_fluid) == Three{2 - 0.25 * 10, 1 - 0.5 * 6, 4 - 0.0625 * 8});
  CHECK(corrected(CellFaces::of(wall, fluid, fluid, fluid, wall).code) == Three{2, -2, 4});
}
