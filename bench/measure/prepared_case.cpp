#include "bench/measure/prepared_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/case/case_record.hpp"
#include "bench/catalog/kernel_fields.hpp"
#include "bench/device_facts/device_state.hpp"
#include "bench/device_facts/host_facts.hpp"
#include "bench/device_facts/threads.hpp"
#include "bench/measure/energy.hpp"
#include "bench/measure/roof.hpp"
#include "bench/record/record.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/seconds_now.hpp"
#include "kernels/device/cuda/jit/nvrtc.hpp"

namespace cfdmark {
namespace {

// The record states the threads of its config, so a smaller team must not be measured.
void check_threads(const Case& c, int requested) {
  if (c.row->backend != BackendKind::openmp || requested < 2) return;
  if (const int given = openmp_team_size(requested); given != requested)
    throw std::invalid_argument(fmt::format(
        "the case needs {} threads and OpenMP starts {}: see OMP_THREAD_LIMIT", requested, given));
}

}  // namespace

PreparedCase::PreparedCase(const Case& c, bool verify, const std::function<void(Stage)>& entering)
    : case_(c), home_(&backend(device_of(c))) {
  const std::size_t resident = resident_bytes();
  const bool peak_is_ours = reset_peak_resident();
  if (c.row->kind != RowKind::kernel) release_kept_kernel_fields();
  const KeptKernelFields kept = kept_kernel_fields_now();
  auto before = home_->device_memory();

  entering(Stage::prepare);
  double start = seconds_now();
  workload_ = c.row->prepare(*home_, c.grid, c.config, c.workload);
  prepare_seconds_ = seconds_now() - start;
  check_threads(c, workload_->resources().threads);
  if (verify) {
    entering(Stage::verify);
    start = seconds_now();
    verification_ = workload_->verify();
    verify_seconds_ = seconds_now() - start;
  } else {
    workload_->load();
    verification_.passed = true;
  }
  if (verify && c.routines) workload_->time_routines();
  // Fields that this case took over or freed were counted in `before`; those of other cases remain in it.
  const auto fields = workload_->kernel_fields();
  if (before && kept.on == home_ && (kept.fields.expired() || kept.fields.lock() == fields))
    before->used -= std::min(before->used, kept.bytes);
  note_memory(resident, peak_is_ours, before);
  timed_ = {home_, [workload = workload_.get()] { workload->run(); }};
  timed_.steps = workload_->steps();
  if (workload_->needs_reset()) {
    timed_.reset = [workload = workload_.get()] { workload->reset(); };
    timed_.seconds = verify_seconds_;
  }
  if (c.row->kind == RowKind::solver)
    timed_.iterations = [workload = workload_.get()] { return workload->iterations(); };
}

void PreparedCase::note_memory(std::size_t resident_before, bool peak_is_ours,
                               const std::optional<DeviceMemory>& before) {
  memory_ = {{"field_bytes", workload_->field_bytes()}};
  if (before) {
    memory_["device_used_before"] = before->used;
    const auto fields = workload_->kernel_fields();
    const std::size_t to_check = fields ? fields->bytes_of_copies() : 0;
    memory_["device_used_after"] = home_->device_memory()->used - to_check;
    memory_["device_total"] = before->total;
  }
  if (peak_is_ours && peak_resident_bytes() > resident_before)
    memory_["host_peak_bytes"] = peak_resident_bytes() - resident_before;
}

Json PreparedCase::failed_record(const Json& environment) const {
  return with_facts(record_of(case_, "failed", verification_.reason), environment);
}

Json PreparedCase::measured_record(const Measurement& m, const Json& environment) {
  timed_.seconds = m.interval.median;
  timed_.steps_per_sample = m.steps_per_sample;
  const Cost cost = workload_->cost();
  const Json roof = find_roof(environment.at("roofs"), roof_key(case_));
  Json record = record_of(case_, "ok", "");
  record["time"] = time_json({m.samples}, m.steps_per_sample, m.stopped_by);
  record["cost"] = cost_json(cost);
  record["rate"] = rate_json(cost, m.interval.median, roof);
  record["cache"] = cache_json(double(workload_->field_bytes()), double(home_->last_level_cache()));
  if (!roof.is_null()) record["roof"] = roof;
  record = with_facts(std::move(record), environment);
  record["overhead"]["warm_up"] = m.warm_up;
  record["overhead"]["reset"] = m.reset;
  if (const Json state = device_state(*home_); !state.is_null()) record["device_state"] = state;
  if (const auto facts = workload_->solver_facts(); !facts.is_null()) {
    record["solver"] = facts;
    if (const int iterations = facts.value("iterations", 0); iterations > 0)
      record["solver"]["time_per_iteration"] = m.interval.median / iterations;
    record["solver"]["sample_iterations"] = m.iterations;
    fail_if_work_differs(record);
  }
  return record;
}

Json PreparedCase::energy(double most_seconds) const {
  return measure_energy(energy_meter(*home_), timed_, most_seconds);
}

// Adds the facts that are known with or without times.
Json PreparedCase::with_facts(Json record, const Json& environment) const {
  if (const std::string bus = home_->pci_bus_id(); !bus.empty()) record["device"]["pci_bus_id"] = bus;
  record["verification"] = verification_json(verification_);
  record["resources"] = resources_json(workload_->resources());
  record["memory"] = memory_;
  record["overhead"] = {{"prepare", prepare_seconds_}, {"verify", verify_seconds_}};
  record["environment"] = environment.at("id");
  return record;
}

Json record_of_failure(const Case& c, const Json& environment, const std::exception& e) {
  const bool cannot = dynamic_cast<const std::invalid_argument*>(&e);  // the method cannot run this case
  Json record = record_of(c, cannot ? "not_run" : "error", message_of(e));
  if (dynamic_cast<const DeviceCodeError*>(&e)) record["failure"] = "compile_error";
  record["environment"] = environment.at("id");
  return record;
}

}  // namespace cfdmark
