#include "bench/run/run_plan.hpp"

#include <fmt/format.h>

#include <set>

namespace cfdmark {
namespace {

// The part of an environment that is equal in records which one file may hold.
Json made_by(const Json& environment) {
  return {environment.value("program", Json()),
          environment.value("host", Json::object()).value("name_hash", "")};
}

std::string group_name(const Case& c) {
  std::string name = fmt::format("{} {} {}", to_string(c.row->kind), c.row->name, grid_text(c.grid));
  for (const char* asked : {"problem", "operator"})
    if (c.question.has(asked)) name += " " + c.question.word(asked);
  return name;
}

}  // namespace

EarlierRecords::EarlierRecords(const std::vector<Json>& lines, const Json& here) {
  std::set<std::string> ours;
  std::map<std::string, Json> latest;
  for (const Json& line : lines)
    if (line["type"] == "environment") {
      if (made_by(line) == made_by(here)) ours.insert(line.value("id", ""));
    } else if (line["type"] == "record") {
      latest[line.value("case", "")] = line;
    }
  const std::size_t all = latest.size();
  std::erase_if(latest,
                [&](const auto& entry) { return !ours.contains(entry.second.value("environment", "")); });
  elsewhere_ = all - latest.size();
  records_ = std::move(latest);
}

const Json* EarlierRecords::find(const Case& c) const {
  const auto found = records_.find(case_name(c));
  return found == records_.end() ? nullptr : &found->second;
}

bool EarlierRecords::done(const Case& c) const {
  const Json* record = find(c);
  if (!record) return false;
  const std::string status = record->value("status", "");
  return status == "ok" || status == "failed";
}

bool EarlierRecords::not_run_as_before(const Case& c) const {
  const Json* record = find(c);
  return record && record->value("status", "") == "not_run" && record->value("reason", "") == c.not_run;
}

std::size_t RunPlan::to_measure() const {
  std::size_t count = 0;
  for (const auto& group : groups) count += group.size();
  return count;
}

RunPlan make_plan(const std::vector<Case>& cases, const EarlierRecords& earlier) {
  RunPlan plan;
  std::map<std::string, std::size_t> open;  // group that takes further cases, by name
  for (const Case& c : cases) {
    if (!c.not_run.empty()) {
      if (!earlier.not_run_as_before(c)) plan.not_run.push_back(c);
    } else if (earlier.done(c)) {
      ++plan.done;
    } else {
      const std::string name = group_name(c);
      const auto found = open.find(name);
      if (found == open.end() || plan.groups[found->second].size() == largest_group) {
        open[name] = plan.groups.size();
        plan.groups.emplace_back();
      }
      plan.groups[open[name]].push_back(c);
    }
  }
  return plan;
}

}  // namespace cfdmark
