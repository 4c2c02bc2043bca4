#include "bench/record/record_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/record/record.hpp"
#include "bench/text/printable.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark {
namespace {

constexpr int deepest = 64;
constexpr double median_tolerance = 1e-6;  // files hold seven digits

[[gnu::cold]] void expect(bool condition, const std::string& message) {
  if (!condition) throw BadLine(message);
}

// Checks that a value lies within its own interval, if it has one.
void check_between(const Json& holder, const std::string& path, const char* low, const char* value,
                   const char* high) {
  if (holder.contains(low) && holder.contains(value) && holder.contains(high))
    expect(holder[low] <= holder[value] && holder[value] <= holder[high],
           fmt::format("`{0}.{1}` does not lie between `{0}.{2}` and `{0}.{3}`", path, value, low, high));
}

void check_time(const Json& record) {
  const Json& time = record["time"];
  const auto processes = process_samples(record);
  expect(processes.has_value(), "`time.processes` does not count `time.samples`");
  const double stated = time["median"], middle = median_interval(*processes).median;
  expect(std::abs(stated - middle) <= median_tolerance * middle,
         "`time.median` is not that of `time.samples`");
  check_between(time, "time", "ci_low", "median", "ci_high");
}

// Checks that precision and domain agree with the case's name, .../PRECISION/METHOD@DOMAIN.
void check_case(const Json& record) {
  const std::string& name = record["case"].get_ref<const std::string&>();
  const std::size_t at = name.find('@');
  const bool has_domain = at != std::string::npos;
  const std::string grid = has_domain ? name.substr(at + 1, name.find_first_of(":;", at) - at - 1) : "";
  for (const char* kind : {"mesh", "matrix"}) {
    if (!record.contains(kind)) continue;
    expect(!record.contains("grid"), fmt::format("there are both `grid` and `{}`", kind));
    expect(record.contains("nodes"), fmt::format("`nodes` is missing, which a {} needs", kind));
    expect(grid == record[kind].get_ref<const std::string&>(),
           fmt::format("`{}` is not that of `case`", kind));
  }
  if (!record.contains("grid")) return;
  const std::size_t method = name.rfind('/', at);
  if (!has_domain || method == std::string::npos || method == 0) return;
  const std::size_t precision = name.rfind('/', method - 1);
  if (precision == std::string::npos) return;
  if (grid.empty() || grid.find_first_not_of("0123456789x") != std::string::npos) return;
  expect(name.compare(precision + 1, method - precision - 1,
                      record["precision"].get_ref<const std::string&>()) == 0,
         "`precision` is not that of `case`");
  std::string sides;
  for (const Json& side : record["grid"])
    sides += fmt::format("{}{}", sides.empty() ? "" : "x", side.get<int>());
  expect(grid == sides, "`grid` is not that of `case`");
}

// Checks that a record is consistent in itself.
void check_consistent(const Json& record) {
  expect(record.contains("grid") || record.contains("mesh") || record.contains("matrix"),
         "`grid` is missing");
  expect(!record.contains("mesh") || !record.contains("matrix"), "there are both `mesh` and `matrix`");
  check_case(record);
  double points = 1;
  for (const Json& side : record.value("grid", Json::array())) points *= side.get<double>();
  if (record.contains("nodes") && record.contains("grid"))
    expect(record["nodes"].get<double>() == points, "`nodes` is not the number of points of `grid`");
  if (record["status"] != "ok") return;
  expect(record.contains("time"), "`time` is missing, but `status` is ok");
  expect(record.value("/verification/passed"_json_pointer, true),
         "`verification.passed` is false, but `status` is ok");
  check_time(record);
  check_between(record.value("roof", Json::object()), "roof", "low", "bytes_per_second", "high");
}

}  // namespace

Json cleaned(Json value) {
  if (value.is_string()) return printable(value.get_ref<const std::string&>());
  if (value.is_array())
    for (Json& member : value)
      if (member.is_structured() || member.is_string()) member = cleaned(std::move(member));
  if (!value.is_object()) return value;
  Json clean = Json::object();
  for (auto& [name, member] : value.items())
    if (!member.is_null()) clean[printable(name)] = cleaned(std::move(member));
  return clean;
}

Json checked(const JsonForm& form, Json value) {
  value = cleaned(std::move(value));
  const std::string problem = form.problem_of(value);
  expect(problem.empty(), problem);
  return value;
}

Json checked_line(const std::string& text) {
  int depth = 0;
  const auto look = [&](int inside, Json::parse_event_t, const Json&) {
    depth = std::max(depth, inside);
    return true;
  };
  Json line = Json::parse(text, look, false);
  // The parser treats a zero byte as the end and ignores text after it.
  expect(!line.is_discarded() && text.find('\0') == std::string::npos,
         "not JSON, perhaps a write that was cut off");
  expect(depth <= deepest, fmt::format("it is nested deeper than {} levels", deepest));
  return checked_line(std::move(line));
}

Json checked_line(Json line) {
  expect(line.is_object(), "not a JSON object");
  const Json type = line.value("type", Json());
  expect(type == "environment" || type == "record", "`type` must be environment or record");
  const Json schema = line.value("schema", Json());
  if (type == "record" && schema != 2)
    throw UnknownSchema(fmt::format("schema {} is unknown, this program reads schema 2", one_line(schema)));
  static const JsonForm environment_form(record_schema, "environment"), record_form(record_schema, "record");
  line = checked(type == "record" ? record_form : environment_form, std::move(line));
  if (type == "record") check_consistent(line);
  return line;
}

}  // namespace cfdmark
