// Confirmation: possible answers are measured again in new processes, because the samples that selected a
// winner are biased in its favour.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bench/tune/across_sizes.hpp"
#include "bench/tune/confirmation_time.hpp"
#include "bench/tune/runner.hpp"
#include "bench/tune/session.hpp"
#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {

struct ConfirmationWith {
  const std::vector<std::unique_ptr<TuneRunner>>& runners;  // one per answer
  const TuneOptions& options;
  TuneSession& session;
  std::function<double()> seconds_left;  // seconds left in the budget
};

// Returns false if a process's trials have no time of the default, or its time ended before the search's
// winner: such trials cannot compare the two. A winner that failed counts as measured.
bool timed_winner(const TuneAnswer&, const std::vector<std::size_t>& candidates,
                  const std::vector<Evaluation>& trials);

// Measures the possible answers of several sizes at each of these, one process for all grids in turn. Adds
// the samples to `fresh` of each answer.
void measure_finalists(std::vector<TuneAnswer>& answers, const AcrossSizes&, const ConfirmationWith&);

// Replaces the winner by the default unless it is significantly faster in the confirming processes too. The
// gain is taken from those processes. Without time for any, a winner that is much faster in the search stays.
// Returns false if the default stays only for lack of time.
bool confirm(TuneAnswer&);

}  // namespace cfdmark::tuning
