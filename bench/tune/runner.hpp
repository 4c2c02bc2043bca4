// The objective of a tune: measures candidates in a worker process, and writes each evaluation down.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/run/progress.hpp"
#include "bench/tune/session.hpp"
#include "bench/tune/space.hpp"
#include "tuning/search.hpp"

namespace cfdmark::tuning {

std::string_view to_string(TrialStatus);  // "ok", "compile_error", ...
// How a record ended, in the words of a search. A solver that did not converge has no time to its tolerance.
TrialStatus trial_status(const Json& record);

// Seconds that a record says it took to prepare, verify and warm up its case.
double setup_seconds(const Json& record);

// What the searches of one tune share. All must outlive them.
struct TuneContext {
  const Json& environment;  // the run's environment line
  const Json& note;         // goes into each record as `tuning`, with the status
  // Keeps a record each time that something new is known of a candidate: with all samples so far, so that the
  // last record of a case is the whole of it.
  TuneSession& session;
  Progress& progress;
  std::function<double()> seconds_left;  // of the whole tune; below 0: none
};

// Measures candidates of one space.
class TuneRunner {
 public:
  TuneRunner(const TuneSpace& space, const TuneContext& context)
      : space_(space), context_(context), records_(space.cases.size()) {}

  // As an Objective. A candidate that crashes, hangs or loses its device fails alone: the others go on in
  // another worker, after a small case of the same backend has shown that the device still answers. Throws
  // DeviceLost if it does not.
  std::vector<Evaluation> operator()(const std::vector<std::size_t>& candidates, int samples, double seconds);

  // Has the energy of a step of each measured, which takes the best part of a second each; their records have
  // it then, or the reason why not. Returns the last such reason; what crashes has none.
  std::string weigh(const std::vector<std::size_t>& candidates, double seconds);

  // The last record of a candidate; null if there is none.
  const Json& record(std::size_t candidate) const { return records_.at(candidate); }

 private:
  using End = Answer::End;
  Answer ask(const std::vector<std::size_t>& pending, int samples, double until, std::vector<Json>& found);
  void check_device(std::size_t culprit);
  Evaluation take(std::size_t candidate, const Json& record);
  void write(std::size_t candidate, Json record);

  const TuneSpace& space_;
  const TuneContext context_;
  std::vector<Json> records_;
};

}  // namespace cfdmark::tuning
