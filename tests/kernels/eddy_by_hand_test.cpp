// Eddy viscosity and its stress by hand: flows with known strain, one cell with distinct neighbours, and
// conservation in a periodic box.
#include <limits>
#include <numbers>
#include <random>

#include "kernels/cells/cell_kernel.hpp"
#include "kernels/eddy_viscosity/eddy_viscosity.hpp"
#include "kernels/momentum_fluxes/momentum_fluxes.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

constexpr FluidCell cell{.dx = 0.5, .dy = 0.25, .dz = 2, .density = 2, .viscosity = 3};
constexpr FaceKind fluid = FaceKind::fluid, wall = FaceKind::fixed;
const int all_fluid = CellFaces::of(fluid, fluid, fluid, fluid).code;

template <class K>
void sweep_cells(const K& kernel, bool only_middle, const typename K::template Fields<AnyViews>& views) {
  const CellArgs<K> args{.precision = Precision::fp64, .kernel = kernel, .fields = views};
  dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    constexpr int dims = has_w<typename K::template Fields<V>> ? 3 : 2;
    if constexpr (std::is_same_v<typename V::Number, double> && V::dims == dims)
      for_each_cell(args.grid(), false, [&](int i, int j, int k) {
        if (!only_middle || (i == 2 && j == 2 && k == (dims == 3 ? 2 : 0)))
          sweep_cell<V>(kernel, fields, i, j, k);
      });
  });
}

// Five cells in each direction; the middle is (2, 2) or (2, 2, 2).
Grid five(int dims) { return dims == 3 ? Grid{5, 5, 5} : Grid{5, 5}; }
template <class F>
HostField field(int dims, const F& value) {
  HostField f(five(dims).with_halo(2), Precision::fp64);
  for_each_cell(f.grid(), true,
                [&](int i, int j, int k) { f.set(i, j, k, value(i - 2, j - 2, dims == 3 ? k - 2 : 0)); });
  return f;
}
HostField all(int dims, double value) {
  return field(dims, [=](int, int, int) { return value; });
}
double middle(const HostField& f) { return f.get(2, 2, f.grid().is_3d() ? 2 : 0); }

// Returns nu_t of the middle with l = 3 in the linear flow (u, v, w) = A (x, y, z).
using Gradient = std::array<std::array<double, 3>, 3>;
double viscosity_of(int dims, const Gradient& A) {
  const auto velocity = [&](int axis) {
    return field(dims, [&](int i, int j, int k) {
      const double x = (i + (axis == 0 ? 0 : 0.5)) * cell.dx, y = (j + (axis == 1 ? 0 : 0.5)) * cell.dy,
                   z = (k + (axis == 2 ? 0 : 0.5)) * cell.dz;
      return A[axis][0] * x + A[axis][1] * y + A[axis][2] * z;
    });
  };
  const HostField u = velocity(0), v = velocity(1), faces = all(dims, all_fluid), length = all(dims, 3),
                  eddy = all(dims, 0);
  if (dims == 2) {
    sweep_cells(
        EddyViscosity{{{cell}}}, true,
        {.faces = faces.view(), .u = u.view(), .v = v.view(), .length = length.view(), .eddy = eddy.view()});
  } else {
    const HostField w = velocity(2);
    sweep_cells(EddyViscosity3d{{{cell}}}, true,
                {.faces = faces.view(),
                 .u = u.view(),
                 .v = v.view(),
                 .w = w.view(),
                 .length = length.view(),
                 .eddy = eddy.view()});
  }
  return middle(eddy);
}

// A value at an offset in cells from the middle; all others are NaN.
struct At {
  int di, dj, dk;
  double value;
};
HostField some(int dims, const std::vector<At>& values) {
  return field(dims, [&](int i, int j, int k) {
    for (const At& at : values)
      if (at.di == i && at.dj == j && at.dk == k) return at.value;
    return std::numeric_limits<double>::quiet_NaN();
  });
}
HostField codes(int dims, const std::vector<At>& others) {
  return field(dims, [&](int i, int j, int k) {
    for (const At& at : others)
      if (at.di == i && at.dj == j && at.dk == k) return at.value;
    return double(all_fluid);
  });
}
const double solid = CellFaces::solid().code;
double with_north(FaceKind kind) { return CellFaces::of(fluid, fluid, fluid, kind).code; }

