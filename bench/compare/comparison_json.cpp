#include <cmath>

#include "bench/compare/comparison_text.hpp"

namespace cfdmark::compare {
namespace {

// An infinite end of an interval cannot be written in JSON; the interval is then omitted.
Json ratio_json(const Ratio& r) {
  Json json = {{"ratio", r.ratio()}};
  const auto [low, high] = r.interval();
  if (std::isfinite(high)) json["low"] = low, json["high"] = high, json["confidence"] = 0.95;
  return json;
}

const char* direction_name(Direction direction) {
  return direction == Direction::worse ? "worse" : direction == Direction::better ? "better" : "unchanged";
}

Json case_json(const CaseComparison& c, bool strict) {
  Json json = {{"case", c.name},
               {"label", c.label},
               {"verdict", to_string(c.verdict)},
               {"regressed", c.regressed()},
               {"fails", c.fails(strict)}};
  if (!c.reason.empty()) json["reason"] = c.reason;
  if (c.verdict == Verdict::same) json["same_within"] = c.same_within;
  if (const std::string all = remarks(c); !all.empty()) json["remarks"] = all;
  if (c.ratio) {
    json["time"] = ratio_json(*c.ratio);
    json["time"].update({{"base", c.base_seconds}, {"new", c.now_seconds}, {"rounds", c.rounds}, {"p", c.p}});
  }
  if (c.control) json["control"] = ratio_json(*c.control);
  for (const QuantityChange& q : c.quantities)
    json["quantities"].push_back({{"name", q.quantity->name},
                                  {"base", q.base},
                                  {"new", q.now},
                                  {"direction", direction_name(q.direction)}});
  return json;
}

}  // namespace

Json comparison_json(const Comparison& c) {
  Json json = {{"type", "comparison"},
               {"schema", 2},
               {"base", c.base},
               {"new", c.now},
               {"smallest_effect", c.rule.smallest_effect},
               {"false_discoveries", c.rule.false_discoveries},
               {"widest_same", c.rule.widest_same},
               {"seed", c.seed},
               {"strict", c.strict},
               {"exit_status", exit_status(c)},
               {"conclusion", conclusion_text(c)},
               {"warnings", c.warnings}};
  if (!c.time.empty()) json["time"] = c.time;
  if (!c.host.empty()) json["host"] = c.host;
  if (c.control)
    json["control"] = {{"summary", control_text(c)},
                       {"moved", c.control->moved},
                       {"typical_effect", c.control->typical_effect},
                       {"visible_effect", c.control->visible_effect}};
  json["cases"] = Json::array();
  for (const CaseComparison& one : c.cases) json["cases"].push_back(case_json(one, c.strict));
  return json;
}

}  // namespace cfdmark::compare
