#include "bench/case/case.hpp"

#include <fmt/format.h>

#include "bench/case/ranked_case.hpp"
#include "bench/case/row_settings.hpp"

namespace cfdmark {

namespace {

std::string name_with(const Case& c, const Config& config, const Config& workload) {
  return fmt::format("{}@{}{}{}{}{}", row_name(*c.row, c.device), c.domain.text(), config.empty() ? "" : ":",
                     config.text(), workload.empty() ? "" : ";", workload.text());
}

// Returns the defaults for the problem of a case, with the row's first problem as the default problem.
Config unasked(const Case& c) {
  Config workload =
      workload_space(*c.row, c.workload.has("problem") ? c.workload.choice("problem") : "").defaults();
  if (!c.row->problems.empty()) workload.set("problem", c.row->problems.front().name);
  return workload;
}

}  // namespace

std::string case_name(const Case& c) { return name_with(c, c.config, c.workload); }

std::string short_name(const Case& c) {
  Config defaults = row_on_ranks(c)->space.defaults();
  defaults.set("partition", usual_partition(c.row->runs_on));
  return name_with(c, c.config.differing_from(defaults), c.workload.differing_from(unasked(c)));
}

}  // namespace cfdmark
