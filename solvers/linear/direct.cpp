#include "solvers/linear/direct.hpp"

#include <cmath>
#include <numbers>

#include "solvers/linear/correction.hpp"

namespace cfdmark {
namespace {

// 4 w sin^2 is w (2 - 2 cos) without its cancellation, which would cost a large grid its smoothest answers.
std::vector<double> of_direction(double weight, int n) {
  std::vector<double> values(n);
  for (int l = 0; l < n; ++l) {
    const double sine = std::sin(std::numbers::pi / 2 * (l + 1) / (n + 1));
    values[l] = 4 * weight * sine * sine;
  }
  return values;
}

class Direct final : public Correction {
 public:
  Direct(const System& system, const SineSolve& sines, const Config& config) : Correction(system, config) {
    setup_seconds_ = seconds_to([&] { solve_ = sines(system, r_.view(), config); });
  }

  Cost cost(int iterations) const override {
    Cost cost = correct_.cost;
    for (const Operation& operation : solve_) cost = cost + operation.cost;
    return double(iterations) * cost;
  }
  Cost check_cost() const override { return residual_.cost + dot_.cost; }
  Resources resources() const override {
    Resources sum;
    for (const Operation& operation : solve_) add_resources(sum, operation.step);
    for (const Operation* operation : {&correct_, &residual_, &dot_}) add_resources(sum, operation->step);
    return sum;
  }

 private:
  int solve(int, double) override {
    for (const Operation& operation : solve_) operation();
    return 1;
  }

  std::vector<Operation> solve_;
};

std::string needs_constant_operator(const SystemShape& shape) {
  if (shape.constant_operator) return "";
  return "sines diagonalise an operator that is the same at every point, and this one has an array for each "
         "coefficient: multigrid can do it";
}

std::vector<SolverMethod> direct_methods(BackendKind kind) {
  return kind == BackendKind::cuda ? cufft_direct(kind) : fftw_direct(kind);
}

}  // namespace

SineEigenvalues sine_eigenvalues(const Operator& a, const Grid& g) {
  SineEigenvalues values{of_direction(a.wx, g.nx), of_direction(a.wy, g.ny), of_direction(a.wz, g.nz)};
  if (!g.is_3d()) values.z = {0};
  const double shift = a.centre - 2 * (a.wx + a.wy + (g.is_3d() ? a.wz : 0));  // 0 of the Laplacian
  for (double& value : values.x) value += shift;
  return values;
}

double sine_transform_factor(const Grid& g) {
  return 4 * (g.nx + 1.0) * (g.ny + 1.0) * (g.is_3d() ? 2 * (g.nz + 1.0) : 1.0);
}

Cost sine_transform_cost(const Grid& g, Precision storage) {
  const auto flops = [](int n) { return 2.5 * std::log2(2 * (n + 1.0)); };
  const double cells = double(g.cells());
  const double each = flops(g.nx) + flops(g.ny) + (g.is_3d() ? flops(g.nz) : 0);
  return {2 * cells * double(stored_bytes(storage)), each * cells, cells};
}

SolverMethod direct_method(std::string name, TuningSpace space, SineSolve solve, SourcePlace where) {
  SolverMethod method{std::move(name), std::move(space),
                      [solve = std::move(solve)](const System& system, const Config& config) {
                        return std::make_unique<Direct>(system, solve, config);
                      }};
  method.unsupported = needs_constant_operator;
  method.library = true;
  method.described_at = where;
  return method;
}

SolverDescription direct_solver() { return {.name = "direct", .methods = direct_methods}; }

}  // namespace cfdmark
