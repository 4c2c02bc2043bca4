// Converts the command line of a tune to a list of jobs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/case/given_settings.hpp"
#include "bench/tune/jobs.hpp"
#include "bench/tune/tune_sizes.hpp"

namespace cfdmark {

struct AskedTune {
  std::vector<std::string> names;  // names of kernels or solvers
  // True to select every kernel and solver with at least two configs, except flow solvers, instead of
  // `names`.
  bool all = false;
  std::vector<std::string> exclude;     // names to exclude from `all`
  bool solver = false;                  // true to take the solver if a kernel has the same name
  std::string backend;                  // empty: the fastest available one
  std::vector<std::string> precisions;  // empty: fp64; with `all` fp64 and fp32
  std::string method, problem;
  AskedSizes sizes;  // empty: default sizes (usual_sizes.hpp)
  bool check = false;
  std::optional<int> device;
  GivenSettings settings;
};

// Returns the rows of a kernel or solver on the chosen backend, else the fastest that can run one of them, in
// a precision: all methods, or the chosen one. Throws std::invalid_argument with the nearest word if there
// are none.
std::vector<const Row*> matching_rows(const AskedTune&, const std::string& name,
                                      const std::string& precision);

// Returns at least one job. Throws std::invalid_argument with the fix.
std::vector<tuning::TuneJob> jobs_from(const AskedTune&);

// Parses "block_x=32,block_y=8" for the method that is the default on the first grid of a job, or
// "shared:block_x=32". Other settings keep that method's defaults. Throws std::invalid_argument.
tuning::Candidate layout_from(const std::string& text, const tuning::TuneJob&);

}  // namespace cfdmark
