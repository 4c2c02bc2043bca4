#include "bench/batch.hpp"

#include <fmt/format.h>

#include <memory>

#include "bench/device_state.hpp"
#include "bench/energy.hpp"
#include "bench/host_facts.hpp"
#include "bench/memory_check.hpp"
#include "bench/record.hpp"
#include "bench/roof.hpp"
#include "bench/seconds_now.hpp"

namespace cfdmark {
namespace {

// More cases side by side make the interleaving no fairer, but more is to be done again after a crash.
constexpr std::size_t most_in_a_batch = 24;

// A case that is ready to be measured.
struct Prepared {
  std::size_t index;  // among all cases
  std::unique_ptr<Workload> workload{};
  Verification verification{};
  double prepare_seconds = 0, verify_seconds = 0;
  Json memory{};
};

class Batch {
 public:
  Batch(const std::vector<Case>& cases, const BatchOptions& options, const BatchEvents& events)
      : cases_(cases), options_(options), events_(events) {}

  // Takes cases from `first` on, until memory or the batch is full; returns the first that was left.
  std::size_t fill(std::size_t first) {
    std::size_t next = first;
    while (next < cases_.size() && prepared_.size() < most_in_a_batch && fits(cases_[next])) prepare(next++);
    return next;
  }

  void measure_all() {
    std::vector<Timed> timed;
    for (const Prepared& p : prepared_) timed.push_back(timed_case(p));
    MeasureOptions options;
    options.seconds = options_.seconds;
    options.interval = options_.interval;
    options.entering = [&](std::size_t n) { events_.entering(prepared_[n].index, Stage::measure); };
    measure(timed, options, [&](std::size_t n, const Measurement& m) { finish(prepared_[n], timed[n], m); });
  }

 private:
  bool fits(const Case& next) const { return prepared_.empty() || leaves_room(next); }

  void prepare(std::size_t index) {
    const Case& c = cases_[index];
    try {
      if (prepared_.empty())
        if (const std::string reason = memory_refusal(c); !reason.empty())
          return end(index, "not_run", reason);
      try_to_prepare(index);
    } catch (const DeviceLost& e) {
      end(index, "error", e.what());
      throw;
    } catch (const std::invalid_argument& e) {
      end(index, "not_run", e.what());  // the method cannot do this case, and says why
    } catch (const std::exception& e) {
      end(index, "error", e.what());
    }
  }

  void try_to_prepare(std::size_t index) {
    const Case& c = cases_[index];
    Backend& home = backend(c.row->backend);
    Prepared p{index};
    const std::size_t resident = resident_bytes();
    const bool peak_is_ours = reset_peak_resident();
    const auto before = home.device_memory();

    events_.entering(index, Stage::prepare);
    double start = seconds_now();
    p.workload = c.row->prepare(c.grid, c.config, c.request);
    p.prepare_seconds = seconds_now() - start;
    events_.entering(index, Stage::verify);
    start = seconds_now();
    p.verification = p.workload->verify();
    p.verify_seconds = seconds_now() - start;

    p.memory = {{"field_bytes", p.workload->field_bytes()}};
    if (before) {
      p.memory["device_used_before"] = before->used;
      p.memory["device_used_after"] = home.device_memory()->used;
      p.memory["device_total"] = before->total;
    }
    if (peak_is_ours && peak_resident_bytes() > resident)
      p.memory["host_peak_bytes"] = peak_resident_bytes() - resident;
    if (p.verification.passed)
      prepared_.push_back(std::move(p));
    else
      events_.record(index, with_facts(record_of(c, "failed", p.verification.reason), p));
  }

  Timed timed_case(const Prepared& p) const {
    Workload* workload = p.workload.get();
    Timed timed{case_name(cases_[p.index]), &backend(cases_[p.index].row->backend),
                [workload] { workload->run(); }};
    if (workload->needs_reset()) {
      timed.reset = [workload] { workload->reset(); };
      timed.seen_seconds = p.verify_seconds;
    }
    return timed;
  }

  void finish(const Prepared& p, const Timed& timed, const Measurement& m) {
    if (!m.error.empty()) return end(p.index, "error", m.error);
    try {
      events_.record(p.index, ok_record(p, timed, m));
    } catch (const DeviceLost&) {
      throw;
    } catch (const std::exception& e) {
      end(p.index, "error", e.what());
    }
  }

  Json ok_record(const Prepared& p, const Timed& timed, const Measurement& m) const {
    const Case& c = cases_[p.index];
    const Cost cost = p.workload->cost();
    const Json roof = find_roof(options_.environment.at("roofs"), roof_key(c));
    Json record = record_of(c, "ok", "");
    record["time"] = time_json(m);
    record["cost"] = cost_json(cost);
    record["rate"] = rate_json(cost, m.interval.median, roof);
    record["cache"] =
        cache_json(double(p.workload->field_bytes()), double(timed.backend->last_level_cache()));
    if (!roof.is_null()) record["roof"] = roof;
    record = with_facts(std::move(record), p);
    record["overhead"]["warm_up"] = m.warm_up;
    record["overhead"]["reset"] = m.reset;
    if (const Json state = device_state(*timed.backend); !state.is_null()) record["device_state"] = state;
    record["energy"] = measure_energy(energy_meter(*timed.backend),
                                      {timed.backend, timed.step, timed.reset, m.interval.median});
    if (const auto facts = p.workload->solver_facts(); !facts.is_null()) {
      record["solver"] = facts;
      if (const int iterations = facts.value("iterations", 0); iterations > 0)
        record["solver"]["time_per_iteration"] = m.interval.median / iterations;
    }
    return record;
  }

  // What is known of a case, timed or not.
  Json with_facts(Json record, const Prepared& p) const {
    record["verification"] = verification_json(p.verification);
    record["resources"] = resources_json(p.workload->resources());
    record["memory"] = p.memory;
    record["overhead"] = {{"prepare", p.prepare_seconds}, {"verify", p.verify_seconds}};
    record["environment"] = options_.environment.at("id");
    return record;
  }

  void end(std::size_t index, const char* status, const std::string& reason) {
    Json record = record_of(cases_[index], status, reason);
    record["environment"] = options_.environment.at("id");
    events_.record(index, record);
  }

  const std::vector<Case>& cases_;
  const BatchOptions& options_;
  const BatchEvents& events_;
  std::vector<Prepared> prepared_;
};

}  // namespace

std::string_view to_string(Stage stage) {
  switch (stage) {
    case Stage::prepare:
      return "preparing";
    case Stage::verify:
      return "verifying";
    case Stage::measure:
      break;
  }
  return "measuring";
}

void run_cases(const std::vector<Case>& cases, const BatchOptions& options, const BatchEvents& events) {
  for (std::size_t next = 0; next < cases.size();) {
    Batch batch(cases, options, events);
    next = batch.fill(next);
    batch.measure_all();
  }
}

}  // namespace cfdmark
