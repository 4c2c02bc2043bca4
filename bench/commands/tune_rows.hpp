// What a tune is asked for, as tunes of kernels and solvers, one after the other.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/commands/setting_options.hpp"
#include "bench/commands/tune_sizes.hpp"
#include "bench/tune/jobs.hpp"

namespace cfdmark {

struct AskedTune {
  std::vector<std::string> names;  // of kernels, or solvers
  bool all = false;  // every kernel and solver with two configs or more but those of flows, in place of names
  std::vector<std::string> exclude;     // of all these
  bool solver = false;                  // of a name that both have
  std::string backend;                  // empty: the fastest that runs here
  std::vector<std::string> precisions;  // empty: fp64, of all those that there are
  std::string method, problem;
  AskedSizes sizes;  // none: the usual (usual_sizes.hpp)
  bool check = false;
  std::optional<int> device;
  SettingOptions settings;
};

// There is at least one. Throws std::invalid_argument that says what to write.
std::vector<tuning::TuneJob> jobs_from(const AskedTune&);

// "block_x=32,block_y=8", of the method that runs untuned on the first grid of a job; or "shared:block_x=32".
// What it does not set is as that method has it untuned. Throws std::invalid_argument.
tuning::Candidate layout_from(const std::string& text, const tuning::TuneJob&);

}  // namespace cfdmark
