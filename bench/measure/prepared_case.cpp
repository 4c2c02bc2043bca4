#include "bench/measure/prepared_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bench/case/case_record.hpp"
#include "bench/case/own_clock.hpp"
#include "bench/case/ranked_case.hpp"
#include "bench/catalog/kernel_fields.hpp"
#include "bench/catalog/solve_workload.hpp"
#include "bench/device_facts/device_state.hpp"
#include "bench/device_facts/host_facts.hpp"
#include "bench/device_facts/threads.hpp"
#include "bench/measure/energy.hpp"
#include "bench/measure/rank_devices.hpp"
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

// Returns the bytes of the fields, on a mesh also of the lists of neighbours, which a step reads once.
double working_set(const Workload& workload) {
  const double fields = double(workload.field_bytes());
  return workload.mesh_facts().is_null() ? fields : std::max(fields, workload.cost().bytes);
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
  workload_ = prepare_workload(c, *home_);
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
  if (auto clock = clock_of_devices(c, *home_)) clock_ = std::move(clock);
  timed_ = {clock_ ? clock_.get() : home_, [workload = workload_.get()] { workload->run(); }};
  if (auto* const own = dynamic_cast<OwnClock*>(workload_.get()))
    timed_.clock = [own](int runs) { return own->timed_runs(runs); };
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
  const bool is_here = !dynamic_cast<const OwnClock*>(workload_.get());
  if (is_here && peak_is_ours && peak_resident_bytes() > resident_before)
    memory_["host_peak_bytes"] = peak_resident_bytes() - resident_before;
}

CaseResult PreparedCase::failed() const {
  CaseResult result;
  add_facts(result);
  result.status = "failed";
  result.reason = verification_.reason;
  return result;
}

void PreparedCase::complete(CaseResult& result) {
  timed_.seconds = median_interval(result.samples).median;
  timed_.steps_per_sample = result.steps_per_sample;
  add_facts(result);
  result.cost = workload_->cost();
  result.cache = CacheUse{working_set(*workload_), double(home_->last_level_cache())};
  result.device_state = device_state(*home_);
  result.solver = workload_->solver_facts();
  if (result.solver.is_null()) result.sample_iterations.clear();
}

Json PreparedCase::energy(double most_seconds) const {
  if (clock_) return {{"reason", "the case runs on several devices, and the counter is that of one"}};
  return measure_energy(energy_meter(*home_), timed_, most_seconds);
}

void PreparedCase::add_facts(CaseResult& result) const {
  result.pci_bus_id = home_->pci_bus_id();
  result.verification = verification_json(verification_);
  result.resources = resources_json(workload_->resources());
  result.memory = memory_;
  result.mesh_facts = workload_->mesh_facts();
  result.ranks = with_devices(workload_->rank_facts(), case_, *home_);
  if (!result.overhead) result.overhead.emplace();
  result.overhead->prepare = prepare_seconds_;
  result.overhead->verify = verify_seconds_;
}

CaseResult result_of_failure(const std::exception& e) {
  CaseResult result;
  const bool cannot = dynamic_cast<const std::invalid_argument*>(&e);  // the method cannot run this case
  const auto* const ranks = dynamic_cast<const RanksFailure*>(&e);
  result.status = cannot                                  ? "not_run"
                  : ranks                                 ? ranks->status
                  : dynamic_cast<const SolveTimeout*>(&e) ? "timeout"
                                                          : "error";
  result.reason = message_of(e);
  if (dynamic_cast<const DeviceCodeError*>(&e)) result.failure = "compile_error";
  return result;
}

}  // namespace cfdmark
