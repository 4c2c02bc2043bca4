// What is kept of a tune: the answer with its evidence (results/README.md, tuned tables).
#include <map>

#include "bench/catalog/source_hash.hpp"
#include "bench/record/config_json.hpp"
#include "bench/tune/runner.hpp"
#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {
namespace {

Json choice_json(const TuneAnswer& a, std::size_t c) {
  Json json = {{"method", a.space.space[c].method}, {"config", config_json(a.space.space[c].config)}};
  const std::vector<double>& samples = a.evaluations[c].samples;
  if (samples.empty()) return json;
  const MedianInterval interval = median_interval(samples);
  json["median"] = interval.median;
  if (samples.size() > 1) json["ci_low"] = interval.low, json["ci_high"] = interval.high;
  json["samples"] = samples.size();
  return json;
}

Json search_json(const TuneAnswer& a, const TuneOptions& options) {
  std::map<std::string, std::size_t> by_status;
  std::size_t samples = 0;
  double measuring = 0;
  for (const Evaluation& e : a.evaluations) {
    ++by_status[std::string(to_string(e.status))];
    samples += e.samples.size();
    measuring += e.measuring_seconds;
  }
  if (!a.space.excluded.empty()) by_status["constraint"] += a.space.excluded.size();
  return {{"strategy", options.strategy},   {"seed", options.seed}, {"seconds", a.seconds},
          {"measuring_seconds", measuring}, {"configs", by_status}, {"samples", samples},
          {"records", options.output}};
}

Json gain_json(const Gain& gain) {
  Json json = {{"value", gain.value}};
  if (gain.low) json["low"] = *gain.low, json["high"] = *gain.high;
  return json;
}

Json confirmation_json(const Confirmation& c) {
  if (c.winner.empty()) return {{"processes", 0}};
  const MedianInterval fallback = median_interval(c.fallback), winner = median_interval(c.winner);
  return {{"processes", c.winner.size()},
          {"default", {{"median", fallback.median}, {"ci_low", fallback.low}, {"ci_high", fallback.high}}},
          {"fastest", {{"median", winner.median}, {"ci_low", winner.low}, {"ci_high", winner.high}}}};
}

}  // namespace

Json tuned_entry(const TuneResult& result, const TuneAnswer& a, const TuneOptions& options) {
  const Selection& choice = a.choice.value();
  const Case& c = a.space.cases[choice.winner];
  const Row& row = *c.row;
  Json grid = {c.grid.nx, c.grid.ny};
  if (c.grid.is_3d()) grid.push_back(c.grid.nz);
  Json entry = {
      {"kind", to_string(row.kind)},           {"name", row.name},       {"backend", to_string(row.backend)},
      {"precision", to_string(row.precision)}, {"scope", options.scope}, {"grid", grid}};
  if (!c.question.empty()) entry["question"] = config_json(c.question);
  entry["winner"] = choice_json(a, choice.winner);
  entry["default"] = choice_json(a, a.space.space.fallback());
  if (choice.gain) entry["gain"] = gain_json(*choice.gain);
  if (a.confirmation) entry["confirmation"] = confirmation_json(*a.confirmation);
  entry["rule"] = choice.rule;
  entry["ties"] = Json::array();
  for (const std::size_t tie : choice.ties)
    if (tie != choice.winner) entry["ties"].push_back(choice_json(a, tie));
  entry["source_hash"] = source_hash(row);
  if (!result.device.driver.empty()) entry["driver"] = result.device.driver;
  entry["compiler"] = result.device.compiler;
  for (const char* fact : {"version", "fingerprint", "commit", "dirty"})
    if (const Json& program = result.environment.at("program"); program.contains(fact))
      entry["program"][fact] = program[fact];
  entry["time"] = result.environment.at("time");
  entry["search"] = search_json(a, options);
  return entry;
}

}  // namespace cfdmark::tuning
