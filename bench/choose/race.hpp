// Finds the fastest of some cases within a budget: one verified solve of each, within a time limit that
// grows, then samples of the fastest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/record/record.hpp"
#include "bench/tune/tune.hpp"
#include "bench/worker/progress.hpp"

namespace cfdmark {

struct Contender {
  Case c;                        // `not_run` says why it does not compete
  std::optional<Record> record;  // its newest; none if no solve ended in time
  double slower_than = 0;        // seconds in which no verified solve ended; 0: none were given
  double preparing_for = 0;      // seconds in which its preparation did not end; 0: likewise
  bool is_tie = false;           // the winner, or sampled with it and not significantly slower

  // Returns true if its answer was verified and its true residual is within the tolerance.
  bool is_verified() const;
  double seconds() const { return record->derived->step.median; }  // of a verified contender
  // Returns why it has no record of a solve.
  std::string why_no_record() const;
};

struct RaceResult {
  // The winner first, then the other verified ones by time, then the rest in the order of the cases.
  std::vector<Contender> contenders;
  bool budget_ended = false;  // before the race was decided
  bool interrupted = false;
  double seconds = 0;
  std::string unwritten;  // why records are missing from the file; empty if complete
};

// Races the cases. Each gets a line in the record file `options.output`: a record of its solves, or one
// without a time that says why. `options.budget` is in seconds and must be given. Throws WriteError if the
// first record cannot be written, std::runtime_error if no worker can be started, DeviceLost if a device
// stops responding.
RaceResult race(const std::vector<Case>& cases, const tuning::TuneOptions& options, Progress& progress);

}  // namespace cfdmark
