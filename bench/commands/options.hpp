// Options of the command line, by what they take.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>

#include "bench/sweep/duration.hpp"

namespace cfdmark {

// strtod takes nan and inf for numbers, and comparisons with a NaN let it through every range.
inline std::string is_finite(const std::string& text) {
  return std::isfinite(std::strtod(text.c_str(), nullptr)) ? ""
                                                           : fmt::format("'{}' is no finite number", text);
}

inline std::string is_positive(const std::string& text) {
  return std::strtod(text.c_str(), nullptr) > 0 ? "" : fmt::format("'{}' is not above 0", text);
}

// `kind` stands for the value in --help: FILE, SECONDS. A default is shown.
template <class T>
CLI::Option* add_value(CLI::App& command, const std::string& name, const std::string& kind, T& value,
                       const std::string& help) {
  CLI::Option* option = command.add_option(name, value, help)->type_name(kind);
  if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) option->capture_default_str();
  if constexpr (std::is_floating_point_v<T>) option->check(is_finite);
  return option;
}

// A length of time such as 90s, 10m, 1h30m, in seconds: a double, or none unless it is given.
template <class Seconds>
CLI::Option* add_time(CLI::App& command, const std::string& name, Seconds& seconds, const std::string& help) {
  const auto read = [&seconds](const std::string& text) { seconds = duration_from(text); };
  CLI::Option* option = command.add_option_function<std::string>(name, read, help)->type_name("TIME");
  if constexpr (std::is_same_v<Seconds, double>) option->default_str(fmt::format("{:g}s", seconds));
  return option;
}

// Given in per cent, kept as a share.
inline CLI::Option* add_percent(CLI::App& command, const std::string& name, double& share,
                                const std::string& help) {
  return command
      .add_option_function<double>(
          name, [&share](double percent) { share = percent / 100; }, help)
      ->check(is_finite)
      ->type_name("PERCENT")
      ->default_str(fmt::format("{:g}", 100 * share));
}

// --timeout, of a worker.
inline void add_timeout(CLI::App& command, double& seconds) {
  add_time(command, "--timeout", seconds,
           "time after which one preparation, verification or sample is given up");
}

// --device. `device` stays empty where it is not given.
inline void add_device_choice(CLI::App& command, std::optional<int>& device) {
  add_value(command, "--device", "N", device,
            "which CUDA device, as `cfdmark devices` counts them (default: 0)");
}

}  // namespace cfdmark
