// The complete state of a flow between two iterations, from which a solve continues as if it had not stopped.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solvers/base/outcome.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

struct SavedFlow {
  int iterations = 0;                                       // since the start
  double time = 0;                                          // since the start; 0: steady
  std::vector<NamedValue> numbers;                          // such as the time step
  std::vector<std::pair<std::string, std::string>> fields;  // name and bytes, with ghosts and padding

  // Throws std::invalid_argument if there is no such number.
  double number(const std::string& name) const;
  void add(const std::string& name, const Field&);
  // Uploads the values of a field. Throws std::invalid_argument if the state has no field of that name and
  // size.
  void restore(const std::string& name, Field&) const;
};

// An iterative method with a state beyond the flow's own fields.
class HasState {
 public:
  virtual ~HasState() = default;
  // Adds that state. Its next start() after FlowSystem::restore() takes it from FlowSystem::saved.
  virtual void save(SavedFlow&) const = 0;
};

// A flow that begins with a saved state in place of its start.
struct ContinuedFlow : FlowProblem {
  SavedFlow saved;
};

}  // namespace cfdmark
