#include "solvers/matrix/matrix_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

#include "kernels/cells/timed_problem.hpp"
#include "kernels/mesh/files/checksum.hpp"
#include "solvers/linear/system/matrix_market.hpp"
#include "solvers/linear/system/model_matrices.hpp"

namespace cfdmark {
namespace {

// Rounding of an assembly that adds the same terms to a_ij and a_ji in another order.
constexpr double rounding = 1e-12;

// Throws std::invalid_argument for a file that is not the one of the required checksum; empty: any.
void require_checksum(const std::string& file, const std::string& now, const std::string& required) {
  if (required.empty() || now == required) return;
  throw std::invalid_argument(fmt::format(
      "{} has the checksum {}, not {}: it was changed; name it without a checksum to use it as it "
      "is now",
      file, now, required));
}

CsrMatrix<double> generated(const MatrixRef& ref) {
  const ModelMatrix& model = model_matrix(ref.generator);
  const auto [a, b, c] = ref.sides;
  const int dims = c > 0 ? 3 : 2;
  if (a != b || (dims == 3 && b != c) || dims != model.dims || a < 2)
    throw std::invalid_argument(
        fmt::format("invalid matrix '{}'; expected equal sides of at least 2, such as {}", Domain(ref).text(),
                    model.name + (model.dims == 3 ? "-20x20x20" : "-100x100")));
  const double most_entries = 7 * std::pow(double(a), dims);
  if (most_entries > std::numeric_limits<int>::max())
    throw std::invalid_argument(
        fmt::format("the matrix {} is too large: it has more entries than 32-bit integers can count",
                    Domain(ref).text()));
  return model.make(a);
}

// Throws MatrixFileError for a row or a column without an entry other than 0.
void require_rows_and_columns(const CsrMatrix<double>& a, const std::string& file) {
  for (int row = 0; row < a.rows(); ++row)
    if (std::all_of(a.value.begin() + a.row_begin[row], a.value.begin() + a.row_begin[row + 1],
                    [](double v) { return v == 0; }))
      throw MatrixFileError(fmt::format(
          "{}: row {} has no entry other than 0, so the matrix is singular; remove the row and its unknown",
          file, row + 1));
  std::vector<char> is_used(std::size_t(a.rows()));
  for (std::size_t at = 0; at < a.value.size(); ++at)
    if (a.value[at] != 0) is_used[std::size_t(a.column[at])] = 1;
  if (const auto empty = std::find(is_used.begin(), is_used.end(), 0); empty != is_used.end())
    throw MatrixFileError(fmt::format(
        "{}: column {} has no entry other than 0, so the matrix is singular; remove the unknown and a row",
        file, empty - is_used.begin() + 1));
}

bool is_symmetric(const CsrMatrix<double>& a) {
  bool symmetric = true;
#pragma omp parallel for schedule(static) reduction(&& : symmetric)
  for (int row = 0; row < a.rows(); ++row)
    for (int at = a.row_begin[row]; at < a.row_begin[row + 1]; ++at) {
      const int column = a.column[at];
      const auto begin = a.column.begin() + a.row_begin[column],
                 end = a.column.begin() + a.row_begin[column + 1];
      const auto other = std::lower_bound(begin, end, row);
      const double value = a.value[at], mirrored = other == end || *other != row
                                                       ? 0
                                                       : a.value[std::size_t(other - a.column.begin())];
      symmetric = symmetric && std::abs(value - mirrored) <= rounding * std::abs(value);
    }
  return symmetric;
}

// The known answer: a constant x would make b zero but for a few rows near the boundary, a start from which
// BiCGStab diverges on convection.
double known_answer(int row) { return noise(row, 0, 0, 1); }

std::vector<double> product_with_answer(const CsrMatrix<double>& a) {
  std::vector<double> x(std::size_t(a.rows()));
  for (int row = 0; row < a.rows(); ++row) x[std::size_t(row)] = -known_answer(row);
  return residual(a, x, std::vector<double>(x.size()));
}

// Returns true if A times a constant is 0: answers then differ by constants.
bool has_free_constant(const CsrMatrix<double>& a) {
  const std::vector<double> sums =
      residual(a, std::vector<double>(std::size_t(a.rows()), 1), std::vector<double>(std::size_t(a.rows())));
  const auto largest = [](const std::vector<double>& values) {
    double most = 0;
    for (const double value : values) most = std::max(most, std::abs(value));
    return most;
  };
  return largest(sums) <= rounding * largest(a.value);
}

std::vector<double> rhs_of(const MatrixRef& ref, int rows, const std::string& name) {
  std::vector<double> b = read_market_vector_file(ref.rhs);
  if (int(b.size()) != rows)
    throw MatrixFileError(fmt::format("{}: {} values, but {} has {} rows; write one value per row", ref.rhs,
                                      b.size(), name, rows));
  if (std::all_of(b.begin(), b.end(), [](double v) { return v == 0; }))
    throw MatrixFileError(ref.rhs + ": all values are 0, so x = 0; name another right-hand side");
  return b;
}

// Returns the largest and the root mean square difference from the known answer.
std::vector<NamedValue> errors(const std::vector<double>& x) {
  double most = 0, squares = 0;
  for (std::size_t row = 0; row < x.size(); ++row) {
    const double error = std::abs(x[row] - known_answer(int(row)));
    most = std::max(most, error), squares += error * error;
  }
  return {{"max_error", most}, {"rms_error", std::sqrt(squares / double(x.size()))}};
}

std::shared_ptr<const MatrixSystem> prepared(const MatrixRef& asked) {
  const auto system = std::make_shared<MatrixSystem>();
  system->ref = asked;
  MatrixRef& ref = system->ref;
  const std::string name = ref.is_generated() ? Domain(ref).text() : ref.file;
  system->name = "matrix_system";
  system->matrix = ref.is_generated() ? generated(ref) : read_matrix_market_file(ref.file);
  const CsrMatrix<double>& a = system->matrix;
  require_rows_and_columns(a, name);
  if (ref.rhs.empty()) {
    system->b = product_with_answer(a);
    if (!has_free_constant(a)) {
      system->results = errors;
      system->error = [](const std::vector<double>& x) { return errors(x).front().value; };
    }
  } else {
    system->b = rhs_of(ref, a.rows(), name);
  }
  ref.rows = a.rows(), ref.entries = a.entries();
  ref.is_symmetric = is_symmetric(a);
  const std::vector<double> diagonal = diagonal_of(a);
  const auto all = [&](auto is) { return std::all_of(diagonal.begin(), diagonal.end(), is); };
  ref.diagonal_sign = all([](double v) { return v > 0; }) ? 1 : all([](double v) { return v < 0; }) ? -1 : 0;
  const auto zero = std::find(diagonal.begin(), diagonal.end(), 0.0);
  ref.zero_diagonal_row = zero == diagonal.end() ? 0 : int(zero - diagonal.begin()) + 1;
  return system;
}

// Returns the checksum of a file. Throws MatrixFileError if it cannot be read.
std::string checksum_of(const std::string& file) {
  try {
    return checksum_of_file(file);
  } catch (const std::runtime_error&) {
    read_matrix_market_file(file);  // its errors are those of matrix files
    throw;
  }
}

}  // namespace

std::shared_ptr<const MatrixSystem> matrix_system(const MatrixRef& asked) {
  // The last one, so that a case whose sweep was just read does not read it again.
  static std::shared_ptr<const MatrixSystem> kept;
  MatrixRef ref = asked;
  const auto check = [](const std::string& file, std::string& required) {
    if (file.empty()) return;
    const std::string now = checksum_of(file);
    require_checksum(file, now, required);
    required = now;
  };
  check(ref.file, ref.checksum);
  check(ref.rhs, ref.rhs_checksum);
  if (!kept || Domain(kept->ref).text() != Domain(ref).text()) {
    kept = nullptr;
    kept = prepared(ref);
  }
  return kept;
}

MatrixRef known(const MatrixRef& ref) { return matrix_system(ref)->ref; }

}  // namespace cfdmark
