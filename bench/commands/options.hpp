// Command-line options, by the type of their value.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>

#include "bench/text/duration.hpp"

namespace cfdmark {

// Strtod accepts nan and inf, and NaN passes every range check.
inline std::string is_finite(const std::string& text) {
  return std::isfinite(std::strtod(text.c_str(), nullptr)) ? ""
                                                           : fmt::format("'{}' is not a finite number", text);
}

inline std::string is_positive(const std::string& text) {
  return std::strtod(text.c_str(), nullptr) > 0 ? "" : fmt::format("'{}' is not above 0", text);
}

// Adds an option. `kind` represents the value in --help: FILE, SECONDS. A default is shown.
template <class T>
CLI::Option* add_value(CLI::App& command, const std::string& name, const std::string& kind, T& value,
                       const std::string& help) {
  CLI::Option* option = command.add_option(name, value, help)->type_name(kind);
  if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) option->capture_default_str();
  if constexpr (std::is_floating_point_v<T>) option->check(is_finite);
  return option;
}

// Adds an option for a duration such as 90s, 10m or 1h30m, in seconds. An optional stays empty if not given.
template <class Seconds>
CLI::Option* add_time(CLI::App& command, const std::string& name, Seconds& seconds, const std::string& help) {
  const auto read = [&seconds](const std::string& text) { seconds = duration_from(text); };
  CLI::Option* option = command.add_option_function<std::string>(name, read, help)->type_name("TIME");
  if constexpr (std::is_same_v<Seconds, double>) option->default_str(fmt::format("{:g}s", seconds));
  return option;
}

// Adds an option given in percent and stored as a fraction.
inline CLI::Option* add_percent(CLI::App& command, const std::string& name, double& share,
                                const std::string& help) {
  return command
      .add_option_function<double>(
          name, [&share](double percent) { share = percent / 100; }, help)
      ->check(is_finite)
      ->type_name("PERCENT")
      ->default_str(fmt::format("{:g}", 100 * share));
}

// Adds --timeout of a worker.
inline void add_timeout(CLI::App& command, double& seconds) {
  add_time(command, "--timeout", seconds, "time limit of one preparation, verification or sample");
}

// Adds --device. `device` stays empty if not given.
inline void add_device_choice(CLI::App& command, std::optional<int>& device) {
  add_value(command, "--device", "N", device, "CUDA device, as numbered by `cfdmark devices` (default: 0)");
}

}  // namespace cfdmark