// A periodic box of 8 cells in each direction.
constexpr int box_cells = 8;
constexpr FluidCell box_cell{.dx = 0.125, .dy = 0.25, .dz = 0.5, .density = 2, .viscosity = 3};
Grid box(int dims) { return (dims == 3 ? Grid{8, 8, 8} : Grid{8, 8}).with_halo(2); }
template <class F>
HostField periodic(int dims, const F& value) {
  HostField f(box(dims), Precision::fp64);
  for_each_cell(f.grid(), true, [&](int i, int j, int k) {
    f.set(i, j, k, value((i + 8) % 8, (j + 8) % 8, dims == 3 ? (k + 8) % 8 : 0));
  });
  return f;
}
HostField noise(int dims, int seed, double least) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(least, 1);
  HostField f(box(dims), Precision::fp64);
  for_each_cell(f.grid(), false, [&](int i, int j, int k) { f.set(i, j, k, any(random)); });
  return periodic(dims, [&](int i, int j, int k) { return f.get(i, j, k); });
}

struct Velocities {
  int dims;
  std::vector<HostField> of;
  AnyView view(int axis) const { return of[axis].view(); }
  double operator()(int axis, int i, int j, int k) const { return of[axis].get(i, j, k); }
  static Velocities still(int dims) {
    return {dims, std::vector<HostField>(dims, periodic(dims, [](int, int, int) { return 0.0; }))};
  }
};
// Returns divergence-free noise: differences of stream functions between the edges of a face.
Velocities solenoidal(int dims) {
  const HostField psi = noise(dims, 1, -1), chi = noise(dims, 2, -1);
  Velocities v = Velocities::still(dims);
  const auto& c = box_cell;
  v.of[0] =
      periodic(dims, [&](int i, int j, int k) { return (psi.get(i, j + 1, k) - psi.get(i, j, k)) / c.dy; });
  v.of[1] = periodic(dims, [&](int i, int j, int k) {
    const double along_z = dims == 3 ? (chi.get(i, j, k + 1) - chi.get(i, j, k)) / c.dz : 0;
    return -(psi.get(i + 1, j, k) - psi.get(i, j, k)) / c.dx + along_z;
  });
  if (dims == 3)
    v.of[2] = periodic(
        dims, [&](int i, int j, int k) { return -(chi.get(i, j + 1, k) - chi.get(i, j, k)) / c.dy; });
  return v;
}

// Adds the eddy stress to these rates.
void add_stress(const HostField& eddy, const Velocities& v, const Velocities& rates) {
  const HostField faces = periodic(v.dims, [](int, int, int) { return double(all_fluid); });
  if (v.dims == 2)
    sweep_cells(EddyStress{{{box_cell}}}, false,
                {.faces = faces.view(),
                 .eddy = eddy.view(),
                 .u = v.view(0),
                 .v = v.view(1),
                 .ru = rates.view(0),
                 .rv = rates.view(1)});
  else
    sweep_cells(EddyStress3d{{{box_cell}}}, false,
                {.faces = faces.view(),
                 .eddy = eddy.view(),
                 .u = v.view(0),
                 .v = v.view(1),
                 .w = v.view(2),
                 .ru = rates.view(0),
                 .rv = rates.view(1),
                 .rw = rates.view(2)});
}
Velocities fluxes(double viscosity, const Velocities& v) {
  FluidCell of = box_cell;
  of.viscosity = viscosity;
  const Velocities rates = Velocities::still(v.dims);
  const HostField faces = periodic(v.dims, [](int, int, int) { return double(all_fluid); });
  if (v.dims == 2)
    sweep_cells(
        MomentumFluxes{{of}}, false,
        {{.faces = faces.view(), .u = v.view(0), .v = v.view(1), .ru = rates.view(0), .rv = rates.view(1)}});
  else
    sweep_cells(MomentumFluxes3d{{of}}, false,
                {{.faces = faces.view(),
                  .u = v.view(0),
                  .v = v.view(1),
                  .w = v.view(2),
                  .ru = rates.view(0),
                  .rv = rates.view(1),
                  .rw = rates.view(2)}});
  return rates;
}
// Returns the sum of f(axis, i, j, k) over all velocities of the box.
template <class F>
double sum_over(int dims, const F& f) {
  double sum = 0;
  for_each_cell(box(dims), false, [&](int i, int j, int k) {
    for (int axis = 0; axis < dims; ++axis) sum += f(axis, i, j, k);
  });
  return sum;
}

}  // namespace

