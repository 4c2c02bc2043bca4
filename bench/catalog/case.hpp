// A case: one point of a sweep. Its name is the same everywhere.
#pragma once

#include <string>

#include "bench/catalog/catalog.hpp"

namespace cfdmark {

// How a config came from the tuned tables (results/README.md).
struct Tuned {
  bool wanted = false;
  std::string match;   // once looked up: "exact", "nearest_size", "same_architecture" or "none"
  std::string device;  // that it was tuned on
  std::string grid;    // that it was tuned on
};

struct Case {
  const Row* row = nullptr;
  Grid grid;
  Config config;  // complete
  SolveRequest request;
  std::string not_run;  // why it cannot even be tried; empty if it can
  Tuned tuned = {};     // where its config comes from, if tuned tables were asked
  int device = 0;       // which of its backend's
};
inline DeviceId device_of(const Case& c) { return {c.row->backend, c.device}; }

// "4096x4096" or "128x128x128"
std::string grid_text(const Grid&);
// Throws std::invalid_argument for anything but NXxNY or NXxNYxNZ with sides of at least 1.
Grid grid_from(const std::string& text);
// "red_black_sor/cuda/fp64/tiled@4096x4096:block_x=64,block_y=4"; a solver's problem, tolerance and limit
// follow as ";problem=...,tolerance=...,max_iterations=..." so that different questions have different names.
std::string case_name(const Case&);

}  // namespace cfdmark
