// A sweep file (YAML) says which cases to run; expanding it over the catalog gives the cases.
// sweeps/README.md explains the format.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/catalog/case.hpp"

namespace cfdmark {

// What is wrong with a sweep: file, line, what was expected, and the nearest valid word where there is one.
struct SweepError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Sweep {
  std::string question;     // what the sweep answers, from the file
  std::vector<Case> cases;  // in the file's order, each name once
};

// How to make a small sweep of a large one, to see that every part of it runs.
struct SweepOptions {
  int max_side = 0;                        // longer sides of grids are cut to this; 0: none is
  std::size_t max_cases = 0;               // more cases are thinned out evenly to this; 0: they are not
  std::optional<std::size_t> host_memory;  // bytes that cases may use; unset: what is free now
};

// Reads and expands. Cases that the catalog has but this machine cannot run are kept, with `not_run` set
// (backend absent, invalid config, grid too large for the memory, kernel only in 3-D). Starts no backend, so
// that memory is checked for host backends only. Throws SweepError.
//
// Cases point to `rows`, which must outlive them. The one exception: where the rows have nothing but a
// stand-in for a backend that was not built, a case of another method points to a copy of the stand-in under
// that method's name, which lives as long as the program.
Sweep read_sweep(const std::string& path, const SweepOptions& = {}, const std::vector<Row>& rows = catalog());

}  // namespace cfdmark