TEST_CASE("eddy viscosity is l^2 |S| in a linear shear of any direction, and 0 in a rotation",
          "[kernels][flow]") {
  for (const int dims : {2, 3})
    for (int a = 0; a < dims; ++a)
      for (int b = 0; b < dims; ++b) {
        INFO(dims << " " << a << b);
        Gradient shear = {}, rotation = {};
        shear[a][b] = -4;
        if (a == b) {
          CHECK(viscosity_of(dims, shear) == Approx(9 * std::sqrt(2.0) * 4).epsilon(1e-15));
          continue;
        }
        CHECK(viscosity_of(dims, shear) == 9 * 4);
        rotation[a][b] = -4, rotation[b][a] = 4;
        CHECK(viscosity_of(dims, rotation) == 0);
        Gradient strain = {};
        strain[a][a] = 4, strain[b][b] = -4;
        CHECK(viscosity_of(dims, strain) == 9 * 2 * 4);
      }
  CHECK(viscosity_of(3, {{{4, 0, 0}, {0, -2, 0}, {0, 0, -2}}}) ==
        Approx(9 * std::sqrt(3.0) * 4).epsilon(1e-15));
}

// 2 S_xy at the corners: 4 (2 - 1) + 2 (2 - 4) = 0, 4 (6 - 5) + 2 (8 - 2) = 16, 4 (4 - 2) + 2 (3 - 1) = 12
// and 4 (9 - 6) + 2 (7 - 3) = 20. du/dx = 2 (6 - 2), dv/dy = 4 (3 - 2).
TEST_CASE("eddy viscosity by hand: the squares of four corners, and a wall next to the cell",
          "[kernels][flow]") {
  const HostField u =
      some(2, {{0, 0, 0, 2}, {1, 0, 0, 6}, {0, -1, 0, 1}, {0, 1, 0, 4}, {1, -1, 0, 5}, {1, 1, 0, 9}});
  const HostField v =
      some(2, {{0, 0, 0, 2}, {0, 1, 0, 3}, {-1, 0, 0, 4}, {1, 0, 0, 8}, {-1, 1, 0, 1}, {1, 1, 0, 7}});
  const auto eddy = [&](const std::vector<At>& others) {
    const HostField faces = codes(2, others), length = all(2, 0.5), found = all(2, -1);
    sweep_cells(
        EddyViscosity{{{cell}}}, true,
        {.faces = faces.view(), .u = u.view(), .v = v.view(), .length = length.view(), .eddy = found.view()});
    return middle(found);
  };
  const double stretched = 2 * (8 * 8 + 4 * 4);
  CHECK(eddy({}) == 0.25 * std::sqrt(stretched + (0 + 256 + 144 + 400) / 4.0));
  // Across the wall in the north 2 4 - 2 and 2 9 - 6: 4 (6 - 2) + 4 and 4 (12 - 6) + 8.
  const double north = with_north(wall);
  const std::vector<At> under_wall = {{-1, 0, 0, north}, {0, 0, 0, north}, {1, 0, 0, north},
                                      {-1, 1, 0, solid}, {0, 1, 0, solid}, {1, 1, 0, solid}};
  CHECK(eddy(under_wall) == 0.25 * std::sqrt(stretched + (0 + 256 + 400 + 1024) / 4.0));
  CHECK(eddy({{0, 0, 0, solid}}) == 0);
}

