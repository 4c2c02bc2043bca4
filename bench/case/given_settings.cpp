#include "bench/case/given_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "bench/text/words.hpp"

namespace cfdmark {
namespace {

Value value_of(const Setting& setting, const std::string& text) {
  if (const auto value = setting.parse(text)) return *value;
  throw std::invalid_argument(fmt::format("{}={}: expected {}", setting.name, text, setting.declaration()));
}

[[noreturn]] void fail_unknown(const GivenSettings& given, const std::string& name, const std::string& whose,
                               const std::vector<std::string>& names) {
  const std::string owners = given.owners ? given.owners(name, whose.substr(0, whose.find(' '))) : "";
  throw std::invalid_argument(fmt::format("{} has no setting '{}'{}; expected {}{}", whose, name,
                                          owners.empty() ? "" : fmt::format(", a setting of {}", owners),
                                          names.empty() ? "none" : one_of(names),
                                          owners.empty() ? did_you_mean(name, names) : ""));
}

}  // namespace

std::string option_name(std::string setting) {
  std::replace(setting.begin(), setting.end(), '_', '-');
  return "--" + setting;
}

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
    if (!setting || name == "problem") fail_unknown(*this, name, whose, names);
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
