// Linear systems with a sparse matrix as operator, for tests.
#pragma once

#include "kernels/cells/operator_problem.hpp"
#include "solvers/base/solver.hpp"
#include "solvers/linear/system/csr_operator.hpp"
#include "solvers/linear/system/null_space.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {

inline std::vector<double> interior(const HostField& field) {
  std::vector<double> values;
  for_each_cell(field.grid(), false, [&](int i, int j, int k) { values.push_back(field.get(i, j, k)); });
  return values;
}

inline HostField flat_field(const std::vector<double>& values, Precision storage) {
  HostField field(flat_grid(int(values.size())), storage);
  for (std::size_t n = 0; n < values.size(); ++n) field.set(int(n), 0, 0, values[n]);
  return field;
}

// Returns a system of a matrix and a right-hand side, with u = 0.
inline OwnedSystem csr_system(Backend& on, Precision p, const CsrMatrix<double>& a,
                              const std::vector<double>& b, const Sides& sides = {}) {
  OwnedSystem system(on, p, flat_grid(a.rows()), std::make_shared<const CsrOperator>(on, p, a), nullptr,
                     sides);
  system.upload_b(flat_field(b, p));
  return system;
}

// Returns the same for the system of a problem. The boundary values are part of its right-hand side.
inline OwnedSystem csr_system(Backend& on, Precision p, const LinearProblem& problem) {
  std::vector<AnyView> views;
  for (const HostField& c : problem.coefficients) views.push_back(c.view());
  const Grid& g = problem.grid;
  const Operator a = views.empty() ? problem.constant : operator_over(views, 0, g);
  Backend& serial = backend(BackendKind::serial);
  Field u(serial, g, Precision::fp64), b(serial, g, Precision::fp64), r(serial, g, Precision::fp64);
  u.upload(problem.initial), b.upload(problem.b);
  const System stencil{.backend = &serial,
                       .precision = Precision::fp64,
                       .a = std::make_shared<StencilOperator>(a),
                       .b = b.view(),
                       .u = u.view()};
  Operations(stencil, {}).residual(u.view(), b.view(), r.view())();
  const Sides sides{.is_singular = is_singular(*problem.description)};
  return csr_system(on, p, assemble_csr<double>(g, a), interior(r.download()), sides);
}

struct SolvedSystem {
  Outcome outcome;
  std::vector<double> u;
};

// Solves by an iteration.
inline SolvedSystem solve_system(const OwnedSystem& owned, std::unique_ptr<Iteration> iteration,
                                 const Config& config, double tolerance, int most) {
  Solver solver(*owned.system().backend, std::move(iteration), config);
  Outcome outcome = solver.solve(tolerance, most);
  return {std::move(outcome), interior(owned.u().download())};
}
// Solves by a method with residual checks every `interval` iterations, unless a library checks itself.
inline SolvedSystem solve_system(const OwnedSystem& owned, const SolverMethod& method,
                                 double tolerance = 1e-10, int most = 2000, int interval = 1) {
  Config given;
  if (find_setting(method.space.settings, "check_interval")) given.set("check_interval", interval);
  const Config config = method.space.complete(given);
  return solve_system(owned, prepare_iteration(method, owned.system(), config), config, tolerance, most);
}

}  // namespace cfdmark
