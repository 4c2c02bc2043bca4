#include <fmt/format.h>

#include "bench/solve/solve_view.hpp"

namespace cfdmark {
namespace {

class BlockView final : public SolveView {
 public:
  using SolveView::SolveView;

  int warm_up_iterations() const override { return 1; }
  std::optional<int> print(const TimedSolve& timed, const Judgement& judgement) override {
    const SolveWords words{fmt::format("steps of {} pairs of sweeps", asked_.config.integer("pairs")), "step",
                           "omega or pairs"};
    return print_solve(asked_, timed, judgement, words);
  }
};

}  // namespace

std::unique_ptr<SolveView> block_view(const SolveCase& asked) { return std::make_unique<BlockView>(asked); }

}  // namespace cfdmark
