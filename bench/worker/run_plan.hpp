// Plans a run: skips the cases that are recorded already, and groups the others for measuring together.
#pragma once

#include <cstddef>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/worker/earlier_records.hpp"

namespace cfdmark {

using CaseGroup = std::vector<std::size_t>;  // indices of the cases of a run

struct RunPlan {
  CaseGroup not_run;              // to be recorded as not run
  std::vector<CaseGroup> groups;  // to be measured; the cases of a group are interleaved
  int done = 0;                   // recorded already
  std::size_t to_measure() const;
};

RunPlan make_plan(const std::vector<Case>& cases, const EarlierRecords& earlier);

// Groups these of the cases: those of one kernel or solver, domain and problem, operator or numbering, over
// all backends, precisions, methods and configs, so that cases to be compared are measured interleaved. Keeps
// the order of the sweep. A group has at most `largest_group` cases.
std::vector<CaseGroup> groups_to_measure(const std::vector<Case>& cases, const CaseGroup& these);

inline constexpr std::size_t largest_group = 24;

}  // namespace cfdmark
