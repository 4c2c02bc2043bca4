// Kernels from outside the repository (tests/user_kernels): built if CFDMARK_KERNELS lists them, as the
// preset ci does.
#if __has_include("nine_point/nine_point.hpp")

#include "nine_point/nine_point.hpp"

#include <cmath>

#include "bench/case/row.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/source_hash.hpp"
#include "face_gradient/face_gradient.hpp"
#include "kernels/cells/cell_kernel.hpp"
#include "largest_difference/largest_difference.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

constexpr BackendKind host_backends[] = {BackendKind::serial, BackendKind::openmp, BackendKind::kokkos};

// A harmonic polynomial of degree four: the nine-point Laplacian of it is zero, the five-point one is not.
double harmonic(int i, int j) {
  const double x = i - 5, y = j - 3;
  return x * x * x * x - 6 * x * x * y * y + y * y * y * y;
}

}  // namespace

TEST_CASE("a user kernel reads the right nine points, by hand", "[user_kernel]") {
  HostField u({1, 1}, Precision::fp64), out({1, 1}, Precision::fp64);
  const double values[3][3] = {{2, 7, 4}, {3, 13, 5}, {6, 11, 8}};  // south to north
  for (int j : {-1, 0, 1})
    for (int i : {-1, 0, 1}) u.set(i, j, 0, values[j + 1][i + 1]);
  dispatch_types(CellArgs<NinePoint>{.fields = {u.view(), out.view()}},
                 [&]<class V>(const NinePoint::Fields<V>& fields) {
                   if constexpr (std::is_same_v<typename V::Number, double>)
                     sweep_cell<V>(NinePoint{}, fields, 0, 0, 0);
                 });
  CHECK(out.get(0, 0) == Approx((4 * (3 + 5 + 7 + 11) + (2 + 4 + 6 + 8) - 20 * 13) / 6.0));
}

TEST_CASE("every method of a user kernel reads the corners, on every backend that runs here",
          "[user_kernel]") {
  const Grid g{37, 19};
  HostField values(g, Precision::fp64);
  for_each_cell(g, true, [&](int i, int j, int k) { values.set(i, j, k, harmonic(i, j)); });
  int methods = 0;
  for (BackendKind kind : host_backends) {
    if (!unavailable_reason(kind).empty()) continue;
    Backend& on = backend(kind);
    Field u(on, g, Precision::fp64), out(on, g, Precision::fp64);
    u.upload(values);
    for (const auto& method : CellKernel<NinePoint>::methods(kind)) {
      INFO(to_string(kind) << " " << method.name);
      out.upload(noise_field(g, Precision::fp64, 1));
      method.prepare(on, {.fields = {u.view(), out.view()}}, method.space.defaults()).run();
      double largest = 0;
      const HostField found = out.download();
      for_each_cell(g, false,
                    [&](int i, int j, int k) { largest = std::max(largest, std::abs(found.get(i, j, k))); });
      CHECK(largest < 1e-7);  // for values up to 1e6, with errors about 1e-10 in fp64
      ++methods;
    }
  }
  CHECK(methods >= 3);
}

TEST_CASE("a user kernel with a reduction gives the largest difference, on every backend that runs here",
          "[user_kernel]") {
  const Grid g{37, 19};
  HostField u(g, Precision::fp64), v(g, Precision::fp64);
  for_each_cell(g, true, [&](int i, int j, int k) { u.set(i, j, k, i), v.set(i, j, k, i + 0.25); });
  u.set(-1, 3, 0, 1000), u.set(g.nx, 3, 0, 1000);  // ghosts do not count
  int methods = 0;
  for (BackendKind kind : host_backends) {
    if (!unavailable_reason(kind).empty()) continue;
    Backend& on = backend(kind);
    Field on_u(on, g, Precision::fp64), on_v(on, g, Precision::fp64);
    DeviceScalar result(on);
    on_v.upload(v);
    for (const auto& method : CellKernel<LargestDifference>::methods(kind)) {
      const Step step = method.prepare(on, {.fields = {on_u.view(), on_v.view()}, .result = result.data()},
                                       method.space.defaults());
      const auto result_with = [&](int i, int j, double value) {
        HostField changed = u;
        changed.set(i, j, 0, value);
        on_u.upload(changed);
        result.set(-1);
        step.run();
        return result.get();
      };
      INFO(to_string(kind) << " " << method.name);
      CHECK(result_with(5, 4, 5) == 0.25);
      CHECK(result_with(36, 18, 30) == 6.25);  // 30 - 36.25: after the last 32 cells of the last row
      CHECK(result_with(0, 0, 4) == 3.75);
      CHECK(std::isnan(result_with(20, 9, std::nan(""))));
      ++methods;
    }
  }
  CHECK(methods >= 3);  // without Kokkos
}

