// Heat transport by eddies by hand: one cell, a decaying wave, and conservation in a closed box.
#include <limits>
#include <numbers>
#include <random>

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/temperature/temperature.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

constexpr FluidCell cell{.dx = 0.5, .dy = 0.25, .dz = 2, .density = 2, .viscosity = 3};
constexpr FaceKind fluid = FaceKind::fluid, wall = FaceKind::fixed, slip = FaceKind::slip;

// Applies a kernel to all cells of a box, or to the given one.
template <class K>
void sweep(const K& kernel, const typename K::template Fields<AnyViews>& views, const Grid& over,
           std::array<int, 3> from = {}) {
  const CellArgs<K> args{.precision = Precision::fp64, .kernel = kernel, .fields = views};
  dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    constexpr int dims = has_w<typename K::template Fields<V>> ? 3 : 2;
    if constexpr (std::is_same_v<typename V::Number, double> && V::dims == dims)
      for_each_cell(over, false, [&](int i, int j, int k) {
        sweep_cell<V>(kernel, fields, from[0] + i, from[1] + j, from[2] + k);
      });
  });
}

// Values at offsets in cells from the middle of three in each direction; all others are NaN.
struct At {
  int di, dj, dk;
  double value;
};
HostField some(int dims, const std::vector<At>& values) {
  HostField f(dims == 3 ? Grid{3, 3, 3} : Grid{3, 3}, Precision::fp64);
  for_each_cell(f.grid(), true,
                [&](int i, int j, int k) { f.set(i, j, k, std::numeric_limits<double>::quiet_NaN()); });
  for (const At& at : values) f.set(1 + at.di, 1 + at.dj, dims == 3 ? 1 + at.dk : 0, at.value);
  return f;
}

struct Stepped {
  double rate, T;
  bool operator==(const Stepped&) const = default;
};
// Returns the step of the middle cell with alpha = 2, Pr_t = 1/2 and a previous rate of 16.
Stepped stepped(int dims, CellFaces codes) {
  const HostField faces = some(dims, {{0, 0, 0, double(codes.code)}}),
                  u = some(dims, {{0, 0, 0, 3}, {1, 0, 0, 5}}), v = some(dims, {{0, 0, 0, 1}, {0, 1, 0, 2}}),
                  T = some(dims, {{0, 0, 0, 4},
                                  {-1, 0, 0, 2},
                                  {1, 0, 0, 8},
                                  {0, -1, 0, 6},
                                  {0, 1, 0, 1},
                                  {0, 0, dims - 2, dims == 3 ? 10.0 : 4}}),
                  rate = some(dims, {{0, 0, 0, 16}}), next = some(dims, {});
  HostField eddy = some(dims, {{0, 0, 0, 3}, {-1, 0, 0, 1}, {1, 0, 0, 5}, {0, -1, 0, 7}, {0, 1, 0, 9}});
  const EddyHeatFluxes kernel{{cell, 2, {0.5, -0.25}}, 2};
  const Grid one = dims == 3 ? Grid{1, 1, 1} : Grid{1, 1};
  if (dims == 2) {
    sweep(EddyTemperature{kernel},
          {.faces = faces.view(),
           .u = u.view(),
           .v = v.view(),
           .T = T.view(),
           .eddy = eddy.view(),
           .rate = rate.view(),
           .new_T = next.view()},
          one, {1, 1, 0});
    return {rate.get(1, 1), next.get(1, 1)};
  }
  eddy.set(1, 1, 2, 11);
  const HostField w = some(dims, {{0, 0, 0, 0}, {0, 0, 1, 4}});
  sweep(EddyTemperature3d{kernel},
        {.faces = faces.view(),
         .u = u.view(),
         .v = v.view(),
         .w = w.view(),
         .T = T.view(),
         .eddy = eddy.view(),
         .rate = rate.view(),
         .new_T = next.view()},
        one, {1, 1, 1});
  return {rate.get(1, 1, 1), next.get(1, 1, 1)};
}

// An adiabatic box with velocities, an eddy viscosity and a temperature.
struct Box {
  explicit Box(int dims) : grid(dims == 3 ? Grid{6, 5, 4} : Grid{6, 5}) {
    for (int n = 0; n < dims; ++n) velocities.push_back(zeros());
    faces = zeros(), T = zeros(), eddy = zeros(), rate = zeros(), next = zeros();
    const int cells[] = {grid.nx, grid.ny, grid.nz};
    for_each_cell(grid, false, [&](int i, int j, int k) {
      const int at[] = {i, j, k};
      const auto kind = [&](int axis, int last) { return at[axis] == last ? slip : fluid; };
      faces.set(i, j, k,
                CellFaces::of(kind(0, 0), kind(0, cells[0] - 1), kind(1, 0), kind(1, cells[1] - 1),
                              dims == 3 ? kind(2, 0) : fluid, dims == 3 ? kind(2, cells[2] - 1) : fluid)
                    .code);
    });
  }
  HostField zeros() const { return HostField(grid, Precision::fp64); }
  template <class F>
  void fill(HostField& field, const F& value) const {
    for_each_cell(grid, false, [&](int i, int j, int k) { field.set(i, j, k, value(i, j, k)); });
  }
  void step(double alpha, double inverse_prandtl, const TwoRates& rates) {
    const EddyHeatFluxes kernel{{cell, alpha, rates}, inverse_prandtl};
    const AnyView u = velocities[0].view(), v = velocities[1].view();
    if (grid.is_3d())
      sweep(EddyTemperature3d{kernel},
            {.faces = faces.view(),
             .u = u,
             .v = v,
             .w = velocities[2].view(),
             .T = T.view(),
             .eddy = eddy.view(),
             .rate = rate.view(),
             .new_T = next.view()},
            grid);
    else
      sweep(EddyTemperature{kernel},
            {.faces = faces.view(),
             .u = u,
             .v = v,
             .T = T.view(),
             .eddy = eddy.view(),
             .rate = rate.view(),
             .new_T = next.view()},
            grid);
  }
  // Returns the sum of f over all cells.
  template <class F>
  double sum(const F& f) const {
    double sum = 0;
    for_each_cell(grid, false, [&](int i, int j, int k) { sum += f(i, j, k); });
    return sum;
  }

