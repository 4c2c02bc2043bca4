#include "bench/worker/run_plan.hpp"

#include <fmt/format.h>

#include <tuple>

#include "bench/device_facts/machine.hpp"
#include "bench/record/record.hpp"

namespace cfdmark {
namespace {

// Returns program, machine and threads; records that agree in these are interchangeable.
std::tuple<std::string, std::string, Json> made_by(const Json& environment, const Json& record) {
  const std::string backend = record.value("backend", "");
  return {environment.value("program", Json::object()).value("fingerprint", "unknown"),
          machine_of(environment, backend, record.value("device", Json::object()).value("index", 0)),
          threads_of(environment, backend)};
}

std::string group_name(const Case& c) {
  std::string name = fmt::format("{} {} {}", to_string(c.row->kind), c.row->name, grid_text(c.grid));
  for (const char* asked : {"problem", "operator"})
    if (c.workload.has(asked)) name += " " + c.workload.choice(asked);
  return name;
}

}  // namespace

EarlierRecords::EarlierRecords(const std::vector<Json>& lines, const Json& here) {
  std::map<std::string, Json> environments;
  for (const Json& line : lines)
    if (line["type"] == "environment")
      environments[line.value("id", "")] = line;
    else if (line["type"] == "record")
      records_[line.value("case", "")] = line;
  for (const auto& [name, record] : records_) newest_[name] = record.value("status", "");
  elsewhere_ = std::erase_if(records_, [&](const auto& entry) {
    const Json& record = entry.second;
    const auto there = environments.find(record.value("environment", ""));
    return there == environments.end() || made_by(there->second, record) != made_by(here, record);
  });
  std::erase_if(records_, [](const auto& entry) {
    return entry.second.value("status", "") == "ok" && !process_samples(entry.second);
  });
}

const Json* EarlierRecords::find(const Case& c) const {
  const auto found = records_.find(case_name(c));
  return found == records_.end() ? nullptr : &found->second;
}

bool EarlierRecords::done(const Case& c) const {
  const Json* record = find(c);
  return record && record->value("status", "") == "ok";
}

std::string EarlierRecords::newest_status(const Case& c) const {
  const auto found = newest_.find(case_name(c));
  return found == newest_.end() ? "" : found->second;
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
  std::vector<Case> to_measure;
  for (const Case& c : cases) {
    if (!c.not_run.empty()) {
      if (!earlier.not_run_as_before(c)) plan.not_run.push_back(c);
    } else if (earlier.done(c)) {
      ++plan.done;
    } else {
      to_measure.push_back(c);
    }
  }
  plan.groups = groups_to_measure(to_measure);
  return plan;
}

std::vector<std::vector<Case>> groups_to_measure(const std::vector<Case>& cases) {
  std::vector<std::vector<Case>> groups;
  std::map<std::string, std::size_t> open;  // index of the group that takes further cases, by name
  for (const Case& c : cases) {
    const std::string name = group_name(c);
    const auto found = open.find(name);
    if (found == open.end() || groups[found->second].size() == largest_group) {
      open[name] = groups.size();
      groups.emplace_back();
    }
    groups[open[name]].push_back(c);
  }
  return groups;
}

}  // namespace cfdmark
