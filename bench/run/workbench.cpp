#include "bench/run/workbench.hpp"

#include <algorithm>

#include "bench/measure/instruction_count.hpp"
#include "bench/run/memory_check.hpp"

namespace cfdmark {

struct Workbench::Request {
  const std::vector<Case>& cases;
  Wanted wanted;
  const Json& environment;
  const BatchEvents& events;
};

void Workbench::sample(const std::vector<Case>& cases, const Wanted& wanted, const Json& environment,
                       const BatchEvents& events) {
  const Request request{cases, wanted, environment, events};
  for (std::size_t next = 0; next < cases.size();) {
    std::vector<std::size_t> ready;
    next = fill(request, next, ready);
    measure_group(request, ready);
  }
}

std::size_t Workbench::fill(const Request& request, std::size_t first, std::vector<std::size_t>& indices) {
  std::size_t next = first;
  for (; next < request.cases.size(); ++next) {
    const Case& c = request.cases[next];
    if (!find(c)) {
      make_room(c, indices, request);
      if (!indices.empty() && !leaves_room(c)) break;
      if (!prepare(request, next)) continue;
    }
    // To the end: the most recently used.
    std::rotate(kept_.begin() + (find(c) - kept_.data()), kept_.begin() + (find(c) - kept_.data()) + 1,
                kept_.end());
    indices.push_back(next);
  }
  return next;
}

Workbench::Kept* Workbench::find(const Case& c) {
  const std::string name = case_name(c);
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& k) { return k.name == name; });
  return found == kept_.end() ? nullptr : &*found;
}

// Gives back what is not in use, the least recently used first, until the case fits.
void Workbench::make_room(const Case& c, const std::vector<std::size_t>& in_use, const Request& request) {
  const auto is_used = [&](const Kept& k) {
    return std::any_of(in_use.begin(), in_use.end(),
                       [&](std::size_t n) { return case_name(request.cases[n]) == k.name; });
  };
  for (std::size_t n = 0; n < kept_.size() && !leaves_room(c);)
    if (is_used(kept_[n]))
      ++n;
    else
      kept_.erase(kept_.begin() + std::ptrdiff_t(n));
}

bool Workbench::prepare(const Request& request, std::size_t index) {
  const Case& c = request.cases[index];
  const auto end = [&](const std::exception& e) {
    request.events.record(index, record_of_failure(c, request.environment, e));
  };
  try {
    if (kept_.empty())
      if (const std::string reason = memory_refusal(c); !reason.empty()) throw std::invalid_argument(reason);
    auto ready =
        std::make_unique<PreparedCase>(c, [&](Stage stage) { request.events.entering(index, stage); });
    if (ready->passed()) {
      kept_.push_back({case_name(c), std::move(ready)});
      return true;
    }
    request.events.record(index, ready->failed_record(request.environment));
  } catch (const DeviceLost& e) {
    end(e);
    throw;
  } catch (const std::exception& e) {
    end(e);
  }
  return false;
}

void Workbench::measure_group(const Request& request, const std::vector<std::size_t>& indices) {
  std::vector<Timed> timed;
  for (const std::size_t index : indices) {
    const Kept& kept = *find(request.cases[index]);
    timed.push_back(kept.ready->timed());
    if (kept.steps_per_sample > 0) timed.back().known = {kept.steps_per_sample, kept.seconds};
  }
  MeasureOptions options;
  options.seconds = 1e9;
  options.interval = -1;  // no interval is narrow enough: so many samples are wanted
  options.round = request.wanted.samples;
  options.max_rounds = 1;
  options.entering = [&](std::size_t n) { request.events.entering(indices[n], Stage::measure); };
  measure(timed, options, [&](std::size_t n, const Measurement& m) {
    const Case& c = request.cases[indices[n]];
    Kept& kept = *find(c);
    if (!m.error.empty())
      return request.events.record(indices[n],
                                   record_of_failure(c, request.environment, std::runtime_error(m.error)));
    Json record = kept.ready->ok_record(m, request.environment);
    record["energy"] = {{"reason", "not measured where a case gets a few samples at a time"}};
    if (kept.fresh && request.wanted.instructions)
      record["instructions"] =
          count_instructions({timed[n].backend, timed[n].step, timed[n].reset, m.interval.median});
    record["fresh"] = kept.fresh;
    kept.fresh = false;
    kept.steps_per_sample = m.steps_per_sample;
    kept.seconds = m.interval.median * m.steps_per_sample;
    request.events.record(indices[n], record);
  });
}

}  // namespace cfdmark
