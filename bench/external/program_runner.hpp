// Measures configs of a program, each run in a process of its own.
#pragma once

#include <functional>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "bench/external/tune_program.hpp"
#include "bench/record/records.hpp"
#include "bench/worker/interruption.hpp"
#include "bench/worker/progress.hpp"
#include "tuning/search.hpp"

namespace cfdmark {

class ProgramRunner {
 public:
  // All references must outlive the runner. Throws std::invalid_argument if the regular expression is not
  // valid or has no group.
  ProgramRunner(const ProgramTune&, const tuning::SearchSpace&, RecordWriter&, Progress&);

  // Implements tuning::Evaluator: `samples` runs of each candidate, in rounds of random order. A candidate
  // that fails, hangs or is judged wrong gets no further runs; the others continue.
  std::vector<tuning::Evaluation> operator()(const std::vector<std::size_t>& candidates, int samples,
                                             double seconds);

  bool interrupted() const { return interruption_.requested(); }

 private:
  // Adds one run, which is stopped at the time `end`.
  void run(std::size_t candidate, double end, tuning::Evaluation&);
  // Returns the seconds in the output of the program; none if the pattern does not match.
  std::optional<double> time_in(const std::string& output) const;
  // Runs the check of a candidate's output. Returns why it is wrong; empty if it is right.
  std::string complaint(const Config&, const std::string& output) const;

  const ProgramTune& asked_;
  const tuning::SearchSpace& space_;
  RecordWriter& writer_;
  Progress& progress_;
  Interruption interruption_;
  std::regex time_;
  std::vector<bool> checked_;  // by candidate
  tuning::Random random_;
};

}  // namespace cfdmark
