// The objective of a tune: measures candidates in a worker process and records each evaluation.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/record/record.hpp"
#include "bench/tune/session.hpp"
#include "bench/tune/space.hpp"
#include "bench/worker/progress.hpp"
#include "tuning/search.hpp"

namespace cfdmark::tuning {

std::string_view to_string(TrialStatus);  // "ok", "compile_error", ...
// Returns the trial status of a record. A solver that did not converge has a wrong result.
TrialStatus trial_status(const CaseResult&);

// Returns the seconds to prepare, verify and warm up.
double setup_seconds(const CaseResult&);

// Shared by the searches of one tune. All referenced objects must outlive them.
struct TuneContext {
  const Json& environment;  // environment line of the run
  const Json& note;         // `tuning` of each record, to which the status is added; null: none
  // Receives a record after each new evaluation of a candidate, with all samples so far: the last record of a
  // case is the complete one.
  TuneSession& session;
  Progress& progress;
  std::function<double()> seconds_left;  // of the whole tune; negative: none left
};

// Measures candidates of one space.
class TuneRunner {
 public:
  TuneRunner(const TuneSpace& space, const TuneContext& context)
      : space_(space), context_(context), records_(space.cases.size()) {}

  // Implements Objective. A candidate that crashes, hangs or loses its device fails alone. The others
  // continue in a new worker, once a small case on the same backend has shown that the device responds.
  // Throws DeviceLost if it does not.
  std::vector<Evaluation> operator()(const std::vector<std::size_t>& candidates, int samples, double seconds);

  // Measures the energy per step of each candidate, about a second each, and adds it to their records, or the
  // reason why it is missing. Returns the reason of the last candidate; empty if its energy was measured.
  std::string weigh(const std::vector<std::size_t>& candidates, double seconds);

  // Returns the line of a candidate's last record; null if there is none.
  Json record(std::size_t candidate) const {
    return records_.at(candidate) ? to_json(*records_[candidate]) : Json();
  }

 private:
  using End = Answer::End;
  using Found = std::vector<std::optional<Record>>;
  Answer ask(const std::vector<std::size_t>& pending, int samples, double until, Found& found);
  void check_device(std::size_t culprit);
  Evaluation take(std::size_t candidate, const std::optional<Record>&);
  void write(std::size_t candidate, Record);

  const TuneSpace& space_;
  const TuneContext context_;
  Found records_;  // by candidate
};

}  // namespace cfdmark::tuning
