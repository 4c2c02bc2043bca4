// The solvers that there are, each with its methods on a backend.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/backends/backend.hpp"
#include "solvers/problem.hpp"
#include "solvers/solver.hpp"
#include "solvers/system.hpp"

namespace cfdmark {

struct SolverMethod {
  std::string name;
  TuningSpace space;  // check_interval, and the settings of the kernels that the method is about
  // Whether it is what one wants on this grid if nobody chose: that of its kernel. Null: it is not.
  std::function<bool(const Grid&, bool constant_operator)> preferred = nullptr;
};

// The method for a problem where nobody chose one: default_choice (method.hpp) of all, which must not be
// none.
const SolverMethod& default_solver_method(const std::vector<SolverMethod>&, const Grid&,
                                          bool constant_operator);

// What every solve is asked: tolerance and max_iterations.
const std::vector<Setting>& solve_settings();

struct SolverDescription {
  std::string name;
  std::vector<SolverMethod> (*methods)(BackendKind);
  // The system is in fp32 or fp64 and outlives the solver.
  std::unique_ptr<Solver> (*make)(const System&, const std::string& method, const Config&);
};

const std::vector<SolverDescription>& solver_table();

// Everything that a solve in some precision needs. Mixed is iterative refinement around the 32-bit solver.
class PreparedSolver {
 public:
  PreparedSolver(const SolverDescription&, const std::string& method, Backend&, Precision, const Config&,
                 std::shared_ptr<const LinearProblem>);

  void reset();  // u back to the initial guess
  Outcome solve(double tolerance, int max_iterations) { return solver_->solve(tolerance, max_iterations); }
  Solver& solver() { return *solver_; }
  HostField solution() const { return system_->u.download(); }
  std::size_t field_bytes() const { return field_bytes_; }

 private:
  std::shared_ptr<const LinearProblem> problem_;
  HostField initial_;  // in the system's precision
  std::unique_ptr<System> system_;
  std::unique_ptr<Solver> solver_;
  std::size_t field_bytes_ = 0;
};

// Bytes of a matrix that a method assembles, on the host first; 0 if it needs none.
double solver_matrix_bytes(const std::string& method, Precision, const Grid&);
// Bytes of the fields and the matrix that a solver allocates, for telling what fits: an upper bound.
double solver_field_bytes(const std::string& solver, const std::string& method, Precision, const Grid&,
                          bool coefficient_arrays);

}  // namespace cfdmark
