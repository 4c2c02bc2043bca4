#include "bench/commands/setting_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "bench/catalog/catalog.hpp"
#include "bench/text/words.hpp"

namespace cfdmark {
namespace {

std::string option_name(std::string name) {
  std::replace(name.begin(), name.end(), '_', '-');
  return "--" + name;
}

void add_new(std::vector<Setting>& settings, const Setting& setting) {
  if (!find_setting(settings, setting.name)) settings.push_back(setting);
}

Value value_of(const Setting& setting, const std::string& text) {
  if (const auto value = setting.parse(text)) return *value;
  throw std::invalid_argument(fmt::format("{}={}: expected {}", setting.name, text, setting.declaration()));
}

}  // namespace

SettingOptions::SettingOptions(const std::string& values) {
  std::istringstream parts(values);
  for (std::string part; std::getline(parts, part, ',');) set_.push_back(part);
}

void SettingOptions::add_to(CLI::App& command, const std::vector<Setting>& settings,
                            std::initializer_list<RowKind> kinds) {
  const auto defaults = defaults_of(catalog(), kinds);
  for (const Setting& s : settings)
    command
        .add_option(option_name(s.name), values_[s.name],
                    fmt::format("{}: {} (default: {})", s.takes_text(), s.help, one_of(defaults.at(s.name))))
        ->type_name("VALUE");
}

void SettingOptions::add_set_to(CLI::App& command) {
  command.add_option("--set", set_, "any setting, such as block_x=64; may be repeated")
      ->type_name("NAME=VALUE");
}

Config SettingOptions::given(const std::vector<Setting>& settings, const std::string& whose) const {
  std::vector<std::string> names;
  for (const Setting& s : settings)
    if (s.name != "problem")
      names.push_back(s.name);  // `problem` has its own option, since it decides which settings exist
  Config config;
  const auto set = [&](const std::string& name, const std::string& text) {
    const Setting* setting = find_setting(settings, name);
    if (!setting || name == "problem")
      throw std::invalid_argument(fmt::format("{} has no setting '{}'; expected {}{}", whose, name,
                                              names.empty() ? "none" : one_of(names),
                                              did_you_mean(name, names)));
    config.set(name, value_of(*setting, text));
  };
  for (const auto& [name, text] : values_)
    if (!text.empty()) set(name, text);
  for (const std::string& text : set_) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      throw std::invalid_argument(fmt::format("'{}': expected NAME=VALUE, such as block_x=64", text));
    set(text.substr(0, equals), text.substr(equals + 1));
  }
  return config;
}

std::vector<Setting> workload_settings(const std::vector<Row>& rows, std::initializer_list<RowKind> kinds) {
  std::vector<Setting> settings;
  for (const Row& row : rows) {
    if (std::find(kinds.begin(), kinds.end(), row.kind) == kinds.end()) continue;
    for (const Setting& s : row.workload_settings) add_new(settings, s);
    for (const ProblemSettings& problem : row.problems)
      for (const Setting& s : problem.settings) add_new(settings, s);
  }
  return settings;
}

std::vector<Setting> solver_settings(const std::vector<Row>& rows) {
  std::vector<Setting> settings = workload_settings(rows, {RowKind::solver});
  for (const Row& row : rows)
    if (row.kind == RowKind::solver)
      for (const Setting& s : row.space.settings) add_new(settings, s);
  return settings;
}

}  // namespace cfdmark
