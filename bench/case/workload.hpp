// Interface of a prepared case. It hides the types of kernels and solvers from the catalog.
#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "kernels/core/cost.hpp"
#include "kernels/core/step.hpp"

namespace cfdmark {

struct Verification {
  bool passed = false;
  std::string check;  // quantity compared and its reference
  double max_error = 0;
  std::string reason;  // reason, if not passed
};

class KernelFields;

class Workload {
 public:
  virtual ~Workload() = default;

  // Resets the case outside the clock. Kernels need it only once; see needs_reset().
  virtual void reset() = 0;
  // The same for steps without verification: they may start from the previous state.
  virtual void load() { reset(); }
  // Returns true if each timed step must start from reset(): for solvers. Kernels may continue from their own
  // output.
  virtual bool needs_reset() const { return false; }
  // Runs steps() steps.
  virtual void run() = 0;
  virtual int steps() const { return 1; }
  // Returns the iterations of a solver's last run; 0 for a kernel. All runs must have the same number.
  virtual int iterations() const { return 0; }
  // Poisons the outputs, runs once and checks every cell of the result.
  virtual Verification verify() = 0;

  // Returns the cost of one step. That of a solver is known only after a run.
  virtual Cost cost() const = 0;
  virtual Resources resources() const = 0;
  virtual std::size_t field_bytes() const = 0;
  // Returns the fields of a kernel; null for a solver.
  virtual std::shared_ptr<const KernelFields> kernel_fields() const { return nullptr; }
  // Returns the `mesh_facts` object of the record (results/README.md); null on a grid.
  virtual nlohmann::json mesh_facts() const { return nullptr; }
  // Returns the `ranks` object of the record (results/README.md); null on one rank.
  virtual nlohmann::json rank_facts() const { return nullptr; }
  // Runs a separate step to time its routines for solver_facts(). Does nothing for a kernel.
  virtual void time_routines() {}
  // Returns the `solver` object of the record (results/README.md); null for a kernel.
  virtual nlohmann::json solver_facts() { return nullptr; }
};

}  // namespace cfdmark
