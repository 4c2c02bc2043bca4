// Kernels that multigrid uses on coarse grids, with an operator whose last cells are closer to the boundary.
#include "kernels/cells/operator_problem.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "kernels/residual/residual.hpp"
#include "solvers/linear/multigrid/multigrid.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

Operator edged_operator(const Grid& g) {
  Operator a = timed_constant_operator(g);
  a.to_boundary[0] = 0.5, a.to_boundary[1] = 0.25, a.to_boundary[2] = g.is_3d() ? 0.75 : 1;
  return a;
}

// Returns the same equations as arrays for boundary values of 0: a last cell is coupled to the boundary by
// its weight over the distance.
std::vector<HostField> as_arrays(const Operator& a, const Grid& g) {
  const int n[] = {g.nx, g.ny, g.nz};
  const double w[] = {a.wx, a.wy, a.wz};
  const int dims = g.is_3d() ? 3 : 2;
  std::vector<HostField> arrays(2 * dims + 1, HostField(g, Precision::fp64));
  for_each_cell(g, false, [&](int i, int j, int k) {
    const int at[] = {i, j, k};
    double sum = 0;
    for (int d = 0; d < dims; ++d) {
      const double high = at[d] == n[d] - 1 ? w[d] / a.to_boundary[d] : w[d];
      arrays[2 * d].set(i, j, k, w[d]), arrays[2 * d + 1].set(i, j, k, high);
      sum += w[d] + high;
    }
    arrays.back().set(i, j, k, sum);
  });
  return arrays;
}

HostField noise_inside(const Grid& g, unsigned salt) {
  HostField f(g, Precision::fp64);
  for_each_cell(g, false, [&](int i, int j, int k) { f.set(i, j, k, noise(i, j, k, salt)); });
  return f;
}

// Checks that a method gives the same result with either operator; with the first method for arrays, if it
// does not support them itself.
template <class K>
void check(BackendKind kind, const Method<CellArgs<K>>& method, const Grid& g) {
  constexpr bool has_output = fields_of_role<K, Role::out> == 1;
  Backend& on = backend(kind);
  const Operator edged = edged_operator(g);
  std::vector<Field> coefficients;
  std::vector<AnyView> views;
  for (const HostField& array : as_arrays(edged, g)) {
    coefficients.emplace_back(on, g, Precision::fp64);
    coefficients.back().upload(array);
    views.push_back(coefficients.back().view());
  }
  const auto args_of = [&](const Operator& a, const Field& u, const Field& b, const Field& to) {
    CellArgs<K> args{Precision::fp64};
    if constexpr (has_output)
      args.fields = {.a = a, .u = u.view(), .b = b.view(), .out = to.view()};
    else
      args.fields = {.a = a, .u = u.view(), .b = b.view()};
    return args;
  };
  Field u(on, g, Precision::fp64), b(on, g, Precision::fp64), to(on, g, Precision::fp64);
  const auto can = [&](const Operator& a) { return method.why_unsupported(args_of(a, u, b, to)).empty(); };
  const auto left_by = [&](const Method<CellArgs<K>>& by, const Operator& a) {
    u.upload(noise_inside(g, 1)), b.upload(noise_inside(g, 2)), to.upload(HostField(g, Precision::fp64));
    Config once;
    if (by.steps) once.set(by.steps, 1);
    by.prepare(on, args_of(a, u, b, to), by.space.complete(once)).run();
    return (has_output ? to : u).download();
  };
  const Operator arrays = operator_over(views, 0, g);
  if (!can(edged)) return;
  INFO(K::description().name << " " << to_string(kind) << " " << method.name << " " << g.nx << "x" << g.ny
                             << "x" << g.nz);
  const Methods<CellArgs<K>> methods = CellKernel<K>::methods(kind);
  const HostField found = left_by(method, edged),
                  expected = left_by(can(arrays) ? method : methods.front(), arrays);
  double largest = 0;
  for_each_cell(g, false, [&](int i, int j, int k) {
    largest = std::max(largest, std::abs(found.get(i, j, k) - expected.get(i, j, k)));
  });
  CHECK(largest <= 1e-13);
}

}  // namespace

TEST_CASE("an edged operator gives the results of equivalent arrays in every method that multigrid uses",
          "[kernels]") {
  for (const BackendKind kind : backends_here())
    for (const Grid& g : {Grid{12, 7}, Grid{35, 18}, Grid{6, 7, 4}}) {
      check<Residual>(kind, CellKernel<Residual>::methods(kind).front(), g);
      check<Jacobi>(kind, CellKernel<Jacobi>::methods(kind).front(), g);
      for (const SmoothingMethod& method : smoothing_methods(kind)) check<RedBlackSor>(kind, method, g);
    }
}

TEST_CASE("kernels of fine grids refuse an edged operator", "[kernels]") {
  const Operator edged = edged_operator({6, 5});
  CHECK_THROWS_AS(with_operator(Precision::fp64, edged, {6, 5}, []<class, class, int>(const auto&) {}),
                  std::logic_error);
}
