#include "bench/tune/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/measure/make_record.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/worker/ask_worker.hpp"

namespace cfdmark::tuning {
namespace {

// Share of the remaining time for what a worker starts.
constexpr double share_of_asking = 0.9;
// Seconds by which a worker may exceed its time, and their share of the tune's remaining time. To stop it,
// start another and fill its fields takes about as long (docs/decisions).
constexpr double longest_overrun = 1, overrun_of_what_is_left = 0.25;

// Returns a case that works on any healthy device: the first method of `copy` on the same backend, or the
// culprit's own default.
Case small_case(const Case& culprit) {
  Case c = culprit;
  for (const Row& row : catalog())
    if (row.name == "copy" && row.backend == culprit.row->backend &&
        row.precision == culprit.row->precision) {
      c.row = &row;
      break;
    }
  c.domain = Grid{64, 64, 1};
  c.config = c.row->space.defaults();
  c.workload = workload_of(*c.row);
  return c;
}

}  // namespace

std::string_view to_string(TrialStatus status) {
  switch (status) {
    case TrialStatus::ok: return "ok";
    case TrialStatus::constraint: return "constraint";
    case TrialStatus::compile_error: return "compile_error";
    case TrialStatus::launch_failure: return "launch_failure";
    case TrialStatus::wrong_result: return "wrong_result";
    case TrialStatus::timeout: return "timeout";
    case TrialStatus::not_tried: break;
  }
  return "not_tried";
}

TrialStatus trial_status(const CaseResult& result) {
  if (result.is_ok()) {
    // Configs are compared at equal work. Whether the true residual is within the tolerance depends on the
    // precision, not on the config.
    const Json solver = result.solver.is_null() ? Json::object() : result.solver;
    const bool ended = solver.value("converged", true) ||
                       solver.value("relative_residual", 1.0) <= solver.value("tolerance", 0.0);
    return ended ? TrialStatus::ok : TrialStatus::wrong_result;
  }
  if (result.status == "failed") return TrialStatus::wrong_result;
  if (result.status == "timeout") return TrialStatus::timeout;
  if (result.status == "not_run") return TrialStatus::constraint;
  return result.failure == "compile_error" ? TrialStatus::compile_error : TrialStatus::launch_failure;
}

double setup_seconds(const CaseResult& result) {
  const Overhead overhead = result.overhead.value_or(Overhead());
  return overhead.prepare + overhead.verify + overhead.warm_up.value_or(0);
}

std::vector<Evaluation> TuneRunner::operator()(const std::vector<std::size_t>& candidates, int samples,
                                               double seconds) {
  const double start = seconds_now();
  Found found(candidates.size());
  std::vector<std::size_t> left(candidates.size());
  for (std::size_t n = 0; n < left.size(); ++n) left[n] = n;
  while (!left.empty()) {
    std::vector<std::size_t> pending;
    Found records(left.size());
    for (const std::size_t n : left) pending.push_back(candidates[n]);
    const Answer answer = ask(pending, samples, start + seconds, records);
    for (std::size_t n = 0; n < left.size(); ++n) found[left[n]] = std::move(records[n]);
    std::erase_if(left, [&](std::size_t n) { return found[n].has_value(); });
    if (answer.end == End::stopped || answer.end == End::done) break;  // or out of time
  }
  std::vector<Evaluation> trials;
  double accounted = 0;
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    trials.push_back(take(candidates[n], found[n]));
    accounted += trials.back().setup_seconds + trials.back().measuring_seconds;
  }
  // The remaining time, such as process starts and pauses between samples, is divided equally.
  const double rest = std::max(0.0, seconds_now() - start - accounted) / double(candidates.size());
  for (Evaluation& t : trials) t.setup_seconds += rest;
  return trials;
}

std::string TuneRunner::weigh(const std::vector<std::size_t>& candidates, double seconds) {
  constexpr double sampled =
      0.25;  // seconds; the energy run may take four times as long (measurement_session.cpp)
  const double end = seconds_now() + seconds;
  std::vector<Case> cases;
  for (const std::size_t c : candidates) cases.push_back(space_.cases[c]);
  std::string reason = "out of time";
  CaseListener listener;
  listener.result = [&](std::size_t n, const CaseResult& measured) {
    const Json& energy = measured.energy;
    if (!energy.is_null())
      reason = energy.value("reason", "");
    else
      reason = measured.reason.empty() ? "not measured" : measured.reason;
    std::optional<Record>& record = records_[candidates[n]];
    if (!record || energy.is_null()) return;
    record->result.energy = energy;
    context_.session.keep(to_json(*record), context_.progress);
  };
  listener.keep_going = [&](const std::string& what) {
    context_.progress.working(what);
    return seconds_now() < end && !context_.session.interruption().requested();
  };
  ask_for_cases(context_.session.supervisor(), {{"request", "run"}, {"seconds", sampled}, {"interval", 0.02}},
                cases, listener);
  return reason;
}

