// A flow solver and its methods on a backend. Each solver's file ends in a table of methods.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/core/method.hpp"
#include "kernels/core/source_place.hpp"
#include "solvers/base/iteration.hpp"
#include "solvers/base/recording.hpp"
#include "solvers/flow/flow_system.hpp"

namespace cfdmark {

// One way to run a flow solver on a backend.
struct FlowMethod {
  std::string name;
  TuningSpace space;
  // Returns an iteration on a flow, with memory allocated and code compiled. The config must be complete and
  // valid.
  std::function<std::unique_ptr<Iteration>(FlowSystem&, const Config&)> prepare;
  SourcePlace described_at = SourcePlace::here();
  Arrangement arrangement = Arrangement::collocated;  // of the flow on which it iterates
};

struct FlowSolverDescription {
  std::string name;
  std::vector<FlowMethod> (*methods)(BackendKind);
  // Default limit: more iterations than a flow on 256x256 cells usually needs to become steady.
  int max_iterations = 0;
  bool in_3d = false;  // true if it supports 3-D as well as 2-D
};

FlowSolverDescription simple_solver();
FlowSolverDescription piso_solver();
FlowSolverDescription projection_solver();

}  // namespace cfdmark
