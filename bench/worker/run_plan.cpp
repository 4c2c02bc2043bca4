#include "bench/worker/run_plan.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

namespace cfdmark {
namespace {

std::string group_name(const Case& c) {
  std::string name = fmt::format("{} {} {}", to_string(c.row->kind), c.row->name, c.domain.text());
  for (const char* asked : {"problem", "operator", "numbering"})
    if (c.workload.has(asked)) name += " " + c.workload.choice(asked);
  return name;
}

}  // namespace

std::size_t RunPlan::to_measure() const {
  std::size_t count = 0;
  for (const CaseGroup& group : groups) count += group.size();
  return count;
}

RunPlan make_plan(const std::vector<Case>& cases, const EarlierRecords& earlier) {
  RunPlan plan;
  CaseGroup to_measure;
  for (std::size_t n = 0; n < cases.size(); ++n) {
    const Case& c = cases[n];
    if (!c.not_run.empty()) {
      if (!earlier.not_run_as_before(c)) plan.not_run.push_back(n);
    } else if (earlier.done(c)) {
      ++plan.done;
    } else {
      to_measure.push_back(n);
    }
  }
  plan.groups = groups_to_measure(cases, to_measure);
  return plan;
}

std::vector<CaseGroup> groups_to_measure(const std::vector<Case>& cases, const CaseGroup& these) {
  std::vector<CaseGroup> groups;
  std::map<std::string, std::size_t> open;  // index of the group that takes further cases, by name
  for (const std::size_t n : these) {
    const std::string name = group_name(cases[n]);
    const auto found = open.find(name);
    if (found == open.end() || groups[found->second].size() == largest_group) {
      open[name] = groups.size();
      groups.emplace_back();
    }
    groups[open[name]].push_back(n);
  }
  return groups;
}

}  // namespace cfdmark
