#include <fmt/format.h>

#include <ostream>

#include "bench/record/output_file.hpp"
#include "bench/solve/solve_view.hpp"
#include "bench/text/exit_status.hpp"
#include "solvers/linear/matrix_solve.hpp"

namespace cfdmark {
namespace {

std::string facts_of(const MatrixRef& a) {
  const std::string diagonal = a.diagonal_sign > 0        ? "positive diagonal"
                               : a.diagonal_sign < 0      ? "negative diagonal"
                               : a.zero_diagonal_row == 0 ? "diagonal of both signs"
                                                          : "diagonal with zeros";
  return fmt::format("{} rows, {} entries, {}symmetric, {}; {}", a.rows, a.entries,
                     a.is_symmetric ? "" : "not ", diagonal,
                     a.rhs.empty() ? "b = A x of a random x" : "b from " + a.rhs);
}

class MatrixView final : public SolveView {
 public:
  using SolveView::SolveView;

  void before() override { fmt::print("{}\n", facts_of(asked_.domain.matrix())); }
  int write_files(PreparedSolve& prepared, const Outcome&) override {
    if (asked_.answer.empty()) return exit_ok;
    const std::vector<double> x = dynamic_cast<PreparedMatrixSolve&>(prepared).solution();
    replace_file(asked_.answer, [&](std::ostream& out) {
      out << fmt::format("%%MatrixMarket matrix array real general\n{} 1\n", x.size());
      for (const double value : x) out << fmt::format("{:.17g}\n", value);
    });
    return exit_ok;
  }
};

}  // namespace

std::unique_ptr<SolveView> matrix_view(const SolveCase& asked) { return std::make_unique<MatrixView>(asked); }

}  // namespace cfdmark