// Alternating shears have mean 0, but the flow is strained.
TEST_CASE("a checkerboard of shears gives eddy viscosity", "[kernels][flow]") {
  const HostField u = field(2, [](int i, int j, int) { return i % 2 == 0 && j % 2 == 0 ? 1.0 : 0.0; });
  const HostField v = all(2, 0), faces = all(2, all_fluid), length = all(2, 1), eddy = all(2, 0);
  sweep_cells(
      EddyViscosity{{{cell}}}, true,
      {.faces = faces.view(), .u = u.view(), .v = v.view(), .length = length.view(), .eddy = eddy.view()});
  CHECK(middle(eddy) == std::sqrt(2 * 4.0 + (16 + 16) / 4.0));
}

// u: along itself 2 4 (1 (6 - 2) - 2 (2 - 4)); below 3 (4 (2 - 1) + 2 (2 - 1)), above
// 4 (4 (4 - 2) + 2 (3 - 1)). v: along itself 2 16 (1 (3 - 2) - 3 (2 - 6)); in the west the same as below,
// in the east 4 (2 (8 - 2) + 4 (6 - 5)).
TEST_CASE("eddy stress by hand: nu_t at centres and the mean of four at corners", "[kernels][flow]") {
  const HostField u =
      some(2, {{0, 0, 0, 2}, {-1, 0, 0, 4}, {1, 0, 0, 6}, {0, -1, 0, 1}, {0, 1, 0, 4}, {1, -1, 0, 5}});
  const HostField v =
      some(2, {{0, 0, 0, 2}, {0, -1, 0, 6}, {0, 1, 0, 3}, {-1, 0, 0, 1}, {1, 0, 0, 8}, {-1, 1, 0, 1}});
  const HostField eddy = some(2, {{0, 0, 0, 1},
                                  {-1, 0, 0, 2},
                                  {0, -1, 0, 3},
                                  {-1, -1, 0, 6},
                                  {0, 1, 0, 5},
                                  {-1, 1, 0, 8},
                                  {1, 0, 0, 4},
                                  {1, -1, 0, 8}});
  const auto stressed = [&](const std::vector<At>& others) {
    const HostField faces = codes(2, others), ru = all(2, 10), rv = all(2, 20);
    sweep_cells(EddyStress{{{cell}}}, true,
                {.faces = faces.view(),
                 .eddy = eddy.view(),
                 .u = u.view(),
                 .v = v.view(),
                 .ru = ru.view(),
                 .rv = rv.view()});
    return std::pair{middle(ru), middle(rv)};
  };
  const double below = 3 * 6, above = 4 * 12, east = 4 * 16;
  const double v_gains = 32 * 13 + (east - below) * 2;
  CHECK(stressed({}) == std::pair{10 + 64 + (above - below) * 4, 20 + v_gains});
  // Next to a wall nu_t is the mean of two cells, and 2 4 - 2 is the value across it: 3/2 (4 (6 - 2) + 4).
  const double north = with_north(wall);
  CHECK(stressed({{-1, 0, 0, north}, {0, 0, 0, north}, {-1, 1, 0, solid}, {0, 1, 0, solid}}).first ==
        10 + 64 + (30 - below) * 4);
  // At the corner of a body it is the mean of three cells.
  CHECK(stressed({{-1, 0, 0, north}, {-1, 1, 0, solid}}).first ==
        Approx(10 + 64 + (8.0 / 3 * 12 - below) * 4).epsilon(1e-15));
  // A velocity on a wall has no rate.
  const double west = CellFaces::of(wall, fluid, fluid, fluid).code;
  CHECK(stressed({{0, 0, 0, west}, {0, -1, 0, west}}).first == 10);
}

