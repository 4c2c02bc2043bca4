// A case is one point of a sweep: a row of the catalog on a domain, with a config and a workload. Records,
// files and messages identify it by the same name.
#pragma once

#include <string>

#include "bench/case/row.hpp"

namespace cfdmark {

// Origin of a config from the tuned tables (results/README.md).
struct Tuned {
  bool wanted = false;
  std::string match;   // after the look-up: "exact", "in_range", "same_architecture", "outside" or "none"
  std::string device;  // device it was tuned on
  std::string grid;    // nearest grid it was tuned on
};

struct Case {
  const Row* row = nullptr;
  Domain domain;
  Config config;          // settings of the method, complete
  Config workload;        // settings of the workload, complete (workload_space)
  std::string not_run;    // why it cannot be prepared; empty if it can
  Tuned tuned = {};       // origin of the config, if from tuned tables
  int device = 0;         // device index of its backend
  bool routines = false;  // true to also time a solver by routine
  double over_plain = 0;  // speedup over plain that the sweep expects; 0: none stated
};
inline DeviceId device_of(const Case& c) { return {c.row->backend, c.device}; }

// Returns the case identifier with its complete config:
// "red_black_sor/cuda/fp64/shared@4096x4096:block_x=64,block_y=4;operator=constant". For a solver the
// workload is ";problem=jump,tolerance=1e-06,max_iterations=10000,conductivity=1000".
std::string case_name(const Case&);
// Returns the short name with only what differs from the defaults: "sor/openmp/fp64/plain@65x65:omega=1.95".
std::string short_name(const Case&);

}  // namespace cfdmark
