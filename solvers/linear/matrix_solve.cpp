#include "solvers/linear/matrix_solve.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/device/backends/counting.hpp"
#include "solvers/linear/refinement.hpp"

namespace cfdmark {
namespace {

constexpr int most_with_error_history = 300'000;  // each check downloads the solution

HostField as_field(const std::vector<double>& values, int unknowns, Precision storage) {
  HostField field(flat_grid(unknowns), storage);
#pragma omp parallel for schedule(static)
  for (std::size_t n = 0; n < values.size(); ++n) field.set(int(n), 0, 0, values[n]);
  return field;
}

double largest_diagonal(const CsrMatrix<double>& a) {
  double most = 0;
  for (const double value : diagonal_of(a)) most = std::max(most, std::abs(value));
  return most;
}

SystemShape shape_of(const MatrixProblem& problem, const LinearOperator& a, Precision precision) {
  return {.grid = flat_grid(problem.unknowns()),
          .constant_operator = false,
          .precision = precision,
          .form = a.as_matrix() ? OperatorForm::matrix : OperatorForm::operations,
          .matrix_entries = problem.matrix.entries()};
}

}  // namespace

std::shared_ptr<const LinearOperator> stored_matrix(Backend& on, Precision storage,
                                                    const MatrixProblem& problem) {
  return std::make_shared<const CsrOperator>(on, storage, problem.matrix);
}

MakeOperator stored_matrix_in(const CsrForm& form) {
  return [form](Backend& on, Precision storage, const MatrixProblem& problem) {
    return std::make_shared<const CsrOperator>(on, storage, problem.matrix, form);
  };
}

PreparedMatrixSolve::PreparedMatrixSolve(const SolverMethod& method, const MakeOperator& make, Backend& on,
                                         Precision precision, const Config& config,
                                         std::shared_ptr<const MatrixProblem> problem,
                                         const MakeOperator& rounded)
    : problem_(std::move(problem)),
      precision_(precision),
      initial_(flat_grid(problem_->unknowns()), outer_precision(precision)),
      system_(on, outer_precision(precision), flat_grid(problem_->unknowns()),
              make(on, outer_precision(precision), *problem_), &clock_) {
  require_supported(method, shape_of(*problem_, *system_.system().a, precision));
  upload();
  const auto solver_of = [&](const System& system) {
    if (!rounded) return linear_solver(system, method, precision, config);
    auto inner = rounded(*system.backend, system.precision, *problem_);
    return std::make_unique<Solver>(*system.backend, refinement(system, method, config, std::move(inner)),
                                    Config{}, system.clock);
  };
  solver_ = solver_of(system_.system());
  field_bytes_ = counted_bytes(on.kind(), [&](Backend& counting) {
    const OwnedSystem system(counting, outer_precision(precision), flat_grid(problem_->unknowns()),
                             make(counting, outer_precision(precision), *problem_));
    solver_of(system.system());
  });
}

void PreparedMatrixSolve::load(std::shared_ptr<const Problem> next) {
  const auto problem = as<MatrixProblem>(next);
  if (problem->matrix != problem_->matrix)
    throw std::invalid_argument(problem->name + " has another matrix than " + problem_->name);
  problem_ = problem;
  upload();
}

void PreparedMatrixSolve::upload() {
  const Precision storage = system_.system().precision;
  initial_ = as_field(problem_->initial, problem_->unknowns(), storage);
  system_.upload_b(as_field(problem_->b, problem_->unknowns(), storage));
}

void PreparedMatrixSolve::reset() {
  system_.upload_start(initial_);
  system_.system().backend->fence();
}

std::vector<double> PreparedMatrixSolve::solution() const {
  const HostField u = system_.u().download();
  std::vector<double> x(std::size_t(problem_->unknowns()));
#pragma omp parallel for schedule(static)
  for (std::size_t n = 0; n < x.size(); ++n) x[n] = u.get(int(n), 0);
  return x;
}

Judgement PreparedMatrixSolve::verify(Outcome& outcome, double tolerance) {
  const std::vector<double> x = solution();
  if (problem_->results)
    for (NamedValue& result : problem_->results(x)) outcome.results.push_back(std::move(result));
  std::vector<double> start = problem_->initial;
  start.resize(x.size());
  const double first = norm(residual(problem_->matrix, start, problem_->b));
  return judge_linear(outcome,
                      {.first = first,
                       .last = norm(residual(problem_->matrix, x, problem_->b)),
                       .largest_diagonal = largest_diagonal(problem_->matrix),
                       .norm_of_answer = norm(x)},
                      precision_, tolerance);
}

std::function<double()> PreparedMatrixSolve::error() const {
  if (!problem_->error || problem_->unknowns() > most_with_error_history) return nullptr;
  return [this] { return problem_->error(solution()); };
}

std::vector<double> residual(const CsrMatrix<double>& a, const std::vector<double>& x,
                             const std::vector<double>& b) {
  std::vector<double> r(b.size());
#pragma omp parallel for schedule(static)
  for (int row = 0; row < a.rows(); ++row) {
    double sum = b[row];
    for (int at = a.row_begin[row]; at < a.row_begin[row + 1]; ++at) sum -= a.value[at] * x[a.column[at]];
    r[row] = sum;
  }
  return r;
}

double norm(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return std::sqrt(sum);
}

}  // namespace cfdmark
