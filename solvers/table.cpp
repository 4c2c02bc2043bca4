#include "solvers/table.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernels/backends/built.hpp"
#include "kernels/cg_iteration/cg_iteration.hpp"
#include "kernels/gauss_seidel/gauss_seidel.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "kernels/stencil_operator/stencil_operator.hpp"
#include "solvers/cg.hpp"
#include "solvers/cg_cusparse.hpp"
#include "solvers/csr.hpp"
#include "solvers/recording.hpp"
#include "solvers/refinement.hpp"
#include "solvers/stationary.hpp"

namespace cfdmark {
namespace {

constexpr const char* between_looks = "iterations between two looks at the residual";
// Even, so that Jacobi's two fields need no copy.
const Setting stationary_interval{"check_interval", {10, 20, 50, 100}, 20, between_looks};
const Setting cg_interval{"check_interval", {1, 5, 10, 20}, 10, between_looks};
const Setting spmv_algorithm{"spmv_algorithm",   {1, 2}, 2, "of cuSPARSE, CUSPARSE_SPMV_CSR_ALG1 or 2", "",
                             whole_from_to(1, 2)};

const Setting sor_omega{"omega",    {},
                        "optimal",  "factor of over-relaxation; optimal: the grid's, 2 - omega_gap (2 - it)",
                        "",         real_between(0, 2),
                        {"optimal"}};
// This is what a tuner varies: unlike omega itself it means the same on every grid, so that what was best on
// one converges on the next.
const Setting sor_omega_gap{"omega_gap", {0.5, 0.7, 1.0, 1.4},
                            1.0,         "2 - omega, as a share of what it is at the grid's optimal omega",
                            "",          real_above(0)};

int interval(const Config& config) { return config.whole("check_interval"); }

// A method whose iterations can be recorded as CUDA graphs: of launches and copies only, without a library's
// calls.
void allow_graphs(BackendKind kind, SolverMethod& method) {
  if (kind != BackendKind::cuda) return;
  method.space.settings.push_back(graph_iterations_setting);
  method.space.require(graph_constraint);
}

// Whether a kernel's method is what one wants on a grid, and can do it.
template <class Args>
std::function<bool(const Grid&, bool)> preference_of(const Method<Args>& method) {
  if (!method.preferred) return nullptr;
  return [method](const Grid& g, bool constant_operator) {
    Args args;
    args.grid = g;
    args.a.constant = constant_operator;
    return method.why_unsupported(args).empty() && method.preferred(args);
  };
}

// A solver has the methods of its kernel.
template <class Args>
std::vector<SolverMethod> methods_like(BackendKind kind, const Methods<Args>& kernel_methods) {
  std::vector<SolverMethod> methods;
  for (const auto& m : kernel_methods) {
    if (!m.for_solvers) continue;
    methods.push_back({m.name, m.space, preference_of(m)});
    methods.back().space.settings.push_back(stationary_interval);
    allow_graphs(kind, methods.back());
  }
  return methods;
}

// The textbook's kernels keep their defaults; the number of threads is one for all of them.
std::vector<SolverMethod> pcg_methods(BackendKind kind) {
  const auto& operator_methods = stencil_methods(kind);
  if (operator_methods.empty()) return {};
  SolverMethod textbook{"textbook", {{cg_interval}}};
  if (const Setting* threads = find_setting(operator_methods.front().space.settings, "threads"))
    textbook.space.settings.insert(textbook.space.settings.begin(), *threads);
  allow_graphs(kind, textbook);
  return {textbook};
}

std::vector<SolverMethod> cg_methods(BackendKind kind) {
  std::vector<SolverMethod> methods = pcg_methods(kind);
  if (const auto& passes = cg_iteration_methods(kind, CgPass::update, true); !passes.empty()) {
    methods.push_back({"fused", passes.front().space});
    if (kind == BackendKind::cuda) methods.back().space.settings.push_back(direction_cells_setting);
    methods.back().space.settings.push_back(cg_interval);
    allow_graphs(kind, methods.back());
  }
  if (built_with_cuda && kind == BackendKind::cuda)
    methods.push_back({"cusparse", {{cg_interval, spmv_algorithm}}});
  return methods;
}

std::string sor_omega_constraint(const Config& c) {
  if (c.at(sor_omega.name) == sor_omega.fallback || c.at(sor_omega_gap.name) == sor_omega_gap.fallback)
    return "";
  return fmt::format("{}={} says what omega is: leave out {}", sor_omega.name,
                     to_string(c.at(sor_omega.name)), sor_omega_gap.name);
}

std::vector<SolverMethod> sor_methods(BackendKind kind) {
  std::vector<SolverMethod> methods = methods_like(kind, red_black_methods(kind));
  for (SolverMethod& method : methods) {
    method.space.settings.push_back(sor_omega);
    method.space.settings.push_back(sor_omega_gap);
    method.space.require(sor_omega_constraint);
  }
  return methods;
}

double omega(const System& s, const Config& config) {
  if (!config.is(sor_omega.name, "optimal")) return config.real(sor_omega.name);
  const double gap = config.real(sor_omega_gap.name), omega = 2 - gap * (2 - optimal_omega(s.grid));
  if (omega <= 0)
    throw std::invalid_argument(
        fmt::format("{}={} makes omega {:.3g} on this grid, and SOR converges above 0 only",
                    sor_omega_gap.name, gap, omega));
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
    if (method == "cusparse") return cusparse_cg_solver(s, interval(c), c.whole("spmv_algorithm"));
  if (method == "fused") return fused_cg_solver(s, c);
  return cg_solver(s, Preconditioner::none, c);
}
std::unique_ptr<Solver> make_pcg(const System& s, const std::string&, const Config& c) {
  return cg_solver(s, Preconditioner::red_black, c);
}

}  // namespace

const std::vector<Setting>& solve_settings() {
  static const std::vector<Setting> settings = {
      real_setting("tolerance", 1e-6, real_between(0, 1), "of the residual, relative to the first"),
      {"max_iterations", {}, 10000, "after which a solver gives up"}};
  return settings;
}

const std::vector<SolverDescription>& solver_table() {
  static const std::vector<SolverDescription> table = {
      {"jacobi", [](BackendKind k) { return methods_like(k, jacobi_methods(k)); }, make_jacobi},
      {"gauss_seidel", [](BackendKind k) { return methods_like(k, gauss_seidel_methods(k)); },
       make_gauss_seidel},
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
