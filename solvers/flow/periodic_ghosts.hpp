// Ghost values of periodic sides and of cuts between ranks.
#pragma once

#include <vector>

#include "solvers/linear/system/operations.hpp"
#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

// Fills the ghosts of several fields across periodic sides and cuts; does nothing without either.
class PeriodicGhosts {
 public:
  PeriodicGhosts() = default;
  PeriodicGhosts(const System&, const FlowDomain&, std::vector<AnyView> fields, const Config&);
  void operator()() const {
    for (const Operation& copy : copies_) copy();
  }
  const std::vector<Operation>& copies() const { return copies_; }  // run in order
  Cost cost() const;
  int launches() const;

 private:
  std::vector<Operation> copies_;
};

}  // namespace cfdmark
