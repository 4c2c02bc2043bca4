// What a run has to do: which cases are recorded already, which cannot run, and which are measured together.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bench/catalog/case.hpp"
#include "bench/record/json.hpp"

namespace cfdmark {

// The last record of each case in a file.
class EarlierRecords {
 public:
  EarlierRecords() = default;
  // `here`: describes this program, machine and threads. Records of another program, or of another machine or
  // other threads than the case would run on, do not count as done; nor do those whose samples cannot be
  // read.
  EarlierRecords(const std::vector<Json>& lines, const Json& here);

  // Whether the case need not be tried again: it was measured, and its answer was right.
  bool done(const Case&) const;
  // How the newest record of a case ended, whoever made it; empty if there is none.
  std::string newest_status(const Case&) const;
  // Whether the case is recorded as not run for the same reason.
  bool not_run_as_before(const Case&) const;
  // How many records another program, machine or number of threads made.
  std::size_t elsewhere() const { return elsewhere_; }
  // The record of this program, machine and threads; null if there is none.
  const Json* find(const Case&) const;

 private:
  std::map<std::string, Json> records_;        // by case; of this program and machine
  std::map<std::string, std::string> newest_;  // status by case
  std::size_t elsewhere_ = 0;
};

struct RunPlan {
  std::vector<Case> not_run;              // to be recorded as such
  std::vector<std::vector<Case>> groups;  // to be measured, each side by side
  int done = 0;                           // recorded already
  std::size_t to_measure() const;
};

RunPlan make_plan(const std::vector<Case>& cases, const EarlierRecords& earlier);

// A group is one kernel or solver on one grid and problem or operator, across backends, precisions, methods
// and configs, so that what is compared is measured interleaved; at most `largest_group` cases, in the order
// of the sweep.
std::vector<std::vector<Case>> groups_to_measure(const std::vector<Case>& cases);

inline constexpr std::size_t largest_group = 24;

}  // namespace cfdmark
