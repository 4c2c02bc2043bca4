// The part of a worker that runs on the processes of a job of ranks.
//
// The worker (rank_workloads.hpp) sends every rank one command at a time:
//   {"do": "prepare", "id", "catalog", "cases": [one]}   prepares a case as workload `id`
//   {"do": "verify" | "load" | "reset" | "drop", "id"}
//   {"do": "run", "id", "runs"}                          runs that many times behind a barrier
//   {"do": "facts", "id"}
//   null                                                 ends the rank
// All ranks do it, agree whether all could, and the first answers {"event": "answer", "value"}, or with
// "kind"
// ("unsupported", "timeout" or "error") and "reason". A rank that could not says so at once, {"event":
// "stumbled", "reason"}: the others may wait for it.
#pragma once

#include <vector>

#include "bench/case/row.hpp"
#include "bench/ranks/rank_process.hpp"

namespace cfdmark {

// Serves commands until the last one, with cases from `rows`. Returns the exit status of the process.
int serve_as_rank(RankProcess&, const std::vector<Row>& rows);

}  // namespace cfdmark