// Along z u has below 6 ((2 - 4) / 2 + 2 (4 - 2)) and above 4 ((6 - 2) / 2 + 2 (2 - 0)). w has along itself 2
// / 4 (1 (2 - 4) - 7 (4 - 2)), in x 18 in the west like u below and in the east 5 (2 (6 - 4) + (6 - 4) / 2),
// in y below 4 (4 (4 - 6) + (2 - 8) / 2) and above 6 (4 (1 - 4) + (3 - 1) / 2).
TEST_CASE("eddy stress by hand in 3-D: terms of the third direction", "[kernels][flow]") {
  const HostField u = some(3, {{0, 0, 0, 2},
                               {-1, 0, 0, 4},
                               {1, 0, 0, 6},
                               {0, -1, 0, 1},
                               {0, 1, 0, 4},
                               {1, -1, 0, 5},
                               {0, 0, -1, 4},
                               {0, 0, 1, 6},
                               {1, 0, -1, 4}});
  const HostField v = some(3, {{0, 0, 0, 2},
                               {0, -1, 0, 6},
                               {0, 1, 0, 3},
                               {-1, 0, 0, 1},
                               {1, 0, 0, 8},
                               {-1, 1, 0, 1},
                               {0, 0, -1, 8},
                               {0, 0, 1, 2},
                               {0, 1, -1, 1}});
  const HostField w = some(3, {{0, 0, 0, 4},
                               {0, 0, -1, 2},
                               {0, 0, 1, 2},
                               {-1, 0, 0, 2},
                               {-1, 0, 1, 0},
                               {1, 0, 0, 6},
                               {0, -1, 0, 6},
                               {0, -1, 1, 8},
                               {0, 1, 0, 1}});
  const HostField eddy = some(3, {{0, 0, 0, 1},
                                  {-1, 0, 0, 2},
                                  {0, -1, 0, 3},
                                  {-1, -1, 0, 6},
                                  {0, 1, 0, 5},
                                  {-1, 1, 0, 8},
                                  {1, 0, 0, 4},
                                  {1, -1, 0, 8},
                                  {0, 0, -1, 7},
                                  {-1, 0, -1, 14},
                                  {0, 0, 1, 5},
                                  {-1, 0, 1, 8},
                                  {1, 0, -1, 8},
                                  {0, -1, -1, 5},
                                  {0, -1, 1, 3},
                                  {0, 1, -1, 11}});
  const HostField faces = all(3, all_fluid), ru = all(3, 10), rv = all(3, 20), rw = all(3, 30);
  sweep_cells(EddyStress3d{{{cell}}}, true,
              {.faces = faces.view(),
               .eddy = eddy.view(),
               .u = u.view(),
               .v = v.view(),
               .w = w.view(),
               .ru = ru.view(),
               .rv = rv.view(),
               .rw = rw.view()});
  const double flat_u = 64 + (48 - 18) * 4, flat_v = 416 + (64 - 18) * 2;
  CHECK(middle(ru) == 10 + flat_u + (4 * (2 + 4) - 6 * (-1 + 4)) * 0.5);
  // v: below 4 times the shear of w below, above 3 ((2 - 2) / 2 + 4 (2 - 8)).
  CHECK(middle(rv) == 20 + flat_v + (3 * (0 - 24) - 4 * (-3 - 8)) * 0.5);
  CHECK(middle(rw) == 30 + 0.5 * (1 * (2 - 4) - 7 * (4 - 2)) + (5 * (4 + 1) - 6 * (-1 + 4)) * 2 +
                          (6 * (-12 + 1) - 4 * (-8 - 3)) * 4);
}

TEST_CASE("a uniform eddy viscosity adds to the fluid's", "[kernels][flow]") {
  for (const int dims : {2, 3}) {
    const Velocities v = solenoidal(dims);
    // 3 and 5 at a density of 2.
    const Velocities with_eddies = fluxes(3, v), as_fluid = fluxes(8, v);
    add_stress(periodic(dims, [](int, int, int) { return 2.5; }), v, with_eddies);
    double largest = 0, size = 0;
    sum_over(dims, [&](int axis, int i, int j, int k) {
      largest = std::max(largest, std::abs(with_eddies(axis, i, j, k) - as_fluid(axis, i, j, k)));
      size = std::max(size, std::abs(as_fluid(axis, i, j, k)));
      return 0;
    });
    CHECK(size > 100);
    CHECK(largest < 1e-13 * size);
  }
}

