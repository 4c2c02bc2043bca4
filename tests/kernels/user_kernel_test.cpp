// A kernel from outside the repository, tests/user_kernels/nine_point: built where CFDMARK_KERNELS names it,
// as the preset ci does.
#if __has_include("nine_point/nine_point.hpp")

#include "nine_point/nine_point.hpp"

#include "bench/catalog/catalog.hpp"
#include "bench/catalog/source_hash.hpp"
#include "kernels/backends/cell_kernel.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

constexpr BackendKind host_backends[] = {BackendKind::serial, BackendKind::openmp, BackendKind::kokkos};

// Harmonic, and of the fourth degree: the nine-point Laplacian of it is zero, and a five-point one is not.
double harmonic(int i, int j) {
  const double x = i - 5, y = j - 3;
  return x * x * x * x - 6 * x * x * y * y + y * y * y * y;
}

}  // namespace

TEST_CASE("the nine points of a kernel from outside are the right ones, worked out by hand",
          "[user_kernel]") {
  HostField u({1, 1}, Precision::fp64), out({1, 1}, Precision::fp64);
  const double values[3][3] = {{2, 7, 4}, {3, 13, 5}, {6, 11, 8}};  // south to north
  for (int j : {-1, 0, 1})
    for (int i : {-1, 0, 1}) u.set(i, j, 0, values[j + 1][i + 1]);
  with_views(CellArgs<NinePoint>{.fields = {u.view(), out.view()}},
             [&]<class V>(const NinePoint::Fields<V>& fields) {
               if constexpr (std::is_same_v<typename V::Number, double>)
                 sweep_cell<V>(NinePoint{}, fields, 0, 0, 0);
             });
  CHECK(out.get(0, 0) == Approx((4 * (3 + 5 + 7 + 11) + (2 + 4 + 6 + 8) - 20 * 13) / 6.0));
}

TEST_CASE("every method of a kernel from outside reads the corners, on every backend that runs here",
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
      CHECK(largest < 1e-7);  // of values up to 1e6, of which 64 bits keep 1e-10
      ++methods;
    }
  }
  CHECK(methods >= 3);
}

TEST_CASE("a kernel from outside has rows on every backend, and a fingerprint", "[user_kernel]") {
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

#else

#include "tests/catch.hpp"

TEST_CASE("a kernel from outside has rows on every backend, and a fingerprint", "[user_kernel]") {
  WARN("skipped: configured without CFDMARK_KERNELS=tests/user_kernels/nine_point, which the preset ci sets");
}

#endif
