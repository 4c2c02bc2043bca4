#include "bench/case/given_settings.hpp"

#include <fmt/format.h>

#include <sstream>
#include <stdexcept>

#include "bench/text/words.hpp"

namespace cfdmark {
namespace {

Value value_of(const Setting& setting, const std::string& text) {
  if (const auto value = setting.parse(text)) return *value;
  throw std::invalid_argument(fmt::format("{}={}: expected {}", setting.name, text, setting.declaration()));
}

}  // namespace

GivenSettings settings_given_as(const std::string& text) {
  GivenSettings given;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) given.pairs.push_back(part);
  return given;
}

Config GivenSettings::values(const std::vector<Setting>& settings, const std::string& whose) const {
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
  for (const auto& [name, text] : by_name)
    if (!text.empty()) set(name, text);
  for (const std::string& text : pairs) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos)
      throw std::invalid_argument(fmt::format("'{}': expected NAME=VALUE, such as block_x=64", text));
    set(text.substr(0, equals), text.substr(equals + 1));
  }
  return config;
}

}  // namespace cfdmark
