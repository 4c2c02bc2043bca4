// The ghosts of periodic sides.
#pragma once

#include <vector>

#include "solvers/linear/operations.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

// Copies what lies across the domain into the ghosts of its periodic sides; nothing where it has none.
class PeriodicGhosts {
 public:
  PeriodicGhosts() = default;
  PeriodicGhosts(const System&, const FlowDomain&, std::vector<AnyView> fields, const Config&);
  void operator()() const {
    for (const Operation& copy : copies_) copy();
  }
  const std::vector<Operation>& copies() const { return copies_; }  // in turn
  Cost cost() const;
  int launches() const;

 private:
  std::vector<Operation> copies_;
};

}  // namespace cfdmark
