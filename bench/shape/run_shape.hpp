// `cfdmark shape`: searches an outline, reports progress and the result, and draws it.
#pragma once

#include <optional>
#include <string>

#include "bench/shape/shape_study.hpp"

namespace cfdmark {

struct ShapeRequest {
  std::string file;
  std::string output;  // JSON lines; empty: out/NAME-shape.jsonl
  std::string plot;    // prefix of pictures; empty: none
  bool restarts = false, dry_run = false;
  std::optional<int> evaluations, seed;
  int seeds = 1;  // searches, each with the next seed
  std::optional<double> seconds;
};

// Runs or continues a study and returns the exit status. Throws SweepError for a wrong file,
// std::invalid_argument for wrong options, WriteError for a file that cannot be written, std::runtime_error
// without an optimiser.
int run_shape(const ShapeRequest&);
// Searches with each seed and prints a line for each. `output`: NAME.jsonl of the files NAME-seedN.jsonl.
// Returns exit_went_wrong if the study knows the optimum and fewer than 95 % of the seeds reach it.
int run_seeds(const ShapeRequest&, ShapeStudy, const std::string& output);

}  // namespace cfdmark
