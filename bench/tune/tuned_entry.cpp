// The entry of a tuned table: the answer with its evidence (results/README.md, tuned tables).
#include <algorithm>
#include <map>

#include "bench/catalog/source_hash.hpp"
#include "bench/record/config_json.hpp"
#include "bench/record/interval_json.hpp"
#include "bench/tune/across_sizes.hpp"
#include "bench/tune/resident_limit.hpp"
#include "bench/tune/runner.hpp"
#include "bench/tune/tune.hpp"

namespace cfdmark::tuning {
namespace {

Json choice_json(const TuneAnswer& a, std::size_t c, const ProcessSamples& processes) {
  Json json = {{"method", a.space.space[c].method}, {"config", config_json(a.space.space[c].config)}};
  std::size_t samples = 0;
  for (const auto& p : processes) samples += p.size();
  if (samples == 0) return json;
  const MedianInterval interval = median_interval(processes);
  json["median"] = interval.median;
  add_interval(json, interval, "ci_low", "ci_high");
  json["samples"] = samples;
  return json;
}

// Uses the search samples unless the confirming processes took more: a candidate proposed by another size may
// have few.
Json choice_json(const TuneAnswer& a, std::size_t c) {
  const std::vector<double>& searched = a.evaluations[c].samples;
  std::size_t fresh = 0;
  for (const auto& p : a.fresh[c]) fresh += p.size();
  if (searched.size() >= fresh && !searched.empty()) return choice_json(a, c, {searched});
  return choice_json(a, c, a.fresh[c]);
}

// Uses the confirming processes, or the search if there were none.
Json fresh_json(const TuneAnswer& a, std::size_t c) {
  return a.fresh[c].empty() ? choice_json(a, c) : choice_json(a, c, a.fresh[c]);
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
          {"measuring_seconds", measuring}, {"configs", by_status}, {"samples", samples}};
}

Json gain_json(const Gain& gain) {
  Json json = {{"value", gain.value}};
  if (gain.low) json["low"] = *gain.low, json["high"] = *gain.high;
  return json;
}

Json confirmation_json(const Confirmation& c) {
  if (c.winner.empty()) return {{"processes", 0}};
  Json json = {{"processes", c.winner.size()}};
  const auto add = [&](const char* of, const MedianInterval& median) {
    json[of] = {{"median", median.median}};
    add_interval(json[of], median, "ci_low", "ci_high");
  };
  add("default", median_interval(c.fallback));
  add("fastest", median_interval(c.winner));
  return json;
}

Json grid_json(const Grid& g) {
  Json grid = {g.nx, g.ny};
  if (g.is_3d()) grid.push_back(g.nz);
  return grid;
}

// Returns the candidate with the least time in the confirming processes; the winner if there were none.
std::size_t best_of(const TuneAnswer& a, std::size_t winner) {
  std::size_t best = winner;
  for (std::size_t c = 0; c < a.fresh.size(); ++c)
    if (!a.fresh[c].empty() &&
        (a.fresh[best].empty() || median_interval(a.fresh[c]).median < median_interval(a.fresh[best]).median))
      best = c;
  return best;
}

// Returns seconds per step of the fastest candidates of the search and of all confirmed ones, without
// `winner` and `fallback`, which the entry holds already. They show what another device's layout costs here,
// and which layouts are nearly as good.
Json measured_json(const TuneAnswer& a, std::size_t winner, std::size_t fallback) {
  constexpr std::size_t most = 12;
  std::vector<std::size_t> fastest = fastest_of(a);
  fastest.resize(std::min(most, fastest.size()));
  Json seconds = Json::object();
  for (const std::size_t c : fastest)
    seconds[candidate_text(a.space.space[c])] = median(a.evaluations[c].samples);
  for (std::size_t c = 0; c < a.fresh.size(); ++c)
    if (!a.fresh[c].empty()) seconds[candidate_text(a.space.space[c])] = median_interval(a.fresh[c]).median;
  for (const std::size_t c : {winner, fallback}) seconds.erase(candidate_text(a.space.space[c]));
  return seconds;
}

Json objective_json(const ObjectiveSize& size) {
  Json json = {{"over_least_time", size.over_least_time}};
  if (size.winner) json["winner"] = *size.winner;
  if (size.fallback) json["default"] = *size.fallback;
  return json;
}

Json size_json(const TuneAnswer& a, const Candidate& winner, const TuneOptions& options) {
  const std::size_t fallback = a.space.space.fallback(), use = place_of(a, winner);
  const Json best = fresh_json(a, best_of(a, use));
  Json json = {{"grid", grid_json(a.space.cases.front().domain.box())},
               {"winner", fresh_json(a, use)},
               {"default", fresh_json(a, fallback)}};
  if (json["winner"].contains("median") && best.contains("median"))
    json["regret"] = json["winner"]["median"].get<double>() / best["median"].get<double>();
  if (options.objective == Objective::time && json.contains("regret"))
    if (const auto seen = unconfirmed(json["regret"], seen_regret(a, winner)))
      json["unconfirmed_regret"] = *seen;
  if (const auto gain = gain_there(a, a.space.space[fallback], winner)) json["gain"] = gain_json(*gain);
  json["measured"] = measured_json(a, use, fallback);
  if (options.objective != Objective::time)
    json["objective"] = objective_json(objective_size(a, winner, options.objective));
  if (a.weight != 1) json["weight"] = a.weight;
  if (a.is_between) json["between"] = true;
  if (few_were_tried(a)) json["tried"] = tried(a);
  if (options.against) {
    json["against"] = fresh_json(a, place_of(a, *options.against));
    if (const auto gain = gain_there(a, *options.against, winner)) json["against"]["gain"] = gain_json(*gain);
  }
  return json;
}

// Returns the range of the answer and its evidence at each size.
Json range_json(const TuneResult& result, const TuneRange& range, const TuneOptions& options) {
  const SizeRange& r = range.sizes;
  Json json = {{"least_cells", r.least_cells}, {"most_cells", r.most_cells}, {"regret", r.regret}};
  if (const auto seen = unconfirmed_regret(result, range); seen && options.objective == Objective::time)
    json["unconfirmed_regret"] = *seen;
  json["sizes"] = Json::array();
  if (options.one_answer) json["mean_regret"] = r.mean_regret;
  if (!range.regime.empty()) json["regime"] = range.regime;
  for (std::size_t n = r.first; n <= r.last; ++n)
    json["sizes"].push_back(size_json(result.answers[n], range.winner, options));
  return json;
}

}  // namespace

