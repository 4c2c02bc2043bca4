// Where the typed world of kernels and solvers meets the catalog: one prepared case.
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
  std::string check;  // what was compared with what
  double max_error = 0;
  std::string reason;  // when not passed
};

class KernelFields;

class Workload {
 public:
  virtual ~Workload() = default;

  // Brings the case back to its start, outside the clock. Kernels need it only once; see needs_reset().
  virtual void reset() = 0;
  // The same for steps that nobody checks: what they start from may be what others left.
  virtual void load() { reset(); }
  // Whether a timed step must start from reset(): solvers must, kernels may run on from their own output.
  virtual bool needs_reset() const { return false; }
  // One step, or so many in one go.
  virtual void run() = 0;
  virtual int steps() const { return 1; }
  // Iterations of a solver's last run; 0 for a kernel. All runs must make the same number.
  virtual int iterations() const { return 0; }
  // Poisons the outputs, runs once and checks every cell of what it left.
  virtual Verification verify() = 0;

  // What one step must do. For a solver this is known after a run.
  virtual Cost cost() const = 0;
  virtual Resources resources() const = 0;
  virtual std::size_t field_bytes() const = 0;
  // Of a kernel; null: of a solver.
  virtual std::shared_ptr<const KernelFields> kernel_fields() const { return nullptr; }
  // A step of its own, of which solver_facts() then tell the time by routine. Nothing for a kernel.
  virtual void time_routines() {}
  // The `solver` object of the record (results/README.md); null for a kernel.
  virtual nlohmann::json solver_facts() { return nullptr; }
};

}  // namespace cfdmark
