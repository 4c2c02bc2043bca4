#include "bench/catalog/absent_methods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/case/row.hpp"
#include "bench/catalog/catalog.hpp"
#include "generated/cell_kernels.hpp"
#include "solvers/base/words.hpp"

namespace cfdmark {
namespace {

template <class... K>
std::vector<AbsentMethod> found_for(KernelTypes<K...>, const std::string& kernel, BackendKind kind) {
  std::vector<AbsentMethod> found;
  const auto look = [&]<class One>() {
    if (One::description().name == kernel) found = absent_methods<One>(kind);
  };
  (look.template operator()<K>(), ...);
  return found;
}

}  // namespace

std::vector<AbsentMethod> absent_methods_of(const std::string& kernel, BackendKind kind) {
  return found_for(CellKernels{}, kernel, kind);
}

std::string why_absent(const std::string& kernel, BackendKind kind, const std::string& method) {
  for (const AbsentMethod& one : absent_methods_of(kernel, kind))
    if (one.method == method) return one.reason;
  std::vector<std::string> others;
  for (const Row& row : catalog())
    if (row.kind == RowKind::kernel && row.backend == kind && row.method == method &&
        std::find(others.begin(), others.end(), row.name) == others.end())
      others.push_back(row.name);
  if (others.empty()) return "";
  return fmt::format("it is hand-written and exists only for {}", listed(others));
}

}  // namespace cfdmark