TEST_CASE("a user kernel has rows on every backend, and a fingerprint", "[user_kernel]") {
  for (BackendKind kind : all_backends) {
    INFO(to_string(kind));
    int rows = 0;
    for (const Row& row : catalog())
      if (row.name == "nine_point" && row.backend == kind) {
        ++rows;
        CHECK(source_hash(row) != "");
        CHECK(row.in_2d);
        CHECK_FALSE(row.in_3d);
      }
    CHECK(rows >= 3);
  }
}

TEST_CASE("a user kernel on faces updates all of them, with four cells around each by hand",
          "[user_kernel]") {
  const Grid g = Grid{2, 1}.with_halo(2);
  HostField p(g, Precision::fp64), u(g.at(FieldPlace::face_x), Precision::fp64);
  const double values[] = {1, 3, 7, 12, 20, 33};  // cells -2 to 3
  for (int i = -2; i < 4; ++i) p.set(i, 0, 0, values[i + 2]);
  Backend& serial = backend(BackendKind::serial);
  const auto methods = CellKernel<FaceGradient>::methods(BackendKind::serial);
  methods.front().prepare(serial, {.fields = {p.view(), u.view()}}, {}).run();
  CHECK(u.grid().nx == 3);
  CHECK(u.get(0, 0) == Approx((27 * (7 - 3) - (12 - 1)) / 24.0));
  CHECK(u.get(1, 0) == Approx((27 * (12 - 7) - (20 - 3)) / 24.0));
  CHECK(u.get(2, 0) == Approx((27 * (20 - 12) - (33 - 7)) / 24.0));
}

TEST_CASE(
    "a user kernel with two layers of ghosts is of fourth order up to the boundary, on every backend here",
    "[user_kernel]") {
  for (BackendKind kind : host_backends) {
    if (!unavailable_reason(kind).empty()) continue;
    Backend& on = backend(kind);
    const auto largest_error = [&](const Method<CellArgs<FaceGradient>>& method, int n) {
      const Grid g = Grid{n, 5}.with_halo(2);
      const double h = 1.0 / n;
      HostField values(g, Precision::fp64);
      for_each_cell(g, true, [&](int i, int j, int k) { values.set(i, j, k, std::sin(3 * (i + 0.5) * h)); });
      Field p(on, g, Precision::fp64), u(on, g.at(FieldPlace::face_x), Precision::fp64);
      p.upload(values);
      method.prepare(on, {.fields = {p.view(), u.view()}}, method.space.defaults()).run();
      const HostField found = u.download();
      double largest = 0;
      for_each_cell(u.grid(), false, [&](int i, int j, int k) {
        largest = std::max(largest, std::abs(found.get(i, j, k) / h - 3 * std::cos(3 * i * h)));
      });
      return largest;
    };
    for (const auto& method : CellKernel<FaceGradient>::methods(kind)) {
      INFO(to_string(kind) << " " << method.name);
      const double order = std::log2(largest_error(method, 32) / largest_error(method, 64));
      CHECK(order == Approx(4).margin(0.1));
    }
  }
}

#else

#include "bench/catalog/catalog.hpp"
#include "tests/catch.hpp"

TEST_CASE("a user kernel has rows on every backend, and a fingerprint", "[user_kernel]") {
  WARN("skipped: configured without CFDMARK_KERNELS=tests/user_kernels/.., which the preset ci sets");
}

#endif
