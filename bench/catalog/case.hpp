// A case: one point of a sweep. Its name is the same everywhere.
#pragma once

#include <string>

#include "bench/catalog/catalog.hpp"

namespace cfdmark {

// How a config came from the tuned tables (results/README.md).
struct Tuned {
  bool wanted = false;
  std::string match;   // once looked up: "exact", "in_range", "same_architecture", "outside" or "none"
  std::string device;  // that it was tuned on
  std::string grid;    // the nearest of those that it was tuned on
};

struct Case {
  const Row* row = nullptr;
  Grid grid;
  Config config;          // how it is done, complete
  Config question;        // what is asked of it, complete (question_space)
  std::string not_run;    // why it cannot even be tried; empty if it can
  Tuned tuned = {};       // where its config comes from, if tuned tables were asked
  int device = 0;         // which of its backend's
  bool routines = false;  // whether a solver is also timed by routine
  double over_plain = 0;  // how many times as fast as plain its sweep wants it; 0: it does not say
};
inline DeviceId device_of(const Case& c) { return {c.row->backend, c.device}; }

// "4096x4096" or "128x128x128"; "128x128x1" is a plane of a 3-D grid.
std::string grid_text(const Grid&);
// Throws std::invalid_argument for anything but NXxNY or NXxNYxNZ with sides of at least 1.
Grid grid_from(const std::string& text);
// Longer sides are a slip of the keyboard, and the elements of a cube of them would overflow an index.
inline constexpr int longest_side = 1 << 20;
// The same of a command line. Throws std::invalid_argument for longer sides, too.
Grid asked_grid(const std::string& text);
// The identity of a case, with its whole config:
// "red_black_sor/cuda/fp64/shared@4096x4096:block_x=64,block_y=4;operator=constant", or, asked of a solver,
// ";problem=jump,tolerance=1e-06,max_iterations=10000,conductivity=1000".
std::string case_name(const Case&);
// The same for people, with only what differs from the defaults: "sor/openmp/fp64/plain@65x65:omega=1.95".
std::string short_name(const Case&);

}  // namespace cfdmark