  Grid grid;
  std::vector<HostField> velocities;
  HostField faces, T, eddy, rate, next;
};

}  // namespace

// Convection and conduction without eddies: -42 + 16 - 0 - 32 (staggered_by_hand_test). Eddies: in x 2 4 (2
// (2 - 4) - 4 (4 - 8)), in y 2 16 (5 (6 - 4) - 6 (4 - 1)).
TEST_CASE(
    "heat transport by eddies by hand: the mean of two cells, at a wall the cell's own, and none across slip",
    "[kernels][flow]") {
  const double all = -42 + 16 - 0 - 32 + 96 - 256;
  CHECK(stepped(2, CellFaces::of(fluid, fluid, fluid, fluid)) == Stepped{all, 4 + 0.5 * all - 4});
  // A wall of temperature 2 in the west: 0 across it, and the cell's own 3; the north is adiabatic.
  const double held = (3 * 2 - 5 * 6) * 2 + 8 * (-4 + 4) + (5 - 2 * 4) * 4 + 32 * 2;
  const double by_eddies = 8 * (3 * (0 - 4) + 16) + 32 * (5 * 2);
  CHECK(stepped(2, CellFaces::of(wall, fluid, fluid, slip)).rate == held + by_eddies);
  CHECK(stepped(2, CellFaces::solid()) == Stepped{0, 0});
}

// In z nothing enters and 4 leave with (4 + 10) / 2, halved; conduction is 2 / 4 (10 - 4); eddies give 2 / 4
// 7 (10 - 4). The bottom is adiabatic.
TEST_CASE("in 3-D the third direction is added", "[kernels][flow]") {
  const double flat = -42 + 16 - 0 - 32 + 96 - 256, along_z = -4 * 7 * 0.5 + 0.5 * 6 + 0.5 * 7 * 6;
  CHECK(stepped(3, CellFaces::of(fluid, fluid, fluid, fluid, slip, fluid)).rate == flat + along_z);
}

// cos(pi x) cos(pi y) cos(pi z) with sides of 1: each step removes the same share.
TEST_CASE("with uniform eddy viscosity a wave of heat decays at the exact rate of the diffusivity",
          "[kernels][flow]") {
  for (const int dims : {2, 3}) {
    Box box(dims);
    const auto wave = [&](int i, int j, int k) {
      const auto along = [](int n, int cells) { return std::cos(std::numbers::pi * (n + 0.5) / cells); };
      return along(i, box.grid.nx) * along(j, box.grid.ny) * (dims == 3 ? along(k, box.grid.nz) : 1);
    };
    box.fill(box.T, wave);
    box.fill(box.eddy, [](int, int, int) { return 0.6; });
    const double alpha = 0.1, prandtl = 0.75, dt = 0.004;
    double curvature = 0;
    const int cells[] = {box.grid.nx, box.grid.ny, box.grid.nz};
    for (int axis = 0; axis < dims; ++axis)
      curvature += std::pow(2 * std::sin(std::numbers::pi / (2 * cells[axis])) / cell.side(axis), 2);
    double size = 1, rate = 0;
    for (int n = 0; n < 20; ++n) {
      box.step(alpha, 1 / prandtl, {n == 0 ? dt : 1.5 * dt, n == 0 ? 0 : -0.5 * dt});
      const double now = -(alpha + 0.6 / prandtl) * curvature * size;
      size += n == 0 ? dt * now : dt * (1.5 * now - 0.5 * rate);
      rate = now;
      std::swap(box.T, box.next);
    }
    double largest = 0;
    for_each_cell(box.grid, false, [&](int i, int j, int k) {
      largest = std::max(largest, std::abs(box.T.get(i, j, k) - size * wave(i, j, k)));
    });
    INFO(dims);
    CHECK(size < 0.9);
    CHECK(largest < 1e-14);
  }
}

TEST_CASE("eddies of any strength conserve the heat of a closed box and reduce its differences",
          "[kernels][flow]") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1, 1);
  for (const int dims : {2, 3}) {
    Box box(dims);
    const auto noise = [&](int, int, int) { return any(random); };
    box.fill(box.T, noise);
    box.fill(box.eddy, [&](int, int, int) { return 1 + any(random); });
    box.step(0, 1 / 0.9, {1, 0});
    const double left = box.sum([&](int i, int j, int k) { return box.rate.get(i, j, k); });
    const double taken =
        box.sum([&](int i, int j, int k) { return box.T.get(i, j, k) * box.rate.get(i, j, k); });
    INFO(dims);
    CHECK(std::abs(left) < 1e-11);
    CHECK(taken < -1);
    // With velocities too, none of which crosses the sides.
    for (int axis = 0; axis < dims; ++axis)
      box.fill(box.velocities[axis], [&](int i, int j, int k) {
        const int at[] = {i, j, k};
        return at[axis] == 0 ? 0 : any(random);
      });
    box.step(0.3, 1 / 0.9, {1, 0});
    CHECK(std::abs(box.sum([&](int i, int j, int k) { return box.rate.get(i, j, k); })) < 1e-11);
  }
}
