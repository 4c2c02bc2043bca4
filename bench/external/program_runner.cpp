#include "bench/external/program_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/external/program_space.hpp"
#include "bench/external/timed_process.hpp"
#include "bench/record/config_json.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/tune/runner.hpp"

namespace cfdmark {
namespace {

using tuning::Evaluation;
using tuning::TrialStatus;

std::regex regex_from(const std::string& text) {
  try {
    const std::regex regex(text);
    if (!text.empty() && regex.mark_count() != 1)
      throw std::invalid_argument(fmt::format(
          "--time-from '{}': expected one group in parentheses, such as 'time: ([0-9.]+)'", text));
    return regex;
  } catch (const std::regex_error& e) {
    throw std::invalid_argument(fmt::format("--time-from '{}': {}", text, e.what()));
  }
}

double unit_seconds(const std::string& unit) { return unit == "ms" ? 1e-3 : unit == "us" ? 1e-6 : 1; }

// Returns the last line of an output that has something in it, shortened.
std::string last_line(const std::string& output) {
  constexpr std::size_t most = 120;
  const std::size_t end = output.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "";
  const std::size_t before = output.find_last_of('\n', end),
                    begin = before == std::string::npos ? 0 : before + 1;
  return printable(output.substr(begin, std::min(end + 1 - begin, most)));
}

std::string with_last_line(const std::string& what, const std::string& output) {
  const std::string line = last_line(output);
  return line.empty() ? what + ", without output" : fmt::format("{}; its output ends: {}", what, line);
}

}  // namespace

ProgramRunner::ProgramRunner(const ProgramTune& asked, const tuning::SearchSpace& space, RecordWriter& writer,
                             Progress& progress)
    : asked_(asked),
      space_(space),
      writer_(writer),
      progress_(progress),
      time_(regex_from(asked.time_from)),
      checked_(space.size(), false),
      random_(asked.seed) {}

std::vector<Evaluation> ProgramRunner::operator()(const std::vector<std::size_t>& candidates, int samples,
                                                  double seconds) {
  const double end = seconds_now() + seconds;
  std::vector<Evaluation> trials(candidates.size());
  for (int n = 0; n < samples; ++n)
    for (const std::size_t k : tuning::in_random_order(candidates.size(), random_)) {
      if (seconds_now() >= end || interrupted()) return trials;
      if (trials[k].ok() || trials[k].status == TrialStatus::not_tried) run(candidates[k], end, trials[k]);
    }
  return trials;
}

void ProgramRunner::run(std::size_t candidate, double end, Evaluation& trial) {
  const Config& config = space_[candidate].config;
  progress_.working("running " + config.text());
  const double start = seconds_now();
  const ProcessRun run = run_timed(command_with(asked_.command, config, "--command"), "", asked_.timeout,
                                   [&] { return !interrupted() && seconds_now() < end; });
  if (run.stopped) return;  // says nothing about the config
  double seconds = run.seconds;
  trial.status = TrialStatus::ok;
  if (run.timed_out) {
    trial.status = TrialStatus::timeout, trial.reason = run.how;
  } else if (!run.how.empty()) {
    trial.status = TrialStatus::launch_failure, trial.reason = with_last_line(run.how, run.output);
  } else if (!asked_.time_from.empty()) {
    if (const auto stated = time_in(run.output))
      seconds = *stated;
    else
      trial.status = TrialStatus::wrong_result,
      trial.reason = with_last_line(fmt::format("no time above 0 matches --time-from '{}'", asked_.time_from),
                                    run.output);
  }
  if (trial.ok() && !asked_.check.empty() && !checked_[candidate]) {
    if (trial.reason = complaint(config, run.output); !trial.reason.empty())
      trial.status = TrialStatus::wrong_result;
    checked_[candidate] = true;
  }
  if (trial.ok())
    trial.samples.push_back(seconds);
  else
    trial.samples.clear();
  const double spent = seconds_now() - start;
  trial.measuring_seconds += std::min(seconds, spent);
  trial.setup_seconds += std::max(0.0, spent - seconds);

  Json line = {{"type", "run"}, {"config", config_json(config)}, {"status", tuning::to_string(trial.status)}};
  if (trial.ok()) line["seconds"] = seconds;
  line["wall_seconds"] = run.seconds;
  if (!trial.ok()) {
    line["reason"] = trial.reason;
    progress_.note(fmt::format("{}: {}: {}", tuning::to_string(trial.status), config.text(), trial.reason));
  }
  writer_.append(line);
}

std::optional<double> ProgramRunner::time_in(const std::string& output) const {
  std::smatch match;
  if (!std::regex_search(output, match, time_)) return std::nullopt;
  const std::string text = match[1].str();
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !std::isfinite(value) || value <= 0) return std::nullopt;
  return value * unit_seconds(asked_.unit);
}

std::string ProgramRunner::complaint(const Config& config, const std::string& output) const {
  const ProcessRun check = run_timed(command_with(asked_.check, config, "--check-command"), output,
                                     asked_.timeout, [this] { return !interrupted(); });
  return check.how.empty() ? "" : with_last_line("the check " + check.how, check.output);
}

}  // namespace cfdmark
