#include "bench/record/record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/cache_regime.hpp"

namespace cfdmark {
namespace {

int iterations_of(const CaseResult& r) { return r.solver.is_object() ? r.solver.value("iterations", 0) : 0; }

void fail(CaseResult& r, const std::string& reason) {
  r.status = "failed";
  r.reason = reason;
  r.samples.clear();
  r.energy = r.instructions = nullptr;
}

// The bandwidth of a library's solver is unknown: its cost has no bytes.
void set_rates(DerivedTimes& derived, const Cost& cost, const Json& roof) {
  derived.lups = cost.cells / derived.step.median;
  if (cost.bytes == 0) return;
  derived.bytes_per_second = cost.bytes / derived.step.median;
  if (!roof.is_null() && !roof.contains("unsound"))
    derived.roof_fraction = *derived.bytes_per_second / roof.at("bytes_per_second").get<double>();
}

void add(std::optional<double>& sum, const std::optional<double>& more) {
  if (more) sum = sum.value_or(0) + *more;
}

}  // namespace

std::string work_difference(const CaseResult& r) {
  const int expected = iterations_of(r);
  for (std::size_t n = 0; n < r.sample_iterations.size(); ++n)
    if (const int made = r.sample_iterations[n]; made != expected)
      return fmt::format("its samples differ in work: the solve took {} iterations, sample {} took {}",
                         expected, n + 1, made);
  return "";
}

std::string regime_of(const CacheUse& use) {
  if (use.last_level_bytes <= 0) return "";
  return to_string(cache_regime(use.working_set_bytes / use.last_level_bytes));
}

double CaseResult::sampled_seconds() const {
  double seconds = 0;
  for (const std::vector<double>& of_process : samples)
    for (const double s : of_process) seconds += s;
  return seconds * steps_per_sample;
}

std::size_t CaseResult::sample_count() const {
  std::size_t count = 0;
  for (const std::vector<double>& of_process : samples) count += of_process.size();
  return count;
}

void Record::derive() {
  derived.reset();
  if (result.sample_count() == 0) return;
  if (const std::string reason = work_difference(result); !reason.empty()) return fail(result, reason);
  derived.emplace();
  derived->step = median_interval(result.samples);
  if (result.cost) set_rates(*derived, *result.cost, roof);
  if (const int iterations = iterations_of(result); iterations > 0)
    derived->time_per_iteration = derived->step.median / iterations;
}

void Record::add_process(const CaseResult& further) {
  const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
  append(result.samples, further.samples);
  append(result.sample_iterations, further.sample_iterations);
  if (result.stopped_by != further.stopped_by) result.stopped_by = "budget";
  if (further.overhead) {
    if (!result.overhead) result.overhead.emplace();
    result.overhead->prepare += further.overhead->prepare;
    result.overhead->verify += further.overhead->verify;
    add(result.overhead->warm_up, further.overhead->warm_up);
    add(result.overhead->reset, further.overhead->reset);
  }
  derive();
}

void Record::set_roof(const Json& better) {
  if (!derived || better.is_null()) return;
  roof = better;
  derive();
}

Json resources_json(const Resources& r) {
  Json json = Json::object();
  if (r.threads > 0) json["threads"] = r.threads;
  if (!r.tile.empty()) json["tile"] = r.tile;
  if (r.launches > 0) json["launches"] = r.launches;
  Json kernels = Json::array();  // each different one
  for (const KernelResources& k : r.kernels) {
    Json kernel = {{"name", k.name},
                   {"block", {k.block[0], k.block[1], k.block[2]}},
                   {"blocks", k.blocks},
                   {"resident_blocks", k.resident_blocks},
                   {"registers", k.registers},
                   {"shared_bytes", k.shared_bytes},
                   {"local_bytes", k.local_bytes},
                   {"occupancy", k.occupancy}};
    if (k.calls > 0) kernel.update({{"routine", k.routine}, {"calls", k.calls}});
    if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end())
      kernels.push_back(std::move(kernel));
  }
  if (!kernels.empty()) json["kernels"] = std::move(kernels);
  return json;
}

}  // namespace cfdmark
