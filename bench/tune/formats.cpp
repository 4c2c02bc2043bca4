#include "bench/tune/formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "bench/catalog/catalog.hpp"
#include "bench/record/build_info.hpp"
#include "bench/record/config_json.hpp"
#include "kernels/core/statistics.hpp"

namespace cfdmark {
namespace {

// All parameters of all methods, each once, in the order in which they occur.
std::vector<std::string> parameters_of(const SearchSpace& space) {
  std::vector<std::string> names;
  for (std::size_t n = 0; n < space.size(); ++n)
    for (const auto& [name, value] : space[n].config.values())
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }
std::string quoted(const Value& value) { return value.is_word() ? quoted(value.word()) : to_string(value); }

// 0, or no word, where a method lacks a parameter whose values are words or numbers.
Value nothing_like(const Value& value) { return value.is_word() ? Value("") : Value(0); }

Value value_of(const SearchSpace& space, const Candidate& c, const std::string& parameter) {
  if (c.config.has(parameter)) return c.config.at(parameter);
  for (std::size_t n = 0; n < space.size(); ++n)
    if (space[n].config.has(parameter)) return nothing_like(space[n].config.at(parameter));
  return 0;
}

const char* type_of(const std::set<Value>& values) {
  constexpr const char* types[] = {"int", "float", "string"};
  auto type = Value::Type::whole;
  for (const Value& value : values) type = std::max(type, value.type());
  return types[int(type)];
}

// As Python writes a list: [16, 32], ['plain', 'shared'].
template <class Values>
std::string list_text(const Values& values) {
  std::string text;
  for (const auto& v : values) text += (text.empty() ? "" : ", ") + quoted(v);
  return "[" + text + "]";
}

Json tuning_parameters(const SearchSpace& space) {
  std::set<std::string> methods;
  for (std::size_t n = 0; n < space.size(); ++n) methods.insert(space[n].method);
  const Candidate& fallback = space[space.fallback()];
  Json list = {
      {{"Name", "method"}, {"Type", "string"}, {"Values", list_text(methods)}, {"Default", fallback.method}}};
  for (const std::string& name : parameters_of(space)) {
    std::set<Value> values;
    for (std::size_t n = 0; n < space.size(); ++n) values.insert(value_of(space, space[n], name));
    list.push_back({{"Name", name},
                    {"Type", type_of(values)},
                    {"Values", list_text(values)},
                    {"Default", value_json(value_of(space, fallback, name))}});
  }
  return list;
}

// Membership, since our constraints are functions and not expressions: exact, whatever they are.
Json condition(const SearchSpace& space) {
  std::vector<std::string> names = parameters_of(space);
  std::string left = "(method,", right;
  for (const std::string& name : names) left += " " + name + ",";
  for (std::size_t n = 0; n < space.size(); ++n) {
    right += (n == 0 ? "('" : ", ('") + space[n].method + "',";
    for (const std::string& name : names)
      right += fmt::format(" {},", quoted(value_of(space, space[n], name)));
    right += ")";
  }
  names.insert(names.begin(), "method");
  return {{"Parameters", names}, {"Expression", left + ") in [" + right + "]"}};
}

// The file of a kernel's device code, or of the solvers.
std::string kernel_file(const Json& record) {
  const auto name = record.at("name").get<std::string>(), kind = record.at("kind").get<std::string>();
  for (const Row& row : catalog())
    if (row.name == name && to_string(row.kind) == kind && row.source.starts_with("kernels/"))
      return fmt::format("{}/{}.cu", row.source, row.source.substr(row.source.rfind('/') + 1));
  return fmt::format("{}.cu", name);
}

std::string invalidity(TrialStatus status) {
  switch (status) {
    case TrialStatus::ok: return "correct";
    case TrialStatus::constraint: return "constraints";
    case TrialStatus::compile_error: return "compile";
    case TrialStatus::wrong_result: return "correctness";
    case TrialStatus::timeout: return "timeout";
    default: return "runtime";
  }
}

Json configuration(const RecordedSpace& s, std::size_t n) {
  Json json = {{"method", s.space[n].method}};
  for (const std::string& name : parameters_of(s.space))
    json[name] = value_json(value_of(s.space, s.space[n], name));
  return json;
}

Json result(const RecordedSpace& s, std::size_t n) {
  const RecordedEvaluation& e = s.evaluations[n];
  const Json overhead = s.records[n].value("overhead", Json::object());
  Json json = {{"configuration", configuration(s, n)},
               {"objectives", {"time"}},
               {"times",
                {{"compilation_time", overhead.value("prepare", 0.0)},
                 {"runtimes", e.samples},
                 {"framework", overhead.value("warm_up", 0.0)},
                 {"search_algorithm", 0.0},
                 {"validation", overhead.value("verify", 0.0)}}},
               {"invalidity", invalidity(e.status)},
               {"correctness", e.status == TrialStatus::ok ? 1 : 0},
               {"measurements", Json::array()}};
  if (s.environment.contains("time")) json["timestamp"] = s.environment["time"];
  if (!e.samples.empty())
    json["measurements"].push_back({{"name", "time"}, {"value", median(e.samples)}, {"unit", "s"}});
  return json;
}

}  // namespace

Json t1_json(const RecordedSpace& s) {
  const Json& record = s.records.front();
  if (record.at("backend") != "cuda")
    throw std::invalid_argument(
        fmt::format("{} cannot be written as T1: it knows CUDA, OpenCL and Vulkan only; T4 can", s.name));
  const std::vector<std::string> names = parameters_of(s.space);
  const auto side = [&](const char* name) -> std::string {
    return std::find(names.begin(), names.end(), name) == names.end() ? "1" : name;
  };
  const Json& grid = record.at("grid");
  const auto points = [&](std::size_t n) { return n < grid.size() ? grid[n].dump() : std::string("1"); };
  return {
      {"General", {{"FormatVersion", 1}, {"TimeUnit", "Seconds"}, {"OutputFormat", "JSON"}}},
      {"ConfigurationSpace",
       {{"TuningParameters", tuning_parameters(s.space)}, {"Conditions", Json::array({condition(s.space)})}}},
      {"KernelSpecification",
       {{"Language", "CUDA"},
        {"KernelName", record.at("name")},
        {"KernelFile", kernel_file(record)},
        {"GlobalSizeType", "OpenCL"},  // counted in points, not in blocks
        {"GlobalSize", {{"X", points(0)}, {"Y", points(1)}, {"Z", points(2)}}},
        {"LocalSize", {{"X", side("block_x")}, {"Y", side("block_y")}, {"Z", side("block_z")}}}}}};
}

Json t4_json(const RecordedSpace& s) {
  Json metadata = {
      {"autotuner", "cfdmark"}, {"autotuner_version", build_info().version}, {"timeunit", "seconds"}};
  if (s.records.front().at("backend") == "cuda") {
    metadata["compute_api"] = "CUDA";
    metadata["device"] = s.environment.value("gpu", Json::object()).value("name", "unknown");
  } else {
    metadata["device"] = s.environment.value("host", Json::object()).value("cpu", "unknown");
  }
  if (s.environment.contains("time")) metadata["timestamp"] = s.environment["time"];
  Json results = Json::array();
  for (std::size_t n = 0; n < s.space.size(); ++n) results.push_back(result(s, n));
  return {{"schema_version", "1.1.0"}, {"metadata", metadata}, {"results", results}};
}

}  // namespace cfdmark
