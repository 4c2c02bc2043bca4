#include "bench/tune/recorded_space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>

#include "bench/record/config_json.hpp"
#include "bench/record/records.hpp"
#include "bench/tune/runner.hpp"
#include "kernels/core/statistics.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark::tuning {
namespace {

// Returns "512x512", or the name of a mesh or matrix.
std::string domain_text(const Json& record) {
  for (const char* named : {"mesh", "matrix"})
    if (record.contains(named)) return record.at(named);
  std::string text;
  for (const Json& side : record.at("grid"))
    text += fmt::format("{}{}", text.empty() ? "" : "x", side.get<int>());
  return text;
}

std::string space_name(const Json& r) {
  std::string name =
      fmt::format("{}/{}/{}@{}", r.at("name").get<std::string>(), r.at("backend").get<std::string>(),
                  r.at("precision").get<std::string>(), domain_text(r));
  // A solver's problem and limits are at the end of the case name.
  const std::string text = r.at("case");
  if (const auto at = text.find(';'); at != std::string::npos) name += text.substr(at);
  return name;
}

Candidate candidate_of(const Json& record) {
  return {record.at("method"), config_from_json(record.value("config", Json::object()))};
}

bool before(const Json& a, const Json& b) {
  const Candidate one = candidate_of(a), other = candidate_of(b);
  return one.method != other.method ? one.method < other.method : one.config.values() < other.config.values();
}

Evaluation evaluation_of(const Json& record) {
  const CaseResult result = record_from_json(record).result;
  Evaluation e{trial_status(result), result.reason, {}, setup_seconds(result), 0};
  if (e.status != TrialStatus::ok) return e;
  e.samples = record.at("time").at("samples").get<std::vector<double>>();
  e.measuring_seconds =
      double(e.samples.size()) * median(e.samples) * record["time"].value("steps_per_sample", 1.0);
  return e;
}

RecordedSpace space_of(const std::string& name, std::vector<Json> records, const Json& environment) {
  std::sort(records.begin(), records.end(), before);
  std::vector<Candidate> candidates;
  std::vector<Evaluation> evaluations;
  std::size_t fallback = 0;
  for (const Json& r : records) {
    if (r.value("tuning", Json::object()).value("default", false)) fallback = candidates.size();
    candidates.push_back(candidate_of(r));
    evaluations.push_back(evaluation_of(r));
  }
  return {name, SearchSpace(std::move(candidates), fallback), std::move(records), std::move(evaluations),
          environment};
}

}  // namespace

RecordedSpaces read_spaces(const std::string& path) {
  const RecordFile file = read_records(path);
  RecordedSpaces found;
  found.warnings = file.warnings;
  std::map<std::string, Json> environments;                 // by id
  std::vector<std::string> names;                           // names of spaces, in file order
  std::map<std::string, std::map<std::string, Json>> last;  // last record by space and candidate
  for (const Json& line : file.lines) {
    if (line["type"] == "environment") environments[line.value("id", "")] = line;
    if (line["type"] != "record") continue;
    if (trial_status(record_from_json(line).result) == TrialStatus::constraint) continue;
    const std::string name = space_name(line);
    if (!last.contains(name)) names.push_back(name);
    last[name][candidate_text(candidate_of(line))] = line;
  }
  for (const std::string& name : names) {
    std::vector<Json> records;
    for (const auto& [candidate, record] : last[name]) records.push_back(record);
    RecordedSpace space = space_of(name, records, environments[records.front().value("environment", "")]);
    if (recorded_best(space) < space.space.size()) found.spaces.push_back(std::move(space));
  }
  if (found.spaces.empty()) throw std::invalid_argument(fmt::format("{}: no record has a time", path));
  return found;
}

double recorded_median(const RecordedSpace& s, std::size_t candidate) {
  const std::vector<double>& samples = s.evaluations.at(candidate).samples;
  return samples.empty() ? std::numeric_limits<double>::infinity() : median(samples);
}

std::size_t recorded_best(const RecordedSpace& s) {
  std::size_t best = s.space.size();
  for (std::size_t n = 0; n < s.space.size(); ++n)
    if (!s.evaluations[n].samples.empty() &&
        (best == s.space.size() || recorded_median(s, n) < recorded_median(s, best)))
      best = n;
  return best;
}

double exhaustive_seconds(const RecordedSpace& s, int samples) {
  double seconds = 0;
  for (const Evaluation& e : s.evaluations)
    if (!e.samples.empty()) seconds += samples * e.measuring_seconds / double(e.samples.size());
  return seconds;
}

Replay replay(const RecordedSpace& s, const std::string& strategy, const SearchOptions& options) {
  // The draws use another random stream than the search's own choices.
  Search search(s.space, Simulation(s.evaluations, options.seed + 0x9e3779b97f4a7c15), options);
  find_strategy(strategy).run(search);
  Replay r{search.evaluations(), search.trace(), {}, 0, 0};
  for (const Evaluation& e : r.evaluations)
    r.measuring_seconds += e.measuring_seconds, r.setup_seconds += e.setup_seconds;
  const auto choice = choose(s.space, r.evaluations);
  if (!choice)
    throw std::runtime_error(fmt::format("{}: strategy {} finds no config with a time", s.name, strategy));
  r.choice = *choice;
  return r;
}

StrategyScore score(const RecordedSpace& s, const std::string& strategy, int replays) {
  const double best = recorded_median(s, recorded_best(s)), all = exhaustive_seconds(s);
  StrategyScore result{strategy, replays, 0, 1, 0};
  for (int seed = 1; seed <= replays; ++seed) {
    SearchOptions options;
    options.seed = std::uint64_t(seed);
    const Replay r = replay(s, strategy, options);
    const double ratio = recorded_median(s, r.choice.winner) / best;
    result.within_2_percent += ratio <= 1.02;
    result.worst = std::max(result.worst, ratio);
    result.cost = std::max(result.cost, r.measuring_seconds / all);
  }
  return result;
}

}  // namespace cfdmark::tuning
