#include "bench/worker/findings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "bench/measure/ceilings.hpp"
#include "bench/record/record.hpp"
#include "bench/text/duration.hpp"

namespace cfdmark {
namespace {

constexpr std::size_t most_wrong = 5;  // number of failed cases to list

bool is_ok(const Json& record) { return record.at("status") == "ok"; }

// Time of a solver's iteration or a kernel's step, with its interval, or the range of the samples if these
// are too few for an interval.
struct Time {
  double low, median, high;
};

bool has_interval(const Json& record) { return record.at("time").contains("ci_low"); }

Time time_of(const Json& record) {
  const Json& time = record.at("time");
  const double median = time.at("median");
  const double share =
      record.at("kind") == "solver" ? record.at("solver").at("time_per_iteration").get<double>() / median : 1;
  if (has_interval(record))
    return {time["ci_low"].get<double>() * share, median * share, time["ci_high"].get<double>() * share};
  const std::vector<double> samples = time.value("samples", std::vector<double>{median});
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  return {*least * share, median * share, *most * share};
}

double nodes_of(const Json& record) {
  double nodes = 1;
  for (const Json& side : record.at("grid")) nodes *= side.get<double>();
  return nodes;
}

std::string row_of(const Json& record) {
  return fmt::format("{}/{}", record.at("backend").get<std::string>(),
                     record.at("method").get<std::string>());
}

std::string grid_of(const Json& record) {
  std::string text;
  for (const Json& side : record.at("grid"))
    text += fmt::format("{}{}", text.empty() ? "" : "x", side.get<std::size_t>());
  return text;
}

// Returns the records in fp64, if there are any, on the largest grid, fastest first.
std::vector<Json> contestants(std::vector<Json> records) {
  const auto in_64_bits = [](const Json& r) { return r.at("precision") == "fp64"; };
  if (std::any_of(records.begin(), records.end(), in_64_bits))
    std::erase_if(records, [&](const Json& r) { return !in_64_bits(r); });
  double largest = 0;
  for (const Json& r : records) largest = std::max(largest, nodes_of(r));
  std::erase_if(records, [&](const Json& r) { return nodes_of(r) < largest; });
  std::stable_sort(records.begin(), records.end(),
                   [](const Json& a, const Json& b) { return time_of(a).median < time_of(b).median; });
  return records;
}

std::string fastest_line(const std::vector<Json>& records) {
  const Json& best = records.front();
  std::set<std::string> as_fast;
  for (const Json& r : records)
    if (row_of(r) != row_of(best) && time_of(r).low <= time_of(best).high) as_fast.insert(row_of(r));
  std::string tie;
  for (const std::string& row : as_fast) tie += (tie.empty() ? ", a tie with " : ", ") + row;
  const std::size_t samples = best.at("time").value("samples", Json::array()).size();
  const std::string few =
      has_interval(best) ? "" : fmt::format(", from {} {}", samples, samples == 1 ? "sample" : "samples");
  return fmt::format("  {:<20} {:>12} {:>5} {:>9} {}  {}{}{}\n", best.at("name").get<std::string>(),
                     grid_of(best), best.at("precision").get<std::string>(),
                     seconds_text(time_of(best).median),
                     best.at("kind") == "solver" ? "per iteration" : "per step     ", row_of(best), tie, few);
}

std::string fastest_text(const std::vector<Json>& records) {
  std::map<std::pair<bool, std::string>, std::vector<Json>> groups;  // solvers first
  for (const Json& r : records)
    if (is_ok(r)) groups[{r.at("kind") != "solver", r.at("name")}].push_back(r);
  std::string text;
  for (const auto& [_, group] : groups) text += fastest_line(contestants(group));
  return text.empty() ? "" : "fastest method of each solver and kernel, on its largest grid\n" + text;
}

std::string roof_text(const std::vector<Json>& records) {
  const Json* worst = nullptr;
  const auto share = [](const Json& r) { return r.at("rate").at("roof_fraction").get<double>(); };
  for (const Json& r : records) {
    if (!is_ok(r) || r.value("/cache/regime"_json_pointer, "") != "memory" || !r.contains("rate") ||
        !r["rate"].contains("roof_fraction") || !r["rate"]["roof_fraction"].is_number() ||
        share(r) > most_of_a_roof)
      continue;
    if (!worst || share(r) < share(*worst)) worst = &r;
  }
  if (!worst) return "";
  return fmt::format("smallest share of the roof, with fields in memory\n  {:.0f} %  {}\n",
                     100 * share(*worst), label_of(*worst));
}

std::string wrong_text(const std::vector<Json>& records) {
  std::string text;
  std::size_t count = 0;
  for (const Json& r : records)
    if (!is_ok(r) && r.at("status") != "not_run" && ++count <= most_wrong)
      text += fmt::format("  {:<8} {}: {}\n", r.at("status").get<std::string>(), label_of(r),
                          r.value("reason", ""));
  if (count > most_wrong) text += fmt::format("  and {} more\n", count - most_wrong);
  return text.empty() ? "" : "failed\n" + text;
}

}  // namespace

std::string findings_text(const std::vector<Json>& records) {
  return fastest_text(records) + roof_text(records) + wrong_text(records);
}

}  // namespace cfdmark
