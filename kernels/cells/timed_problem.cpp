#include "kernels/cells/timed_problem.hpp"

#include <limits>

namespace cfdmark {

std::vector<AnyView> views_for_steps(const HostProblem& start, const std::vector<HostField>& left) {
  std::vector<AnyView> views;
  std::size_t written = 0;
  for (const auto& entry : start.fields)
    views.push_back(entry.is_written ? left[written++].view() : entry.initial.view());
  return views;
}

Expected unchanged(const HostProblem& start) {
  Expected left;
  for (const auto& entry : start.fields)
    if (entry.is_written) left.fields.push_back(entry.initial);
  return left;
}

HostField noise_field(const Grid& grid, Precision storage, unsigned salt) {
  HostField field(grid, storage);
  for_each_cell_in_parallel(grid, true,
                            [&](int i, int j, int k) { field.set(i, j, k, noise(i, j, k, salt)); });
  return field;
}

HostField poisoned(HostField field) {
  for_each_cell_in_parallel(field.grid(), false, [&](int i, int j, int k) {
    field.set(i, j, k, std::numeric_limits<double>::quiet_NaN());
  });
  return field;
}

}  // namespace cfdmark
