#include "bench/measure/measurement_session.hpp"

#include <algorithm>

#include "bench/case/ranked_case.hpp"
#include "bench/catalog/kept_problem.hpp"
#include "bench/catalog/kernel_fields.hpp"
#include "bench/catalog/memory_check.hpp"
#include "bench/catalog/mesh_problem.hpp"
#include "bench/catalog/solve_workload.hpp"
#include "bench/measure/compile_ahead.hpp"
#include "bench/measure/instruction_count.hpp"
#include "bench/text/seconds_now.hpp"
#include "kernels/device/built.hpp"

namespace cfdmark {
namespace {

// Larger batches are no fairer, and after a crash they repeat more work.
constexpr std::size_t most_in_a_batch = 24;

// Limit of an energy measurement, relative to the sampling time.
constexpr double energy_share = 4;

// Seconds. A search interleaves short samples of many cases, each after an untimed step, and confirms its
// results in other processes. So its warm-up can be short.
constexpr double warm_up_of_a_search = 3e-3;
// A device is not interrupted by other work, so samples a quarter as long suffice. Samples and warm-up
// dominate the time of a search.
constexpr double sample_of_a_search_on_a_device = 0.5e-3, warm_up_of_a_search_on_a_device = 1e-3,
                 first_warm_up_of_a_search_on_a_device = 5e-3;

const Json few_samples = {{"reason", "not measured with a fixed number of samples"}};

// Returns true if the cases name the same point of a sweep, whatever else they say.
bool prepares_same(const Case& a, const Case& b) {
  return a.row == b.row && a.device == b.device && a.domain == b.domain && a.config == b.config &&
         a.workload == b.workload;
}

// Returns the expected duration of the samples in seconds; 0 if unknown.
double expected_seconds(const TimedStep& timed, int samples) {
  return samples * timed.seconds * std::max(timed.steps_per_sample, 1);
}

// `seconds` is the remaining time per case for a fixed number of samples.
MeasureOptions measure_options(const MeasureRequest& wanted, BackendKind on, double seconds) {
  MeasureOptions options;
  options.seconds = wanted.seconds;
  options.interval = wanted.interval;
  options.fewest_samples = wanted.fewest_samples;
  if (wanted.samples > 0) {
    options.seconds = std::clamp(seconds, 0.0, 1e9);
    options.interval = -1;  // never reached
    options.warm_up = warm_up_of_a_search;
    if (on == BackendKind::cuda) {
      options.sample_seconds = sample_of_a_search_on_a_device;
      options.warm_up = warm_up_of_a_search_on_a_device;
      options.first_warm_up = first_warm_up_of_a_search_on_a_device;
    }
    options.round = wanted.samples;
    options.max_rounds = 1;
  }
  return options;
}

}  // namespace

struct MeasurementSession::Request {
  const std::vector<Case>& cases;
  const MeasureRequest& wanted;
  const MeasurementEvents& events;
  const double end = seconds_now() + wanted.within;
  bool is_again(std::size_t index) const { return !wanted.again.empty() && wanted.again[index]; }

  void fail(std::size_t index, const std::exception& why) const {
    events.result(index, result_of_failure(why));
  }
};

bool MeasurementSession::measure(const std::vector<Case>& cases, const MeasureRequest& wanted,
                                 const MeasurementEvents& events) {
  const Request request{cases, wanted, events};
  set_solve_limit(wanted.solve_seconds);
  if (wanted.samples == 0) kept_.clear();  // free the cases of a different kind of request
  std::size_t next = 0;
  while (next < cases.size() && seconds_now() < request.end) {
    std::vector<std::size_t> batch;
    next = fill(request, next, batch);
    measure_batch(request, batch);
    if (wanted.samples == 0) kept_.clear();
  }
  return next == cases.size();
}

void MeasurementSession::release() {
  kept_.clear();
  release_kept_kernel_fields();
  release_meshes();
  kept_problem() = {};
}

std::size_t MeasurementSession::fill(const Request& request, std::size_t first,
                                     std::vector<std::size_t>& indices) {
  if constexpr (built_with_cuda)
    if (request.wanted.ahead) {
      request.events.entering(first, Stage::compile);
      compile_ahead(to_prepare(request, first));
      request.events.entering(first, Stage::prepare);
    }
  const double start = seconds_now();
  double measuring = 0;  // expected measuring time of the batch
  std::size_t next = first;
  for (; next < request.cases.size() && indices.size() < most_in_a_batch; ++next) {
    const Case& c = request.cases[next];
    if (!indices.empty() && seconds_now() + measuring > request.end) break;
    if (!find(c)) {
      if (!indices.empty() && seconds_now() - start > request.wanted.preparing) break;
      make_room(c, indices, request);
      if (!indices.empty() && !leaves_room(c)) break;
      if (!prepare(request, next)) continue;
    }
    // Moved to the end: most recently used.
    const auto found = kept_.begin() + (find(c) - kept_.data());
    std::rotate(found, found + 1, kept_.end());
    indices.push_back(next);
    measuring += expected_seconds(kept_.back().ready->timed(), request.wanted.samples);
  }
  return next;
}

// Returns the unprepared cases that a batch starting at `first` may contain.
std::vector<const Case*> MeasurementSession::to_prepare(const Request& request, std::size_t first) {
  std::vector<const Case*> cases;
  for (std::size_t n = first; n < std::min(request.cases.size(), first + most_in_a_batch); ++n)
    if (!request.is_again(n) && !find(request.cases[n])) cases.push_back(&request.cases[n]);
  return cases;
}

MeasurementSession::Kept* MeasurementSession::find(const Case& c) {
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return prepares_same(k.c, c); });
  return found == kept_.end() ? nullptr : &*found;
}

