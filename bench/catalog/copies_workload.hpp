// Ranks that share no domain: each has a copy of the whole case, and nothing is exchanged. It measures how
// many cases a machine completes side by side.
#pragma once

#include <functional>

#include "bench/case/row.hpp"

namespace cfdmark {

// Returns Row::on_ranks of a row that also takes the partition `copies`; the row's own for others.
std::function<Row(const RankSetup&)> with_copies(const Row&);

}  // namespace cfdmark
