#include "bench/sweep/duration.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <stdexcept>

namespace cfdmark {

double duration_from(const std::string& text) {
  const auto fail = [&]() -> double {
    throw std::invalid_argument(fmt::format("'{}' is no length of time: write 90s, 10m or 1h30m", text));
  };
  double total = 0;
  const char* at = text.c_str();
  if (!*at) fail();
  while (*at) {
    if (*at < '0' || *at > '9') fail();  // strtod would take signs, spaces and "inf"
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

// Behind three digits before the point no nought follows, which would claim a fourth.
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
  for (const Unit& unit : {Unit{1, "s"}, Unit{1e-3, "ms"}, Unit{1e-6, "us"}})
    if (seconds >= unit.size) return fmt::format("{} {}", three_digits(seconds / unit.size), unit.name);
  return three_digits(seconds * 1e9) + " ns";
}

}  // namespace cfdmark
