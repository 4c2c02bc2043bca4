#include "kernels/core/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cfdmark {

bool Config::has(std::string_view name) const {
  return std::any_of(values_.begin(), values_.end(), [&](const auto& v) { return v.first == name; });
}

const Value& Config::at(std::string_view name) const {
  for (const auto& [key, value] : values_)
    if (key == name) return value;
  throw std::out_of_range(fmt::format("unknown setting '{}' in config '{}'", name, text()));
}

namespace {

const Value& typed(const Config& config, std::string_view name, Value::Type type, const char* what) {
  const Value& value = config.at(name);
  if (value.type() == type) return value;
  throw std::out_of_range(
      fmt::format("setting '{}' must be a {}, but is '{}'", name, what, to_string(value)));
}

}  // namespace

int Config::integer(std::string_view name) const {
  return int(typed(*this, name, Value::Type::integer, "whole number").number());
}
double Config::real(std::string_view name) const {
  return typed(*this, name, Value::Type::real, "real number").number();
}
const std::string& Config::choice(std::string_view name) const {
  return typed(*this, name, Value::Type::choice, "word").choice();
}

bool Config::is(std::string_view name, std::string_view word) const {
  return has(name) && at(name).is_choice() && at(name).choice() == word;
}

void Config::set(std::string_view name, Value value) {
  for (auto& [key, old] : values_)
    if (key == name) {
      old = std::move(value);
      return;
    }
  values_.emplace_back(name, std::move(value));
}

void Config::take_known(const Config& given) {
  for (const auto& [name, value] : given.values())
    if (has(name)) set(name, value);
}

Config Config::only(const std::vector<Setting>& settings) const {
  Config some;
  for (const Setting& s : settings) some.set(s.name, at(s.name));
  return some;
}

std::string Config::text() const {
  std::string out;
  for (const auto& [key, value] : values_)
    out += fmt::format("{}{}={}", out.empty() ? "" : ",", key, to_string(value));
  return out;
}

Config Config::differing_from(const Config& defaults) const {
  Config differing;
  for (const auto& [name, value] : values_)
    if (!defaults.has(name) || defaults.at(name) != value) differing.set(name, value);
  return differing;
}

Config TuningSpace::defaults(const Config& given) const {
  Config config;
  for (const Setting& s : settings) config.set(s.name, s.default_value);
  if (adapt) adapt(config, given);
  return config;
}

namespace {

const Setting& known(const std::vector<Setting>& settings, std::string_view name) {
  if (const Setting* setting = find_setting(settings, name)) return *setting;
  std::string names;
  for (const Setting& s : settings) names += (names.empty() ? "" : ", ") + s.name;
  throw std::invalid_argument(
      fmt::format("unknown setting '{}'; settings: {}", name, names.empty() ? "none" : names));
}

void check_values(const std::vector<Setting>& settings, const Config& config) {
  for (const auto& [name, value] : config.values())
    if (const Setting& setting = known(settings, name); !setting.takes(value))
      throw std::invalid_argument(
          fmt::format("{}={}: expected {}", name, to_string(value), setting.declaration()));
}

void check_combination(const TuningSpace& space, const Config& config) {
  if (!space.constraint) return;
  if (const std::string reason = space.constraint(config); !reason.empty())
    throw std::invalid_argument(reason);
}

}  // namespace

Config TuningSpace::filled(const Config& given) const {
  Config config = defaults(given);
  config.take_known(given);
  return config;
}

void TuningSpace::check(const Config& config) const {
  check_values(settings, config);
  check_combination(*this, config);
}

Config TuningSpace::complete(const Config& given) const {
  check_values(settings, given);
  Config config = filled(given);
  check_combination(*this, config);
  return config;
}

void TuningSpace::require(std::function<std::string(const Config&)> condition) {
  if (!constraint) {
    constraint = std::move(condition);
    return;
  }
  constraint = [before = std::move(constraint), condition = std::move(condition)](const Config& c) {
    const std::string reason = before(c);
    return reason.empty() ? condition(c) : reason;
  };
}

namespace {

// Returns the values to search for a setting: its default alone if it declares none.
std::vector<Value> searched(const Setting& s) {
  return s.values.empty() ? std::vector<Value>{s.default_value} : s.values;
}

std::vector<Config> product(const std::vector<Setting>& settings) {
  std::vector<Config> configs(1);
  for (const Setting& s : settings) {
    std::vector<Config> next;
    for (const auto& config : configs)
      for (const Value& value : searched(s)) {
        next.push_back(config);
        next.back().set(s.name, value);
      }
    configs = std::move(next);
  }
  return configs;
}

std::vector<Config> only_valid(std::vector<Config> configs,
                               const decltype(TuningSpace::constraint)& constraint) {
  if (constraint) std::erase_if(configs, [&](const Config& c) { return !constraint(c).empty(); });
  return configs;
}

}  // namespace

std::vector<Config> TuningSpace::all() const { return only_valid(product(settings), constraint); }

std::vector<Config> TuningSpace::corners() const {
  std::vector<Setting> ends = settings;
  for (Setting& s : ends) {
    const std::vector<Value> values = searched(s);
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    if (high->is_choice()) continue;
    s.values = *low == *high ? std::vector<Value>{*low} : std::vector<Value>{*low, *high};
  }
  return only_valid(product(ends), constraint);
}

}  // namespace cfdmark