// Frees unused cases, least recently used first, until the case fits.
void MeasurementSession::make_room(const Case& c, const std::vector<std::size_t>& in_use,
                                   const Request& request) {
  const auto is_used = [&](const Kept& k) {
    return std::any_of(in_use.begin(), in_use.end(),
                       [&](std::size_t n) { return prepares_same(request.cases[n], k.c); });
  };
  for (std::size_t n = 0; n < kept_.size() && !leaves_room(c);)
    if (is_used(kept_[n]))
      ++n;
    else
      kept_.erase(kept_.begin() + std::ptrdiff_t(n));
  if (!leaves_room(c)) release_kept_kernel_fields();
}

bool MeasurementSession::prepare(const Request& request, std::size_t index) {
  const Case& c = request.cases[index];
  try {
    if (kept_.empty())
      if (const std::string reason = memory_refusal(c); !reason.empty()) throw std::invalid_argument(reason);
    auto ready = std::make_unique<PreparedCase>(c, !request.is_again(index),
                                                [&](Stage stage) { request.events.entering(index, stage); });
    if (ready->passed()) {
      kept_.push_back({c, std::move(ready)});
      return true;
    }
    request.events.result(index, ready->failed());
  } catch (const DeviceLost& e) {
    request.fail(index, e);
    throw;
  } catch (const std::exception& e) {
    request.fail(index, e);
  }
  return false;
}

// Adds the energy and the instructions, which one process measures for all.
void MeasurementSession::add_extras(const Request& request, std::size_t index, const PreparedCase& ready,
                                    CaseResult& result) {
  if (request.is_again(index)) return;
  const MeasureRequest& wanted = request.wanted;
  request.events.entering(index, Stage::energy);
  result.energy = wanted.samples > 0 ? few_samples : ready.energy(energy_share * wanted.seconds);
  request.events.entering(index, Stage::measure);
  if (!wanted.instructions || !result.fresh) return;
  const bool on_ranks = ranks_of(request.cases[index].config).count > 1;
  result.instructions =
      on_ranks ? Json{{"reason", "counted for steps on one thread only"}} : count_instructions(ready.timed());
}

void MeasurementSession::measure_batch(const Request& request, const std::vector<std::size_t>& indices) {
  const MeasureRequest& wanted = request.wanted;
  std::vector<PreparedCase*> ready;
  std::vector<TimedStep> timed;
  for (const std::size_t index : indices) {
    ready.push_back(find(request.cases[index])->ready.get());
    timed.push_back(ready.back()->timed());
  }
  MeasureOptions options = measure_options(wanted, request.cases.front().row->backend,
                                           (request.end - seconds_now()) / double(indices.size()));
  options.entering = [&](std::size_t n) { request.events.entering(indices[n], Stage::measure); };
  cfdmark::measure(timed, options, [&](std::size_t n, CaseResult result) {
    if (!result.is_ok()) return request.events.result(indices[n], result);
    try {
      result.fresh = ready[n]->timed().steps_per_sample == 0;
      ready[n]->complete(result);
      if (work_difference(result).empty()) add_extras(request, indices[n], *ready[n], result);
      request.events.result(indices[n], result);
    } catch (const DeviceLost&) {
      throw;
    } catch (const std::exception& e) {
      request.fail(indices[n], std::runtime_error(e.what()));
    }
  });
}

}  // namespace cfdmark
