// Generated methods of kernels, and reasons for missing ones.
#include "bench/catalog/absent_methods.hpp"

#include <set>

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

TEST_CASE("the reason for a missing method is known, also for hand-written methods", "[kernels]") {
  CHECK_THAT(why_absent("gauss_seidel", BackendKind::openmp, "chunked"), ContainsSubstring("depends on"));
  CHECK(why_absent("jacobi", BackendKind::openmp, "no_such_method").empty());
  if (built_with_cuda) {
    CHECK_THAT(why_absent("jacobi", BackendKind::cuda, "vector"), ContainsSubstring("reads neighbours"));
    CHECK_THAT(why_absent("triad", BackendKind::cuda, "column"), ContainsSubstring("neighbours of 0 fields"));
    CHECK_THAT(why_absent("smoothing", BackendKind::cuda, "streamed"),
               ContainsSubstring("written by hand, for red_black_sor"));
  }
}