Json tuned_entry(const TuneResult& result, const TuneRange& range, const TuneOptions& options) {
  const TuneAnswer& a = told_at(result, range);
  const Selection& choice = a.choice.value();
  const std::size_t winner = place_of(a, range.winner), fallback = a.space.space.fallback();
  const Case& c = a.space.cases[winner];
  const Row& row = *c.row;
  Json entry = {
      {"kind", to_string(row.kind)},           {"name", row.name},       {"backend", to_string(row.backend)},
      {"precision", to_string(row.precision)}, {"scope", options.scope}, {"grid", grid_json(c.domain.box())}};
  if (!c.workload.empty()) entry["workload"] = config_json(c.workload);
  if (options.objective != Objective::time) entry["objective"] = to_string(options.objective);
  entry["range"] = range_json(result, range, options);
  entry["winner"] = choice_json(a, winner);
  if (const auto most = most_blocks(a, winner, result.environment)) entry["winner"]["most_blocks"] = *most;
  entry["default"] = choice_json(a, fallback);
  const bool is_its_own = winner == choice.winner;  // same as the answer of this size alone
  if (const auto gain = is_its_own ? choice.gain : gain_there(a, a.space.space[fallback], range.winner))
    entry["gain"] = gain_json(*gain);
  if (is_its_own ? a.confirmation.has_value() : !a.fresh[winner].empty())
    entry["confirmation"] =
        confirmation_json(is_its_own ? *a.confirmation : Confirmation{a.fresh[fallback], a.fresh[winner]});
  entry["rule"] = is_its_own && range.sizes.first == range.sizes.last && options.objective == Objective::time
                      ? choice.rule
                      : range.sizes.rule;
  if (const std::string why = reason_of(result, range); !why.empty()) entry["reason"] = why;
  entry["ties"] = Json::object();
  for (const std::size_t tie : choice.ties)
    if (tie != winner)
      entry["ties"][candidate_text(a.space.space[tie])] = choice_json(a, tie).value("median", Json());
  entry["source_hash"] = source_hash(row);
  if (!result.device.driver.empty()) entry["driver"] = result.device.driver;
  entry["compiler"] = result.device.compiler;
  for (const char* fact : {"version", "fingerprint", "commit", "dirty"})
    if (const Json& program = result.environment.at("program"); program.contains(fact))
      entry["program"][fact] = program[fact];
  entry["time"] = result.environment.at("time");
  entry["search"] = search_json(a, options);
  for (const Grid& grid : result.left_out) entry["search"]["left_out"].push_back(grid_json(grid));
  return entry;
}

}  // namespace cfdmark::tuning
