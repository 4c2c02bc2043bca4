// The last part of a tune: what may be the answer is measured once more, in processes that know nothing of
// the search, since the samples that made a winner flatter it.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "bench/tune/across_sizes.hpp"
#include "bench/tune/finals_time.hpp"
#include "bench/tune/runner.hpp"
#include "bench/tune/session.hpp"
#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {

struct FinalsWith {
  const std::vector<std::unique_ptr<TuneRunner>>& runners;  // one an answer
  const TuneOptions& options;
  TuneSession& session;
  std::function<double()> seconds_left;  // of the budget
};

// Whether the trials that a fresh process made of `candidates` tell anything: if it has no time of the
// default, or its time was over before it came to the search's winner, it cannot set the two beside each
// other. (A winner that failed there is told.)
bool came_to_winner(const TuneAnswer&, const std::vector<std::size_t>& candidates,
                    const std::vector<Evaluation>& trials);

// Measures what may be the answer at several sizes at each of them, a process all grids one after the other,
// and leaves the samples in each answer's `fresh`.
void measure_finalists(std::vector<TuneAnswer>& answers, const AcrossSizes&, const FinalsWith&);

// A winner that is not surely faster than the default in fresh processes too was only lucky, and the default
// stays. The gain is what those processes saw. Where there was no time for any, a winner stays that is much
// faster in the search. False: it was not, and the default stays for want of time.
bool confirm(TuneAnswer&);

}  // namespace cfdmark::tuning
