#include "tests/kernels/boxes.hpp"

#include <cmath>

using namespace cfdmark;

TEST_CASE(
    "on a box of larger fields every kernel changes the box and nothing around it, on every backend here",
    "[kernels]") {
  for (BackendKind kind : all_backends) {
    if (!unavailable_reason(kind).empty()) continue;
    INFO(to_string(kind));
    CHECK(check_boxes(backend(kind), Libraries::yes, CellKernels{}) > 100);
  }
}

TEST_CASE("a box is given by its first cell and its sides, and one outside the field is refused",
          "[kernels]") {
  HostField field(Grid{5, 4, 3}, Precision::fp64);
  field.set(2, 1, 1, 42);
  const AnyView box = field.view().box(2, 1, 1, 3, 2, 1);
  CHECK(box.as<double>()(0, 0, 0) == 42);
  CHECK(box.grid.is_3d());  // a plane of a 3-D grid
  CHECK(box.pitch == field.view().pitch);
  CHECK(box.plane == field.view().plane);
  CHECK(box.is_box);
  CHECK_FALSE(field.view().box(0, 0, 0, 5, 4, 3).is_box);
  CHECK_THROWS_WITH(field.view().box(2, 1, 1, 4, 2, 1), ContainsSubstring("exceeds the grid 5x4x3"));
  CHECK_THROWS_AS(field.view().box(0, 0, -1, 1, 1, 1), std::out_of_range);
  CHECK_THROWS_AS(field.view().box(0, 0, 0, 0, 1, 1), std::out_of_range);
}

// Against loops over the cells of the whole domain, with the formula written out.
TEST_CASE("a slab of red-black SOR that begins at an odd row has the colours of the whole domain",
          "[kernels]") {
  const Grid whole{6, 7};
  constexpr int first_row = 3, rows = 3;
  constexpr double omega = 1.5;
  const HostField start = noise_field(whole, Precision::fp64, 1), b = noise_field(whole, Precision::fp64, 2);
  HostField expected = start;
  for (int colour : {0, 1})
    for (int j = first_row; j < first_row + rows; ++j)
      for (int i = 0; i < whole.nx; ++i) {
        if ((i + j) % 2 != colour) continue;
        const double u = expected.get(i, j), around = expected.get(i - 1, j) + expected.get(i + 1, j) +
                                                      expected.get(i, j - 1) + expected.get(i, j + 1);
        expected.set(i, j, 0, u + omega * ((b.get(i, j) + around) / 4 - u));
      }
  Operator a;  // -h^2 times the Laplacian on a square mesh
  a.wx = a.wy = 1, a.centre = 4;
  for (BackendKind kind : all_backends) {
    if (!unavailable_reason(kind).empty()) continue;
    Backend& on = backend(kind);
    for (const auto& method : CellKernel<RedBlackSor>::methods(kind)) {
      INFO(to_string(kind) << " " << method.name);
      Field u(on, whole, Precision::fp64), right(on, whole, Precision::fp64);
      u.upload(start), right.upload(b);
      const CellArgs<RedBlackSor> args{.precision = Precision::fp64,
                                       .kernel = {.omega = omega},
                                       .fields = {.a = a,
                                                  .u = u.view().box(0, first_row, 0, whole.nx, rows),
                                                  .b = right.view().box(0, first_row, 0, whole.nx, rows)}};
      if (!method.why_unsupported(args).empty()) continue;
      const Step step = method.prepare(on, args, one_step(method));
      if (step.load) step.load();
      step.run();
      if (step.store) step.store();
      const HostField found = u.download();
      for_each_cell(whole, true, [&](int i, int j, int k) {
        CHECK(found.get(i, j, k) == Approx(expected.get(i, j, k)).epsilon(1e-14));
      });
    }
  }
}
