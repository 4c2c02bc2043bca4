#include "solvers/linear/direct/direct.hpp"

#include <cmath>
#include <numbers>

#include "solvers/linear/system/correction.hpp"

namespace cfdmark {
namespace {

double phase(Ends ends, int l, int n) {
  return ends == Ends::zero ? 0.5 * (l + 1) / (n + 1) : ends == Ends::closed ? 0.5 * l / n : double(l) / n;
}

// 4 w sin^2 equals w (2 - 2 cos) without cancellation, which would spoil the smoothest waves of a large grid.
std::vector<double> of_direction(double weight, Ends ends, int n) {
  std::vector<double> values(n);
  for (int l = 0; l < n; ++l) {
    const double sine = std::sin(std::numbers::pi * phase(ends, l, n));
    values[l] = 4 * weight * sine * sine;
  }
  return values;
}

// Returns the transform length of a line, including values known by symmetry.
double transformed(Ends ends, int n) {
  return ends == Ends::zero ? 2 * (n + 1.0) : ends == Ends::closed ? 2.0 * n : double(n);
}

// Calls f(ends, number of cells) for each axis.
template <class F>
void for_each_axis(const Grid& g, const AxisEnds& ends, const F& f) {
  f(ends[0], g.nx), f(ends[1], g.ny);
  if (g.is_3d()) f(ends[2], g.nz);
}

class Direct final : public Correction {
 public:
  Direct(const System& system, const DirectLibrary& library, const Config& config)
      : Correction(system, config) {
    System constant = system;
    if (Operator a = system.stencil(); !a.constant) {
      a.constant = true;
      a.centre = 2 * (a.wx + a.wy + (system.grid().is_3d() ? a.wz : 0));
      constant.a = std::make_shared<StencilOperator>(a);
    }
    const AxisEnds ends = system.sides.uniform_between.value_or(zero_ends);
    setup_seconds_ = seconds_to([&] {
      solve_ = library.solve(
          {.system = constant, .ends = ends, .from = r_.view(), .to = r_.view(), .config = config});
    });
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
  if (shape.constant_operator || shape.sides.uniform_between) return "";
  return "transforms need a constant operator, and this one has coefficient arrays; use multigrid";
}

std::vector<SolverMethod> direct_methods(BackendKind kind) {
  std::vector<SolverMethod> methods;
  for (const DirectLibrary& library : direct_libraries(kind)) methods.push_back(direct_method(library));
  return methods;
}

}  // namespace

Eigenvalues eigenvalues(const Operator& a, const Grid& g, const AxisEnds& ends) {
  Eigenvalues values{of_direction(a.wx, ends[0], g.nx), of_direction(a.wy, ends[1], g.ny),
                     g.is_3d() ? of_direction(a.wz, ends[2], g.nz) : std::vector<double>{0}};
  const double shift = a.centre - 2 * (a.wx + a.wy + (g.is_3d() ? a.wz : 0));  // 0 for the Laplacian
  for (double& value : values.x) value += shift;
  return values;
}

double transform_factor(const Grid& g, const AxisEnds& ends) {
  double factor = 1;
  for_each_axis(g, ends, [&](Ends at, int n) { factor *= transformed(at, n); });
  return factor;
}

Cost transform_cost(const Grid& g, const AxisEnds& ends, Precision storage) {
  const double cells = double(g.cells());
  double each = 0;
  for_each_axis(g, ends, [&](Ends at, int n) { each += 2.5 * std::log2(transformed(at, n)); });
  return {2 * cells * double(stored_bytes(storage)), each * cells, cells};
}

std::vector<DirectLibrary> direct_libraries(BackendKind kind) {
  return kind == BackendKind::cuda ? cufft_library(kind) : fftw_library(kind);
}

SolverMethod direct_method(const DirectLibrary& library) {
  if (!library.missing.empty()) return missing_method(library.name, library.missing);
  SolverMethod method{library.name, library.space, [library](const System& system, const Config& config) {
                        return std::make_unique<Direct>(system, library, config);
                      }};
  method.unsupported = needs_constant_operator;
  method.library = true;
  method.does_periodic = true;
  method.described_at = library.described_at;
  return method;
}

SolverDescription direct_solver() {
  return {.name = "direct", .methods = direct_methods, .boundaries = all_boundaries};
}

}  // namespace cfdmark