// Measures `pending` as far as the worker gets, and stores their records in `found`. Throws DeviceLost if the
// worker ended and the device does not respond.
Answer TuneRunner::ask(const std::vector<std::size_t>& pending, int samples, double until, Found& found) {
  std::vector<Case> cases;
  for (const std::size_t c : pending) cases.push_back(space_.cases[c]);
  CaseListener listener;
  const int own = int(context_.session.supervisor().idle());  // idle workers disturb nothing
  listener.result = [&](std::size_t n, CaseResult result) {
    found[n] = make_record(cases[n], std::move(result), context_.environment);
    Json& state = found[n]->result.device_state;
    if (state.contains("other_processes"))
      state["other_processes"] = std::max(0, state["other_processes"].get<int>() - own);
  };
  listener.keep_going = [&](const std::string& what) {
    context_.progress.working(what);
    const double may_be_late =
        std::clamp(overrun_of_what_is_left * context_.seconds_left(), 0.0, longest_overrun);
    return seconds_now() < until + may_be_late && !context_.session.interruption().requested();
  };
  std::vector<bool> again;
  for (const std::size_t c : pending) again.push_back(records_[c] && records_[c]->is_ok());
  Json request = {{"request", "sample"}, {"samples", samples}, {"again", again}};
  // The worker stops by itself if it can.
  if (std::isfinite(until)) request["within"] = share_of_asking * std::max(until - seconds_now(), 0.0);
  const Answer answer = ask_for_cases(context_.session.supervisor(), request, cases, listener);
  if (answer.end != End::stopped && answer.end != End::done) check_device(pending[answer.culprit]);
  return answer;
}

void TuneRunner::check_device(std::size_t culprit) {
  const Case check = small_case(space_.cases[culprit]);
  CaseResult result;
  CaseListener listener;
  listener.result = [&](std::size_t, CaseResult came) { result = std::move(came); };
  listener.keep_going = [&](const std::string&) { return !context_.session.interruption().requested(); };
  const Answer answer = ask_for_cases(context_.session.supervisor(), {{"request", "sample"}, {"samples", 1}},
                                      {check}, listener);
  if (answer.end == End::stopped || result.is_ok()) return;
  throw DeviceLost(fmt::format(
      "the device stopped responding after {}: {} fails too ({}); earlier measurements are recorded",
      short_name(space_.cases[culprit]), short_name(check), result.reason));
}

// Returns the evaluation of a record with new samples, and writes the record merged with the samples so far.
Evaluation TuneRunner::take(std::size_t candidate, const std::optional<Record>& record) {
  if (!record) return {TrialStatus::not_tried, "", {}, 0, 0};
  const CaseResult& result = record->result;
  Evaluation trial{trial_status(result), result.reason, {}, 0, result.sampled_seconds()};
  if (result.fresh) trial.setup_seconds = setup_seconds(result);
  write(candidate, *record);
  // Merged with earlier samples the work may differ between runs.
  if (const CaseResult& joined = records_[candidate]->result; trial.status == TrialStatus::ok)
    trial.status = trial_status(joined), trial.reason = joined.reason;
  if (trial.status == TrialStatus::ok) trial.samples = result.samples.front();
  if (trial.status == TrialStatus::wrong_result && trial.reason.empty())
    trial.reason = fmt::format("not converged in {} iterations", result.solver.value("iterations", 0));
  if (trial.status != TrialStatus::ok)
    context_.progress.note(fmt::format("{}: {}: {}", to_string(trial.status),
                                       short_name(space_.cases[candidate]), trial.reason));
  return trial;
}

namespace {

// Adds new samples to those of earlier requests. The first process verified, and its solve is described.
void continue_samples(CaseResult& result, const CaseResult& before) {
  ProcessSamples all = before.samples;
  if (result.fresh) all.emplace_back();
  all.back().insert(all.back().end(), result.samples.front().begin(), result.samples.front().end());
  std::vector<int> iterations = before.sample_iterations;
  iterations.insert(iterations.end(), result.sample_iterations.begin(), result.sample_iterations.end());
  result.samples = std::move(all);
  result.sample_iterations = std::move(iterations);
  result.overhead = before.overhead;
  result.verification = before.verification;
  result.energy = before.energy;
  result.solver = before.solver;
}

}  // namespace

void TuneRunner::write(std::size_t candidate, Record record) {
  const std::optional<Record>& before = records_[candidate];
  if (!record.result.samples.empty()) record.result.stopped_by = "tuner";
  if (trial_status(record.result) == TrialStatus::ok && before && !before->result.samples.empty()) {
    continue_samples(record.result, before->result);
    record.derive();
  }
  if (!context_.note.is_null()) {
    record.tuning = context_.note;
    record.tuning["status"] = to_string(trial_status(record.result));
    if (candidate == space_.space.fallback()) record.tuning["default"] = true;
  }
  context_.session.keep(to_json(record), context_.progress);
  records_[candidate] = std::move(record);
}

}  // namespace cfdmark::tuning
