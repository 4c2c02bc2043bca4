// In textbook order: serial only.
#include "kernels/gauss_seidel/gauss_seidel.hpp"

#include "solvers/linear/stationary.hpp"

namespace cfdmark {
namespace {

std::vector<SolverMethod> methods(BackendKind kind) {
  return relaxation_methods(kind, gauss_seidel_methods(kind),
                            [](const System& s, const auto& method, const Config& config) {
                              const GaussSeidelArgs args{s.precision, s.grid(), s.a, 1.0, s.u, s.b};
                              return std::make_unique<InPlaceRelaxation>(
                                  prepare(s, "sweep", method, gauss_seidel_cost, args, config));
                            });
}

}  // namespace

SolverDescription gauss_seidel_solver() { return {"gauss_seidel", methods}; }

}  // namespace cfdmark
