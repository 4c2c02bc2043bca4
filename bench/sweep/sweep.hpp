// A sweep file (YAML) describes the cases to run; expanding it over the catalog gives the cases.
// sweeps/README.md explains the format.
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/catalog/catalog.hpp"

namespace cfdmark {

// An error in a sweep: file, line, what was expected, and the closest valid word if there is one.
struct SweepError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Sweep {
  std::string question;     // from the file: the question that the sweep answers
  std::vector<Case> cases;  // in file order, each name once
};

// Options that reduce a large sweep, to try every part of it quickly.
struct SweepOptions {
  int max_side = 0;                        // limit for the sides of grids; 0: none
  std::size_t max_cases = 0;               // number of cases, selected evenly; 0: all
  std::optional<std::size_t> host_memory;  // bytes available to cases; none: what is free now
};

// Reads and expands a sweep. Cases that this machine cannot run are kept with `not_run` set: missing backend,
// invalid config, grid too large for the memory, kernel in 3-D only. No backend is started, so only host
// memory is checked. Throws SweepError.
//
// Cases point to `rows`, which must outlive them. Exception: for a method of a backend that was not built, a
// case points to a copy of the backend's placeholder row under that method's name, which is never freed.
Sweep read_sweep(const std::string& path, const SweepOptions& = {}, const std::vector<Row>& rows = catalog());

}  // namespace cfdmark
