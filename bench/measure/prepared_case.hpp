// A case that is ready to be measured.
#pragma once

#include <functional>
#include <memory>

#include "bench/case/case.hpp"
#include "bench/measure/measure.hpp"
#include "bench/measure/stage.hpp"
#include "bench/record/record.hpp"

namespace cfdmark {

class PreparedCase {
 public:
  // Prepares the case and, unless another process has done so, verifies it; calls `entering` before each.
  // Throws the exceptions of the case: std::invalid_argument if the method cannot run it, DeviceLost if the
  // device is lost.
  PreparedCase(const Case&, bool verify, const std::function<void(Stage)>& entering);

  bool passed() const { return verification_.passed; }
  const Verification& verification() const { return verification_; }
  const Workload& workload() const { return *workload_; }
  // Returns the step to time. It refers to this object and keeps the batch size of its last measurement.
  const TimedStep& timed() const { return timed_; }

  // Returns the result of a case that failed its verification.
  CaseResult failed() const;
  // Adds what is known about the case to the result that measure() gave for timed().
  void complete(CaseResult&);
  // Returns the `energy` of a record: runs the case for as long as the counter needs, up to the limit.
  Json energy(double most_seconds) const;

 private:
  // Adds the facts that are known with or without times.
  void add_facts(CaseResult&) const;
  void note_memory(std::size_t resident_before, bool peak_is_ours, const std::optional<DeviceMemory>& before);

  Case case_;
  Backend* home_;
  std::unique_ptr<Backend> clock_;  // of a case on several devices
  std::unique_ptr<Workload> workload_;
  TimedStep timed_;
  Verification verification_;
  double prepare_seconds_ = 0, verify_seconds_ = 0;
  Json memory_;
};

// Returns the result of a case whose preparation or measurement threw.
CaseResult result_of_failure(const std::exception&);

}  // namespace cfdmark
