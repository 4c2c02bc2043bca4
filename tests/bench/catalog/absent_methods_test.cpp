// Generated methods of kernels, and reasons for missing ones.
#include "bench/catalog/absent_methods.hpp"

#include <algorithm>
#include <set>

#include "bench/catalog/catalog.hpp"
#include "bench/catalog/kernel_list.hpp"
#include "bench/catalog/not_built.hpp"
#include "generated/cell_kernels.hpp"
#include "tests/catch.hpp"

namespace cfdmark {
namespace {

template <class... K>
void check_absences(KernelTypes<K...>) {
  std::set<std::string> with_reasons;
  const auto check = [&]<class One>() {
    const std::string name = One::description().name;
    for (const auto& [kind, made] :
         {std::pair<BackendKind, std::set<std::string>>{BackendKind::openmp, {"chunked"}},
          {BackendKind::kokkos, {"mdrange", "team_scratch"}},
          {BackendKind::cuda, {"vector", "column"}}}) {
      if ((kind == BackendKind::kokkos && !built_with_kokkos) ||
          (kind == BackendKind::cuda && !built_with_cuda))
        continue;
      std::set<std::string> there, absent;
      for (const auto& method : CellKernel<One>::methods(kind))
        if (made.contains(method.name)) there.insert(method.name);
      for (const AbsentMethod& method : absent_methods_of(name, kind))
        if (made.contains(method.method)) absent.insert(method.method);
      INFO(name << " on " << to_string(kind));
      for (const std::string& method : made) CHECK(there.contains(method) + absent.contains(method) == 1);
      if (!absent.empty()) with_reasons.insert(std::string(to_string(kind)));
    }
  };
  (check.template operator()<K>(), ...);
  CHECK(with_reasons.contains("openmp"));
}

}  // namespace
}  // namespace cfdmark

using namespace cfdmark;

TEST_CASE("a kernel has each method generated from its cell, or a reason why not", "[kernels]") {
  check_absences(CellKernels{});
}

// A rank under a limit of its memory sees no device, and must have the rows of the others.
TEST_CASE(
    "a backend of this build has no row of a kernel without methods there, also on a machine without device",
    "[kernels]") {
  int without_methods = 0;
  for_each_kernel([&](const auto& kernel) {
    for (const BackendKind kind : all_backends) {
      if (!is_built(kind) || !kernel.methods(kind).empty()) continue;
      ++without_methods;
      INFO(kernel.name << " on " << to_string(kind));
      CHECK(std::none_of(catalog().begin(), catalog().end(), [&](const Row& row) {
        return row.kind == RowKind::kernel && row.name == kernel.name && row.backend == kind;
      }));
    }
  });
  CHECK((without_methods > 0 || !built_with_cuda));
}

TEST_CASE("the reason for a missing method is known, also for hand-written methods", "[kernels]") {
  const auto generated = [](const std::string& kernel, BackendKind kind, const std::string& method) {
    for (const AbsentMethod& one : absent_methods_of(kernel, kind))
      if (one.method == method) return one.reason;
    return std::string();
  };
  CHECK_FALSE(generated("gauss_seidel", BackendKind::openmp, "chunked").empty());
  CHECK(why_absent("gauss_seidel", BackendKind::openmp, "chunked") ==
        generated("gauss_seidel", BackendKind::openmp, "chunked"));
  CHECK(why_absent("jacobi", BackendKind::openmp, "no_such_method").empty());
  if (built_with_cuda) {
    const std::string vector = why_absent("jacobi", BackendKind::cuda, "vector"),
                      column = why_absent("triad", BackendKind::cuda, "column");
    CHECK(vector == generated("jacobi", BackendKind::cuda, "vector"));
    CHECK(column == generated("triad", BackendKind::cuda, "column"));
    CHECK(vector != column);
    CHECK_THAT(why_absent("smoothing", BackendKind::cuda, "streamed"), ContainsSubstring("red_black_sor"));
  }
}
