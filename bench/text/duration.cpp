#include "bench/text/duration.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace cfdmark {

double duration_from(const std::string& text) {
  const auto fail = [&]() -> double {
    throw std::invalid_argument(
        fmt::format("invalid duration '{}'; expected, for example, 90s, 10m or 1h30m", text));
  };
  double total = 0;
  const char* at = text.c_str();
  if (!*at) fail();
  while (*at) {
    if (*at < '0' || *at > '9') fail();  // strtod would accept signs, spaces and "inf"
    char* end = nullptr;
    const double number = std::strtod(at, &end);
    const double unit = *end == 'h' ? 3600 : *end == 'm' ? 60 : *end == 's' || !*end ? 1 : fail();
    total += number * unit;
    at = *end ? end + 1 : end;
  }
  if (!std::isfinite(total)) fail();
  return total;
}

std::string clock_text(double seconds) {
  const long all = std::lround(seconds);
  if (all >= 3600) return fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60);
  return fmt::format("{}:{:02}", all / 60, all % 60);
}

namespace {

// Formats three significant digits, without a trailing point or zero after three integer digits.
std::string three_digits(double value) {
  std::string text = fmt::format("{:#.3g}", value);
  if (text.find('.') == 3) text.erase(3);
  return text;
}

}  // namespace

std::string seconds_text(double seconds) {
  struct Unit {
    double size;
    const char* name;
  };
  constexpr double rounds_up = 0.9995;          // 0.9995 rounds to 1.00
  constexpr double longest_clock = 3600 * 1e6;  // a million hours; longer times print as plain seconds
  if (seconds == 0) return "0 s";
  if (!std::isfinite(seconds) || seconds < 0 || seconds > longest_clock)
    return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1000 * rounds_up) {
    const long all = std::lround(seconds);
    return fmt::format("{}:{:02}:{:02}", all / 3600, all / 60 % 60, all % 60);
  }
  for (const Unit& unit : {Unit{1, "s"}, Unit{1e-3, "ms"}, Unit{1e-6, "us"}, Unit{1e-9, "ns"},
                           Unit{1e-12, "ps"}, Unit{1e-15, "fs"}})
    if (seconds >= unit.size * rounds_up)
      return fmt::format("{} {}", three_digits(seconds / unit.size), unit.name);
  return fmt::format("{:.2g} s", seconds);
}

}  // namespace cfdmark
