// Linear systems without a grid: A is a sparse matrix, and the unknowns are a vector, such as the values at
// the nodes of a mesh.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "solvers/base/prepared_solve.hpp"
#include "solvers/linear/system/csr_operator.hpp"
#include "solvers/linear/system/method.hpp"

namespace cfdmark {

struct MatrixProblem : Problem {
  std::string name;
  CsrMatrix<double> matrix;
  std::vector<double> b;
  std::vector<double> initial;  // initial guess; empty: zeros
  // Returns the results of an answer x, such as its error; may be null.
  std::function<std::vector<NamedValue>(const std::vector<double>& x)> results = nullptr;
  // Returns the largest error of x; null: the exact answer is unknown.
  std::function<double(const std::vector<double>& x)> error = nullptr;

  int unknowns() const { return matrix.rows(); }
};

// Makes the operator of a problem in a backend's memory, with values in the storage of a precision.
using MakeOperator =
    std::function<std::shared_ptr<const LinearOperator>(Backend&, Precision, const MatrixProblem&)>;
// Returns the problem's matrix as a CsrOperator.
std::shared_ptr<const LinearOperator> stored_matrix(Backend&, Precision, const MatrixProblem&);
// Returns a function that makes it in a form.
MakeOperator stored_matrix_in(const CsrForm&);

// A prepared solve by a method that needs no grid (SolverMethod::needs). Precision `mixed` is
// iterative refinement around the 32-bit solver.
class PreparedMatrixSolve final : public PreparedSolve {
 public:
  // `rounded`: makes the operator of the corrections in a refinement in 64 bits (refinement.hpp); null: the
  // method solves the system itself. Throws std::invalid_argument if the method does not support such a
  // system.
  PreparedMatrixSolve(const SolverMethod&, const MakeOperator&, Backend&, Precision, const Config&,
                      std::shared_ptr<const MatrixProblem>, const MakeOperator& rounded = nullptr);

  // The shape of a problem: its matrix. Only b and the initial guess may differ.
  void load(std::shared_ptr<const Problem>) override;
  void reset() override;
  Judgement verify(Outcome&, double tolerance) override;
  std::function<double()> error() const override;
  Solver& solver() const override { return *solver_; }
  std::size_t field_bytes() const override { return field_bytes_; }

  std::vector<double> solution() const;

 private:
  void upload();

  std::shared_ptr<const MatrixProblem> problem_;
  Precision precision_;
  HostField initial_;  // in the precision of the system
  OwnedSystem system_;
  std::unique_ptr<Solver> solver_;
  std::size_t field_bytes_ = 0;
};

// Returns b - A x in double precision, on all cores of the host.
std::vector<double> residual(const CsrMatrix<double>&, const std::vector<double>& x,
                             const std::vector<double>& b);
double norm(const std::vector<double>&);

}  // namespace cfdmark
