// Gauss-Seidel in lexicographic order, which is serial.
#include "kernels/gauss_seidel/gauss_seidel.hpp"

#include "solvers/linear/stationary/stationary.hpp"

namespace cfdmark {
namespace {

std::vector<SolverMethod> methods(BackendKind kind) {
  return relaxation_methods<GaussSeidel>(
      kind, [](const System& s, const auto& method, const Config& config, double*) {
        const CellArgs<GaussSeidel> args{.precision = s.precision,
                                         .fields = {.a = s.stencil(), .u = s.u, .b = s.b}};
        return std::make_unique<InPlaceRelaxation>(prepare(s, "sweep", method, args, config));
      });
}

}  // namespace

SolverDescription gauss_seidel_solver() {
  return {.name = "gauss_seidel", .methods = methods, .is_slow = true};
}

}  // namespace cfdmark
