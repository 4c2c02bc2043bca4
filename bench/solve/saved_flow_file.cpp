#include "bench/solve/saved_flow_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <string_view>

#include "bench/record/config_json.hpp"
#include "bench/record/output_file.hpp"
#include "bench/text/printable.hpp"
#include "kernels/mesh/files/checksum.hpp"
#include "solvers/problems/input_file.hpp"

namespace cfdmark {
namespace {

// A file is a line of this text, a line of JSON (description, numbers, names and sizes of the fields), the
// bytes of the fields in that order, and the checksum of all before it in 16 hexadecimal digits.
constexpr std::string_view first_line = "cfdmark flow 1\n";
constexpr std::size_t checksum_digits = 16;

// Settings that may differ: they end a solve, or choose how it is computed.
constexpr std::array free_settings = {"end_time", "tolerance",        "max_iterations", "check_interval",
                                      "threads",  "graph_iterations", "sweep_depth",    "sweep_method",
                                      "block_x",  "block_y",          "block_z",        "schedule"};

std::string hexadecimal(std::string_view bytes) { return fmt::format("{:016x}", checksum(bytes)); }

Json settings_of(const SolveCase& asked) {
  Json all = Json::object();
  for (const Config* config : {&asked.workload, &asked.config})
    for (const auto& [name, value] : config->values())
      if (name != "problem" &&
          std::find(free_settings.begin(), free_settings.end(), name) == free_settings.end())
        all[name] = value_json(value);
  return all;
}

// Describes what a saved flow must share with the solve that continues it.
Json description(const SolveCase& asked, const FlowProblem& problem) {
  const HostField& faces = problem.faces;
  return {{"problem", problem.description->name},
          {"solver", asked.row->name},
          {"method", asked.row->method},
          {"precision", std::string(to_string(asked.row->precision))},
          {"grid", grid_text(problem.grid)},
          {"settings", settings_of(asked)},
          {"body", hexadecimal({static_cast<const char*>(faces.data()), faces.bytes()})}};
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw std::invalid_argument(fmt::format("--restart {}: {}", printable(file), why));
}

std::string value_text(const Json& value) { return to_string(value_from_json(value)); }

void compare(const std::string& file, const Json& there, const Json& here) {
  for (const char* name : {"problem", "solver", "method", "precision", "grid"})
    if (there.at(name) != here.at(name))
      refuse(file, fmt::format("the {} is {} there and {} here; use --{} {}", name,
                               printable(value_text(there.at(name))), value_text(here.at(name)), name,
                               printable(value_text(there.at(name)))));
  for (const auto& [name, value] : here.at("settings").items()) {
    const auto known = there.at("settings").find(name);
    if (known != there.at("settings").end() && *known != value)
      refuse(file, fmt::format("{0} is {1} there and {2} here; use --set {0}={1}", name,
                               printable(value_text(*known)), value_text(value)));
  }
  if (there.at("body") != here.at("body"))
    refuse(file, "its body is another one; use the --mask, --polygon or --outline of the saved flow");
}

SavedFlow parsed(const std::string& file, const std::string& text, const Json& here) {
  const auto end_of_json = text.find('\n', first_line.size());
  const Json json = Json::parse(text.substr(first_line.size(), end_of_json - first_line.size()));
  compare(file, json.at("flow"), here);
  SavedFlow saved;
  saved.iterations = json.at("iterations"), saved.time = json.at("time");
  for (const auto& [name, value] : json.at("numbers").items()) saved.numbers.push_back({name, value});
  std::size_t at = end_of_json + 1;
  for (const Json& field : json.at("fields")) {
    const std::size_t bytes = field.at("bytes");
    saved.fields.emplace_back(field.at("name"), text.substr(at, bytes));
    at += bytes;
  }
  return saved;
}

}  // namespace

void write_saved_flow(const std::string& file, const SolveCase& asked, const FlowProblem& problem,
                      const SavedFlow& saved) {
  Json numbers = Json::object(), fields = Json::array();
  for (const NamedValue& number : saved.numbers) numbers[number.name] = number.value;
  for (const auto& [name, bytes] : saved.fields) fields.push_back({{"name", name}, {"bytes", bytes.size()}});
  const Json json{{"flow", description(asked, problem)},
                  {"iterations", saved.iterations},
                  {"time", saved.time},
                  {"numbers", numbers},
                  {"fields", fields}};
  std::string text = std::string(first_line) + json.dump() + "\n";
  for (const auto& [name, bytes] : saved.fields) text += bytes;
  text += hexadecimal(text);
  replace_file(file, text);
}

SavedFlow read_saved_flow(const std::string& file, const SolveCase& asked, const FlowProblem& problem) {
  std::ifstream in = input_file(file);
  const std::string all{std::istreambuf_iterator<char>(in), {}};
  if (!all.starts_with(first_line)) refuse(file, "this file holds no flow; choose a file that --save wrote");
  const std::string text = all.substr(0, all.size() - std::min(all.size(), checksum_digits));
  if (all.substr(text.size()) != hexadecimal(text))
    refuse(file, "the file is damaged: its checksum differs; save the flow again");
  try {
    return parsed(file, text, description(asked, problem));
  } catch (const Json::exception& error) {
    refuse(file, "its description cannot be read: " + message_of(error));
  }
}

}  // namespace cfdmark
