#include "solvers/table.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "kernels/apply/apply.hpp"
#include "kernels/backends/built.hpp"
#include "kernels/backends/cell_kernel.hpp"
#include "kernels/cg_iteration/cg_iteration.hpp"
#include "kernels/gauss_seidel/gauss_seidel.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "solvers/cg.hpp"
#include "solvers/cg_cusparse.hpp"
#include "solvers/csr.hpp"
#include "solvers/recording.hpp"
#include "solvers/refinement.hpp"
#include "solvers/stationary.hpp"

namespace cfdmark {
namespace {

// Even, so that Jacobi's two fields need no copy.
const Parameter stationary_interval{"check_interval", {10, 20, 50, 100}, 20};
const Parameter cg_interval{"check_interval", {1, 5, 10, 20}, 10};
const Parameter spmv_algorithm{"spmv_algorithm", {1, 2}, 2};

// Over-relaxation in millionths, for configs hold integers. 0: by the gap.
const Parameter sor_omega{"omega_millionths", {0}, 0, 0};
// 2 - omega as a share of what it is at the grid's optimal omega. This is what a tuner varies: unlike omega
// itself it means the same on every grid, so that what was best on one converges on the next.
const Parameter sor_omega_gap{"omega_gap_percent", {50, 70, 100, 140}, 100};

int interval(const Config& config) { return config.at("check_interval"); }

// A method whose iterations can be recorded as CUDA graphs: of launches and copies only, without a library's
// calls.
void allow_graphs(BackendKind kind, SolverMethod& method) {
  if (kind != BackendKind::cuda) return;
  method.space.parameters.push_back(graph_iterations_parameter);
  method.space.require(graph_constraint);
}

// Whether a kernel's method is what one wants on a grid, and can do it.
template <class K>
std::function<bool(const Grid&, bool)> preference_of(const Method<CellArgs<K>>& method) {
  if (!method.preferred) return nullptr;
  return [method](const Grid& g, bool constant_operator) {
    const auto args = args_without_values<K>(Precision::fp64, g, constant_operator);
    return method.why_unsupported(args).empty() && method.preferred(args);
  };
}

// A solver has the methods of its kernel.
template <class K>
std::vector<SolverMethod> methods_like(BackendKind kind) {
  std::vector<SolverMethod> methods;
  for (const auto& m : CellKernel<K>::methods(kind)) {
    if (!m.for_solvers) continue;
    methods.push_back({m.name, m.space, preference_of<K>(m)});
    methods.back().space.parameters.push_back(stationary_interval);
    allow_graphs(kind, methods.back());
  }
  return methods;
}

// The textbook's kernels keep their defaults; the number of threads is one for all of them.
std::vector<SolverMethod> pcg_methods(BackendKind kind) {
  const auto operator_methods = CellKernel<Apply>::methods(kind);
  if (operator_methods.empty()) return {};
  SolverMethod textbook{"textbook", {{cg_interval}}};
  for (const Parameter& p : operator_methods.front().space.parameters)
    if (p.name == "threads") textbook.space.parameters.insert(textbook.space.parameters.begin(), p);
  allow_graphs(kind, textbook);
  return {textbook};
}

std::vector<SolverMethod> cg_methods(BackendKind kind) {
  std::vector<SolverMethod> methods = pcg_methods(kind);
  if (const auto& passes = cg_iteration_methods(kind, CgPass::update, true); !passes.empty()) {
    methods.push_back({"fused", passes.front().space});
    if (kind == BackendKind::cuda) methods.back().space.parameters.push_back(direction_cells_parameter);
    methods.back().space.parameters.push_back(cg_interval);
    allow_graphs(kind, methods.back());
  }
  if (built_with_cuda && kind == BackendKind::cuda)
    methods.push_back({"cusparse", {{cg_interval, spmv_algorithm}}});
  return methods;
}

std::string sor_omega_constraint(const Config& c) {
  const int omega = c.at(sor_omega.name), gap = c.at(sor_omega_gap.name);
  if (omega >= 2000000) return sor_omega.name + ": SOR converges below 2000000; 0 is the optimal one";
  if (omega != 0 && gap != sor_omega_gap.fallback)
    return sor_omega.name + " says what omega is: leave out " + sor_omega_gap.name;
  return "";
}

std::vector<SolverMethod> sor_methods(BackendKind kind) {
  std::vector<SolverMethod> methods = methods_like<RedBlackSor>(kind);
  for (SolverMethod& method : methods) {
    method.space.parameters.push_back(sor_omega);
    method.space.parameters.push_back(sor_omega_gap);
    method.space.require(sor_omega_constraint);
  }
  return methods;
}

double omega(const System& s, const Config& config) {
  if (const int given = config.at(sor_omega.name); given != 0) return given * 1e-6;
  const int percent = config.at(sor_omega_gap.name);
  const double omega = 2 - percent * 0.01 * (2 - optimal_omega(s.grid));
  if (omega <= 0)
    throw std::invalid_argument(
        fmt::format("{}={} makes omega {:.3g} on this grid, and SOR converges above 0 only",
                    sor_omega_gap.name, percent, omega));
  return omega;
}

std::unique_ptr<Solver> make_jacobi(const System& s, const std::string& method, const Config& c) {
  return stationary_solver(s, jacobi_relaxation(s, method, c), interval(c), c);
}
std::unique_ptr<Solver> make_gauss_seidel(const System& s, const std::string& method, const Config& c) {
  return stationary_solver(s, gauss_seidel_relaxation(s, method, c), interval(c), c);
}
std::unique_ptr<Solver> make_sor(const System& s, const std::string& method, const Config& c) {
  return stationary_solver(s, red_black_relaxation(s, method, c, omega(s, c)), interval(c), c);
}
std::unique_ptr<Solver> make_cg(const System& s, const std::string& method, const Config& c) {
  if constexpr (built_with_cuda)
    if (method == "cusparse") return cusparse_cg_solver(s, interval(c), c.at("spmv_algorithm"));
  if (method == "fused") return fused_cg_solver(s, c);
  return cg_solver(s, Preconditioner::none, c);
}
std::unique_ptr<Solver> make_pcg(const System& s, const std::string&, const Config& c) {
  return cg_solver(s, Preconditioner::red_black, c);
}

}  // namespace

const std::vector<SolverDescription>& solver_table() {
  static const std::vector<SolverDescription> table = {
      {"jacobi", methods_like<Jacobi>, make_jacobi},
      {"gauss_seidel", methods_like<GaussSeidel>, make_gauss_seidel},
      {"sor", sor_methods, make_sor},
      {"cg", cg_methods, make_cg},
      {"pcg", pcg_methods, make_pcg},
  };
  return table;
}

const SolverMethod& default_solver_method(const std::vector<SolverMethod>& methods, const Grid& grid,
                                          bool constant_operator) {
  return *default_choice(
      methods, [](const auto&) { return true; },
      [&](const auto& m) { return m.preferred && m.preferred(grid, constant_operator); });
}

void set_omega(Config& config, double omega) {
  config.set(sor_omega.name, int(std::lround(omega * 1e6)));
  config.set(sor_omega_gap.name, sor_omega_gap.fallback);  // a tuned config may hold another
}

PreparedSolver::PreparedSolver(const SolverDescription& solver, const std::string& method, Backend& backend,
                               Precision precision, const Config& config,
                               std::shared_ptr<const LinearProblem> problem)
    : problem_(std::move(problem)) {
  const bool mixed = precision == Precision::mixed;
  const Precision outer = mixed ? Precision::fp64 : precision;
  initial_ = converted(problem_->initial, outer);
  system_ = std::make_unique<System>(backend, outer, *problem_);
  auto make = [&](const System& s) { return solver.make(s, method, config); };
  solver_ = mixed ? refinement_solver(*system_, *problem_, make, config) : make(*system_);
  field_bytes_ = std::size_t(
      solver_field_bytes(solver.name, method, precision, problem_->grid, !problem_->coefficients.empty()));
}

void PreparedSolver::reset() {
  system_->u.upload(initial_);
  system_->backend->fence();
}

double solver_matrix_bytes(const std::string& method, Precision precision, const Grid& g) {
  return method == "cusparse" ? csr_bytes(g, stored_bytes(precision)) : 0;
}

namespace {

// Fields beside the system's own.
int work_fields(const std::string& solver, const std::string& method, bool coefficient_arrays) {
  if (method == "cusparse") return 5;  // the residual; of the others, four have no ghosts
  if (solver == "cg" && method == "fused") return coefficient_arrays ? 4 : 3;  // r, p twice, and A p
  if (solver == "cg") return 3;
  return solver == "pcg" ? 4 : 2;
}

}  // namespace

double solver_field_bytes(const std::string& solver, const std::string& method, Precision precision,
                          const Grid& g, bool coefficient_arrays) {
  const int system = 2 + (coefficient_arrays ? (g.is_3d() ? 7 : 5) : 0);  // u, b, A
  const int work = work_fields(solver, method, coefficient_arrays);
  const double field = double(g.elements()), matrix = solver_matrix_bytes(method, precision, g);
  if (precision == Precision::mixed) return matrix + field * (8.0 * (system + 1) + 4.0 * (system + work));
  return matrix + field * double(stored_bytes(precision)) * (system + work);
}

}  // namespace cfdmark
