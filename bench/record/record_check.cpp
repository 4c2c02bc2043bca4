#include "bench/record/record_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <sstream>

#include "bench/record/record.hpp"
#include "bench/record/record_schema.hpp"
#include "bench/text/printable.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark {
namespace {

constexpr int deepest = 64;
constexpr double median_tolerance = 1e-6;  // files hold seven digits

const Json& schemas() {
  static const Json parsed = Json::parse(record_schema);
  return parsed;
}

[[gnu::cold]] void expect(bool condition, const std::string& message) {
  if (!condition) throw BadLine(message);
}

bool is_whole(const Json& v) { return v.is_number_integer() && (v.is_number_unsigned() || v >= 0); }
bool is_side(const Json& n) { return is_whole(n) && n > 0 && n <= std::numeric_limits<int>::max(); }
bool are_sides(const Json& v, std::size_t least) {
  return v.is_array() && v.size() >= least && v.size() <= 3 && std::all_of(v.begin(), v.end(), is_side);
}

const std::map<std::string, std::function<bool(const Json&)>>& words() {
  static const std::map<std::string, std::function<bool(const Json&)>> all = {
      {"any", [](const Json&) { return true; }},
      {"text", [](const Json& v) { return v.is_string(); }},
      {"name", [](const Json& v) { return v.is_string() && v != ""; }},
      {"flag", [](const Json& v) { return v.is_boolean(); }},
      {"value", [](const Json& v) { return v.is_string() || v.is_number(); }},
      {"number", [](const Json& v) { return v.is_number(); }},
      {"measured", [](const Json& v) { return v.is_null() || v.is_number(); }},
      {"positive", [](const Json& v) { return v.is_number() && v >= 1e-30 && v <= 1e30; }},
      {"whole", is_whole},
      {"count", [](const Json& v) { return is_whole(v) && v != 0; }},  // `> 0` takes 2^63 for negative
      {"sides", [](const Json& v) { return are_sides(v, 1); }},
      {"grid", [](const Json& v) { return are_sides(v, 2); }}};
  return all;
}

bool is_one_of(const Json& value, const std::string& choices) {
  std::istringstream text(choices);
  for (std::string word; std::getline(text, word, '|');)
    if (value == word) return true;
  return false;
}

std::string with_or(std::string choices) {
  for (std::size_t at; (at = choices.find('|')) != std::string::npos;) choices.replace(at, 1, " or ");
  return choices;
}

void check(const Json& form, const Json& value, const std::string& path);

void check_members(const Json& form, const Json& value, const std::string& path) {
  const std::string inside = path.empty() ? "" : path + ".";
  if (form.contains("*"))
    for (const auto& [name, member] : value.items())
      if (!form.contains(name) && !form.contains(name + "?")) check(form["*"], member, inside + name);
  for (const auto& [key, member] : form.items()) {
    if (key == "*") continue;
    const bool optional = key.ends_with('?');
    const std::string name = optional ? key.substr(0, key.size() - 1) : key;
    if (const auto found = value.find(name); found != value.end())
      check(member, *found, inside + name);
    else
      expect(optional, fmt::format("`{}{}` is missing", inside, name));
  }
}

void check_word(const std::string& word, const Json& value, const std::string& path) {
  if (const auto known = words().find(word); known != words().end()) {
    if (!known->second(value))
      throw BadLine(fmt::format("`{}` must be {}", path, schemas()["words"][word].get<std::string>()));
  } else if (schemas().contains(word)) {
    check(schemas()[word], value, path);
  } else if (!is_one_of(value, word)) {
    throw BadLine(fmt::format("`{}` must be {}", path, with_or(word)));
  }
}

void check(const Json& form, const Json& value, const std::string& path) {
  if (form.is_string()) return check_word(form.get_ref<const std::string&>(), value, path);
  if (form.is_array()) {
    expect(value.is_array(), fmt::format("`{}` must be a list", path));
    for (std::size_t n = 0; n < value.size(); ++n) check(form[0], value[n], fmt::format("{}[{}]", path, n));
  } else {
    expect(value.is_object(),
           path.empty() ? "it must be an object" : fmt::format("`{}` must be an object", path));
    check_members(form, value, path);
  }
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

// Checks that precision and grid agree with the case's name, .../PRECISION/METHOD@GRID.
void check_case(const Json& record) {
  const std::string& name = record["case"].get_ref<const std::string&>();
  const std::size_t at = name.find('@'), method = name.rfind('/', at);
  if (at == std::string::npos || method == std::string::npos || method == 0) return;
  const std::size_t precision = name.rfind('/', method - 1);
  if (precision == std::string::npos) return;
  const std::string grid = name.substr(at + 1, name.find_first_of(":;", at) - at - 1);
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
  check_case(record);
  double points = 1;
  for (const Json& side : record["grid"]) points *= side.get<double>();
  if (record.contains("nodes"))
    expect(record["nodes"].get<double>() == points, "`nodes` is not the number of points of `grid`");
  if (record["status"] != "ok") return;
  expect(record.contains("time"), "`time` is missing, but `status` is ok");
  expect(record.value("/verification/passed"_json_pointer, true),
         "`verification.passed` is false, but `status` is ok");
  check_time(record);
  check_between(record.value("roof", Json::object()), "roof", "low", "bytes_per_second", "high");
}

}  // namespace

Json cleaned(const Json& value) {
  if (value.is_string()) return printable(value);
  if (!value.is_structured()) return value;
  Json clean = value.is_object() ? Json::object() : Json::array();
  if (value.is_array())
    for (const Json& member : value) clean.push_back(cleaned(member));
  else
    for (const auto& [name, member] : value.items())
      if (!member.is_null()) clean[printable(name)] = cleaned(member);
  return clean;
}

Json checked(const std::string& form, Json value) {
  value = cleaned(value);
  check(schemas().at(form), value, "");
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
  line = checked(type, std::move(line));
  if (type == "record") check_consistent(line);
  return line;
}

}  // namespace cfdmark
