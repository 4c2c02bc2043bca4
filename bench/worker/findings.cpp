#include "bench/worker/findings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "bench/measure/ceilings.hpp"
#include "bench/record/interval_json.hpp"
#include "bench/text/duration.hpp"

namespace cfdmark {
namespace {

constexpr std::size_t most_wrong = 5;  // number of failed cases to list

bool is_solver(const Record& record) { return record.id.kind == "solver"; }

// Time of a solver's iteration or a kernel's step, with its interval, or the range of the samples if these
// are too few for an interval.
struct Time {
  double low, median, high;
};

Time time_of(const Record& record) {
  const MedianInterval& step = record.derived->step;
  const double share =
      is_solver(record) ? record.derived->time_per_iteration.value_or(step.median) / step.median : 1;
  if (has_interval(step)) return {step.low * share, step.median * share, step.high * share};
  Time time{step.median * share, step.median * share, step.median * share};
  for (const std::vector<double>& of_process : record.result.samples)
    for (const double s : of_process)
      time.low = std::min(time.low, s * share), time.high = std::max(time.high, s * share);
  return time;
}

double nodes_of(const Record& record) {
  if (record.id.grid.empty()) return double(record.id.nodes);
  double nodes = 1;
  for (const int side : record.id.grid) nodes *= side;
  return nodes;
}

std::string row_of(const Record& record) { return fmt::format("{}/{}", record.id.backend, record.id.method); }

std::string domain_of(const Record& record) {
  return record.id.grid.empty() ? record.id.mesh + record.id.matrix  // one of them is empty
                                : fmt::format("{}", fmt::join(record.id.grid, "x"));
}

// Returns the records in fp64, if there are any, on the largest grid, fastest first.
std::vector<Record> contestants(std::vector<Record> records) {
  const auto in_64_bits = [](const Record& r) { return r.id.precision == "fp64"; };
  if (std::any_of(records.begin(), records.end(), in_64_bits))
    std::erase_if(records, [&](const Record& r) { return !in_64_bits(r); });
  double largest = 0;
  for (const Record& r : records) largest = std::max(largest, nodes_of(r));
  std::erase_if(records, [&](const Record& r) { return nodes_of(r) < largest; });
  std::stable_sort(records.begin(), records.end(),
                   [](const Record& a, const Record& b) { return time_of(a).median < time_of(b).median; });
  return records;
}

std::string fastest_line(const std::vector<Record>& records) {
  const Record& best = records.front();
  std::set<std::string> as_fast;
  for (const Record& r : records)
    if (row_of(r) != row_of(best) && time_of(r).low <= time_of(best).high) as_fast.insert(row_of(r));
  std::string tie;
  for (const std::string& row : as_fast) tie += (tie.empty() ? ", a tie with " : ", ") + row;
  const std::size_t samples = best.result.sample_count();
  const std::string few = has_interval(best.derived->step)
                              ? ""
                              : fmt::format(", from {} {}", samples, samples == 1 ? "sample" : "samples");
  return fmt::format("  {:<20} {:>12} {:>5} {:>9} {}  {}{}{}\n", best.id.row, domain_of(best),
                     best.id.precision, seconds_text(time_of(best).median),
                     is_solver(best) ? "per iteration" : "per step     ", row_of(best), tie, few);
}

std::string fastest_text(const std::vector<Record>& records) {
  std::map<std::pair<bool, std::string>, std::vector<Record>> groups;  // solvers first
  for (const Record& r : records)
    if (r.derived) groups[{!is_solver(r), r.id.row}].push_back(r);
  std::string text;
  for (const auto& [_, group] : groups) text += fastest_line(contestants(group));
  return text.empty() ? "" : "fastest method of each solver and kernel, on its largest grid\n" + text;
}

std::string roof_text(const std::vector<Record>& records) {
  const Record* worst = nullptr;
  const auto share = [](const Record& r) { return *r.derived->roof_fraction; };
  for (const Record& r : records) {
    if (!r.derived || !r.result.cache || regime_of(*r.result.cache) != "memory" ||
        !r.derived->roof_fraction || share(r) > most_of_a_roof)
      continue;
    if (!worst || share(r) < share(*worst)) worst = &r;
  }
  if (!worst) return "";
  return fmt::format("smallest share of the roof, with fields in memory\n  {:.0f} %  {}\n",
                     100 * share(*worst), worst->label());
}

std::string wrong_text(const std::vector<Record>& records) {
  std::string text;
  std::size_t count = 0;
  for (const Record& r : records)
    if (!r.is_ok() && r.result.status != "not_run" && ++count <= most_wrong)
      text += fmt::format("  {:<8} {}: {}\n", r.result.status, r.label(), r.result.reason);
  if (count > most_wrong) text += fmt::format("  and {} more\n", count - most_wrong);
  return text.empty() ? "" : "failed\n" + text;
}

}  // namespace

std::string findings_text(const std::vector<Record>& records) {
  return fastest_text(records) + roof_text(records) + wrong_text(records);
}

}  // namespace cfdmark