// Its waves are eigenvectors of the differences: 2 (1 - cos k h) / h^2 in each direction.
TEST_CASE("a Taylor-Green vortex loses energy at the exact rate of the sum of both viscosities",
          "[kernels][flow]") {
  const double k = 2 * std::numbers::pi / box_cells;
  Velocities v = Velocities::still(2);
  v.of[0] =
      periodic(2, [&](int i, int j, int) { return std::sin(k * i) * std::cos(k * (j + 0.5)) / box_cell.dy; });
  v.of[1] = periodic(
      2, [&](int i, int j, int) { return -std::cos(k * (i + 0.5)) * std::sin(k * j) / box_cell.dx; });
  const Velocities rates = fluxes(3, v);
  add_stress(periodic(2, [](int, int, int) { return 2.5; }), v, rates);
  const double lost =
      -sum_over(2, [&](int a, int i, int j, int) { return v(a, i, j, 0) * rates(a, i, j, 0); });
  const double square = sum_over(2, [&](int a, int i, int j, int) { return v(a, i, j, 0) * v(a, i, j, 0); });
  const double wave = 2 * (1 - std::cos(k)) * (64 + 16);
  CHECK(lost == Approx((1.5 + 2.5) * wave * square).epsilon(1e-13));
}

// In a periodic box momentum is conserved. The energy lost by the velocities is the work of the stress on the
// strain: 2 nu_t S_ij S_ij at centres and edges, each with its own differences.
TEST_CASE("eddy stress conserves momentum and dissipates the energy that velocities lose",
          "[kernels][flow]") {
  for (const int dims : {2, 3}) {
    const HostField eddy = noise(dims, 3, 0);
    Velocities v = Velocities::still(dims);
    for (int axis = 0; axis < dims; ++axis) v.of[axis] = noise(dims, 4 + axis, -1);
    const Velocities rates = Velocities::still(dims);
    add_stress(eddy, v, rates);
    for (int axis = 0; axis < dims; ++axis) {
      const double momentum =
          sum_over(dims, [&](int a, int i, int j, int k) { return a == axis ? rates(a, i, j, k) : 0; });
      CHECK(std::abs(momentum) < 1e-10);
    }
    const double lost =
        -sum_over(dims, [&](int a, int i, int j, int k) { return v(a, i, j, k) * rates(a, i, j, k); });
    double dissipated = 0;
    for_each_cell(box(dims), false, [&](int i, int j, int k) {
      const int at[] = {i, j, k};
      const auto value = [&](const HostField& f, int a, int da, int b, int db) {
        int to[] = {at[0], at[1], at[2]};
        to[a] += da, to[b] += db;
        return f.get(to[0], to[1], to[2]);
      };
      for (int a = 0; a < dims; ++a) {
        const double stretch = (value(v.of[a], a, 1, a, 0) - value(v.of[a], a, 0, a, 0)) / box_cell.side(a);
        dissipated += 2 * eddy.get(i, j, k) * stretch * stretch;
        for (int b = a + 1; b < dims; ++b) {
          const double shear = (value(v.of[a], b, 0, a, 0) - value(v.of[a], b, -1, a, 0)) / box_cell.side(b) +
                               (value(v.of[b], a, 0, b, 0) - value(v.of[b], a, -1, b, 0)) / box_cell.side(a);
          const double mean = (value(eddy, a, 0, b, 0) + value(eddy, a, -1, b, 0) + value(eddy, a, 0, b, -1) +
                               value(eddy, a, -1, b, -1)) /
                              4;
          dissipated += mean * shear * shear;
        }
      }
    });
    CHECK(lost > 100);
    CHECK(lost == Approx(dissipated).epsilon(1e-12));
  }
}
