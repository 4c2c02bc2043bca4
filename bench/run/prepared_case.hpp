// A case that is ready to be measured, and the record that it gets.
#pragma once

#include <functional>
#include <memory>

#include "bench/catalog/case.hpp"
#include "bench/measure/measure.hpp"
#include "bench/record/json.hpp"
#include "bench/run/stage.hpp"

namespace cfdmark {

class PreparedCase {
 public:
  // Prepares and, unless that has been done in another process, verifies; `entering` is told before each.
  // Throws what the case throws: std::invalid_argument if the method cannot do it, DeviceLost if the device
  // is.
  PreparedCase(const Case&, bool verify, const std::function<void(Stage)>& entering);

  bool passed() const { return verification_.passed; }
  // What is timed. It refers to this object, and holds the length of a batch of its last measurement.
  const Timed& timed() const { return timed_; }

  // `environment`: the run's environment line.
  Json failed_record(const Json& environment) const;
  // Failed where a solver's samples were not the same work.
  Json measured_record(const Measurement&, const Json& environment);
  // The `energy` of a record: runs the measured case for as long as the counter needs, if it may.
  Json energy(double most_seconds) const;

 private:
  Json with_facts(Json record, const Json& environment) const;
  void note_memory(std::size_t resident_before, bool peak_is_ours, const std::optional<DeviceMemory>& before);

  Case case_;
  Backend* home_;
  std::unique_ptr<Workload> workload_;
  Timed timed_;
  Verification verification_;
  double prepare_seconds_ = 0, verify_seconds_ = 0;
  Json memory_;
};

// The record of a case that could not be prepared or measured, from what it threw; rethrows what is no
// std::exception.
Json record_of_failure(const Case&, const Json& environment, const std::exception&);

}  // namespace cfdmark
