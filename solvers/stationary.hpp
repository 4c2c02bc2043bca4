// Jacobi, Gauss-Seidel and SOR: sweeps until the residual, looked at every few sweeps, is small enough.
#pragma once

#include <memory>

#include "solvers/operations.hpp"
#include "solvers/solver.hpp"

namespace cfdmark {

// A relaxation: how to advance a system's u by a number of sweeps.
struct Relaxation {
  std::function<void(int sweeps)> advance;
  // Brings u into the relaxation's own layout, and back. May be null.
  std::function<void()> load, store;
  Cost sweep_cost;
  Resources resources;
};

Relaxation jacobi_relaxation(const System&, const std::string& method, const Config&);
// In textbook order; serial only.
Relaxation gauss_seidel_relaxation(const System&, const std::string& method, const Config&);
Relaxation red_black_relaxation(const System&, const std::string& method, const Config&, double omega);

// Looks at the residual every check_interval sweeps.
std::unique_ptr<Solver> stationary_solver(const System&, Relaxation, int check_interval, const Config&);

}  // namespace cfdmark
