// A sweep file (YAML) says which cases to run; expanding it over the catalog gives the cases.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "bench/case.hpp"

namespace cfdmark {

// What is wrong with a sweep: file, line, what was expected, and the nearest valid word where there is one.
struct SweepError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Sweep {
  std::string question;  // what the sweep answers, from the file
  std::vector<Case> cases;  // in the file's order, each name once
};

// Reads and expands. Cases that the catalog has but this machine cannot run are kept, with `not_run` set (backend
// absent, invalid config, grid too large for the memory, kernel only in 3-D). Throws SweepError.
Sweep read_sweep(const std::string& path);

}  // namespace cfdmark
