#include "bench/tune/runner.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/measure/seconds_now.hpp"
#include "bench/record/record.hpp"
#include "bench/run/worker.hpp"

namespace cfdmark {
namespace {

double setup_of(const Json& record) {
  double seconds = 0;
  if (record.contains("overhead"))
    for (const char* part : {"prepare", "verify", "warm_up"}) seconds += record["overhead"].value(part, 0.0);
  return seconds;
}

double measuring_of(const Json& time) {
  double seconds = 0;
  for (const double s : time.at("samples")) seconds += s * time.at("steps_per_sample").get<double>();
  return seconds;
}

// A case that any sound device can do: the first method of `copy` on the same backend, or the culprit's own
// default.
Case small_case(const Case& culprit) {
  Case c = culprit;
  for (const Row& row : catalog())
    if (row.name == "copy" && row.backend == culprit.row->backend &&
        row.precision == culprit.row->precision) {
      c.row = &row;
      break;
    }
  c.grid = {64, 64, 1};
  c.config = c.row->space.defaults();
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

TrialStatus trial_status(const Json& record) {
  const std::string status = record.at("status");
  if (status == "ok") {
    const bool converged = !record.contains("solver") || record["solver"].value("converged", true);
    return converged ? TrialStatus::ok : TrialStatus::wrong_result;
  }
  if (status == "failed") return TrialStatus::wrong_result;
  if (status == "timeout") return TrialStatus::timeout;
  if (status == "not_run") return TrialStatus::constraint;
  return record.value("failure", "") == "compile_error" ? TrialStatus::compile_error
                                                        : TrialStatus::launch_failure;
}

TuneRunner::TuneRunner(const TuneSpace& space, Supervisor& supervisor, RecordWriter& writer,
                       const TuneRunnerOptions& options)
    : space_(space),
      supervisor_(supervisor),
      writer_(writer),
      options_(options),
      records_(space.cases.size()) {}

std::vector<Trial> TuneRunner::operator()(const std::vector<std::size_t>& candidates, int samples,
                                          double seconds) {
  const double start = seconds_now();
  std::vector<Json> found(candidates.size());
  std::vector<std::size_t> left(candidates.size());
  for (std::size_t n = 0; n < left.size(); ++n) left[n] = n;
  while (!left.empty()) {
    std::vector<std::size_t> pending;
    std::vector<Json> records(left.size());
    for (const std::size_t n : left) pending.push_back(candidates[n]);
    const Answer answer = ask(pending, samples, start + seconds, records);
    for (std::size_t n = 0; n < left.size(); ++n) found[left[n]] = std::move(records[n]);
    std::erase_if(left, [&](std::size_t n) { return !found[n].is_null(); });
    if (answer.end == End::stopped) break;
  }
  std::vector<Trial> trials;
  double accounted = 0;
  for (std::size_t n = 0; n < candidates.size(); ++n) {
    trials.push_back(take(candidates[n], found[n]));
    accounted += trials.back().setup_seconds + trials.back().measuring_seconds;
  }
  // What passed besides, starting workers and settling between samples, is everybody's.
  const double rest = std::max(0.0, seconds_now() - start - accounted) / double(candidates.size());
  for (Trial& t : trials) t.setup_seconds += rest;
  return trials;
}

// Asks the worker for all of `pending`, and finds somebody to blame if it ends before they are done.
Answer TuneRunner::ask(const std::vector<std::size_t>& pending, int samples, double until,
                       std::vector<Json>& found) {
  Json messages = Json::array();
  for (const std::size_t c : pending) messages.push_back(to_message(space_.cases[c]));
  Supervisor::Listener listener;
  listener.event = [&](const Json& event) {
    found.at(event.at("index").get<std::size_t>()) = event.at("record");
  };
  listener.keep_going = [&](const Note& note) {
    if (note.index >= 0 && note.index < int(pending.size()))
      options_.working(fmt::format("{} {}", to_string(note.stage),
                                   case_name(space_.cases[pending[std::size_t(note.index)]])));
    return seconds_now() < until && !options_.interrupted();
  };
  const Answer answer = supervisor_.ask({{"request", "sample"},
                                         {"cases", messages},
                                         {"samples", samples},
                                         {"environment", options_.environment}},
                                        listener);
  if (answer.end != End::stopped) blame(answer, pending, found);
  return answer;
}

void TuneRunner::blame(const Answer& answer, const std::vector<std::size_t>& pending,
                       std::vector<Json>& found) {
  const auto without = [&] {
    return std::size_t(std::find(found.begin(), found.end(), Json()) - found.begin());
  };
  if (answer.end == End::done) {
    for (std::size_t n = 0; n < found.size(); ++n)
      if (found[n].is_null())
        found[n] = record_of(space_.cases[pending[n]], "error", "the worker gave it no record");
    return;
  }
  const bool named = answer.note.index >= 0 && answer.note.index < int(pending.size());
  const std::size_t at = named ? std::size_t(answer.note.index) : without();
  if (at < found.size()) {
    if (found[at].is_null())
      found[at] = record_of(space_.cases[pending[at]],
                            answer.end == End::hung   ? "timeout"
                            : answer.end == End::died ? "crashed"
                                                      : "error",
                            answer.reason);
    check_device(pending[at]);
  }
}

void TuneRunner::check_device(std::size_t culprit) {
  const Case check = small_case(space_.cases[culprit]);
  Json record;
  Supervisor::Listener listener;
  listener.event = [&](const Json& event) { record = event.at("record"); };
  listener.keep_going = [&](const Note&) { return !options_.interrupted(); };
  const Answer answer = supervisor_.ask({{"request", "sample"},
                                         {"cases", Json::array({to_message(check)})},
                                         {"samples", 1},
                                         {"environment", options_.environment}},
                                        listener);
  if (answer.end == End::stopped || (answer.end == End::done && record.value("status", "") == "ok")) return;
  throw std::runtime_error(
      fmt::format("the device does not answer any more after {}: {} does not work either ({}). What was "
                  "measured before is recorded",
                  short_name(space_.cases[culprit]), short_name(check),
                  answer.end == End::done ? record.value("reason", "no record") : answer.reason));
}

// What a record of new samples tells the search; it is written down together with what was known before.
Trial TuneRunner::take(std::size_t candidate, const Json& record) {
  if (record.is_null()) return {TrialStatus::not_tried, "", {}, 0, 0};
  Trial trial{trial_status(record), record.value("reason", ""), {}, 0, 0};
  if (record.value("fresh", true)) trial.setup_seconds = setup_of(record);
  if (record.contains("time")) trial.measuring_seconds = measuring_of(record["time"]);
  if (trial.status == TrialStatus::ok) trial.samples = record["time"]["samples"].get<std::vector<double>>();
  if (trial.status == TrialStatus::wrong_result && trial.reason.empty())
    trial.reason =
        fmt::format("it did not converge in {} iterations", record["solver"].value("iterations", 0));
  if (trial.status != TrialStatus::ok)
    options_.finished(fmt::format("{}: {}: {}", to_string(trial.status), short_name(space_.cases[candidate]),
                                  trial.reason));
  write(candidate, record);
  return trial;
}

void TuneRunner::write(std::size_t candidate, Json record) {
  record.erase("fresh");
  const TrialStatus status = trial_status(record);
  const Json& before = records_[candidate];
  if (status == TrialStatus::ok && !before.is_null() && before.contains("time")) {
    std::vector<double> all = before["time"]["samples"];
    for (const double s : record["time"]["samples"]) all.push_back(s);
    set_samples(record, all, "tuner");
    record["overhead"] = before["overhead"];
  } else if (record.contains("time")) {
    record["time"]["stopped_by"] = "tuner";
  }
  record["tuning"] = options_.note;
  record["tuning"]["status"] = to_string(status);
  if (candidate == space_.space.fallback()) record["tuning"]["default"] = true;
  if (!record.contains("environment")) record["environment"] = options_.environment.at("id");
  writer_.append(record);
  records_[candidate] = std::move(record);
}

}  // namespace cfdmark
