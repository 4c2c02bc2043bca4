#include "kernels/cells/operator_problem.hpp"

namespace cfdmark {

Operator timed_constant_operator(const Grid& g) {
  Operator a;
  auto weight = [&](int n) { return double(n + 1) * (n + 1) / (double(g.nx + 1) * (g.nx + 1)); };
  a.wx = 1;
  a.wy = weight(g.ny);
  a.wz = g.is_3d() ? weight(g.nz) : 0;
  a.centre = 2 * (a.wx + a.wy + a.wz);
  return a;
}

void append_operator_fields(HostProblem& problem, Precision p, const Grid& g) {
  const int neighbours = g.is_3d() ? 6 : 4;
  std::vector<HostField> arrays;
  for (int n = 0; n < neighbours; ++n) arrays.push_back(noise_field(g, p, 10 + n));
  HostField centre(g, p);
  for_each_cell_in_parallel(g, true, [&](int i, int j, int k) {
    double sum = 0;
    for (const auto& a : arrays) sum += a.get(i, j, k);
    centre.set(i, j, k, sum + 0.5);
  });
  arrays.push_back(std::move(centre));
  for (auto& a : arrays) problem.fields.push_back({std::move(a), {}});
}

Operator operator_over(const std::vector<AnyView>& fields, std::size_t first, const Grid& g) {
  Operator a;
  a.constant = false;
  a.west_a = fields[first];
  a.east_a = fields[first + 1];
  a.south_a = fields[first + 2];
  a.north_a = fields[first + 3];
  if (g.is_3d()) a.bottom_a = fields[first + 4], a.top_a = fields[first + 5];
  a.centre_a = fields[first + (g.is_3d() ? 6 : 4)];
  return a;
}

std::vector<AnyView> views_of(const HostProblem& problem) {
  std::vector<AnyView> views;
  for (const auto& entry : problem.fields) views.push_back(entry.initial.view());
  return views;
}

}  // namespace cfdmark
