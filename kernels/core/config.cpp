#include "kernels/core/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace cfdmark {

bool Config::has(std::string_view name) const {
  return std::any_of(values_.begin(), values_.end(), [&](const auto& v) { return v.first == name; });
}

int Config::at(std::string_view name) const {
  for (const auto& [key, value] : values_)
    if (key == name) return value;
  throw std::out_of_range(fmt::format("config has no parameter '{}': it is '{}'", name, text()));
}

void Config::set(std::string_view name, int value) {
  for (auto& [key, old] : values_)
    if (key == name) {
      old = value;
      return;
    }
  values_.emplace_back(name, value);
}

std::string Config::text() const {
  std::string out;
  for (const auto& [key, value] : values_) out += fmt::format("{}{}={}", out.empty() ? "" : ",", key, value);
  return out;
}

Config TuningSpace::defaults() const {
  Config config;
  for (const auto& p : parameters) config.set(p.name, p.fallback);
  return config;
}

Config TuningSpace::complete(const Config& given) const {
  Config config = defaults();
  for (const auto& setting : given.values()) {
    const auto known = std::find_if(parameters.begin(), parameters.end(),
                                    [&](const Parameter& p) { return p.name == setting.first; });
    if (known == parameters.end()) {
      std::string names;
      for (const auto& p : parameters) names += (names.empty() ? "" : ", ") + p.name;
      throw std::invalid_argument(fmt::format("parameter '{}' is not known: this method has {}",
                                              setting.first, names.empty() ? "none" : names));
    }
    if (setting.second < known->least)
      throw std::invalid_argument(
          fmt::format("{}={}: a parameter is at least {}", setting.first, setting.second, known->least));
    config.set(setting.first, setting.second);
  }
  if (constraint)
    if (const std::string reason = constraint(config); !reason.empty()) throw std::invalid_argument(reason);
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

std::vector<Config> product(const std::vector<Parameter>& parameters) {
  std::vector<Config> configs(1);
  for (const auto& p : parameters) {
    std::vector<Config> next;
    for (const auto& config : configs)
      for (int value : p.values) {
        next.push_back(config);
        next.back().set(p.name, value);
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

std::vector<Config> TuningSpace::all() const { return only_valid(product(parameters), constraint); }

std::vector<Config> TuningSpace::corners() const {
  std::vector<Parameter> ends = parameters;
  for (auto& p : ends) {
    const auto [low, high] = std::minmax_element(p.values.begin(), p.values.end());
    p.values = *low == *high ? std::vector<int>{*low} : std::vector<int>{*low, *high};
  }
  return only_valid(product(ends), constraint);
}

}  // namespace cfdmark
