#include "kernels/core/setting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace cfdmark {
namespace {

// Returns the number if it spans the whole text.
template <class Number>
std::optional<Number> number_in(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t n = 0; n < words.size(); ++n)
    text += (n == 0 ? "" : n + 1 == words.size() ? " or " : ", ") + words[n];
  return text;
}

}  // namespace

std::string to_string(const Value& value) {
  return value.is_choice() ? value.choice() : fmt::format("{}", value.number());
}

bool Range::holds(double number) const {
  if (!std::isfinite(number)) return false;
  return open ? low < number && number < high : low <= number && number <= high;
}

std::string Range::text() const {
  if (kind == Kind::none) return "";
  const bool has_low = std::isfinite(low), has_high = std::isfinite(high);
  std::string text = kind == Kind::integer ? "a whole number" : "a number";
  if (has_low) text += fmt::format(" {} {}", open ? "above" : "from", low);
  if (has_high) text += fmt::format("{} {} {}", has_low && open ? " and" : "", open ? "below" : "to", high);
  return text + (has_low && !has_high && !open ? " on" : "");
}

std::optional<Value> Setting::parse(std::string_view text) const {
  if (std::find(words.begin(), words.end(), text) != words.end()) return Value(std::string(text));
  if (most_here && text == "max") return Value(*most_here);
  if (range.kind == Range::Kind::integer)
    if (const auto number = number_in<int>(text); number && range.holds(*number)) return Value(*number);
  if (range.kind == Range::Kind::real)
    if (const auto number = number_in<double>(text); number && range.holds(*number)) return Value(*number);
  return std::nullopt;
}

bool Setting::takes(const Value& value) const {
  if (value.is_choice()) return std::find(words.begin(), words.end(), value.choice()) != words.end();
  const bool whole = value.type() == Value::Type::integer;
  return range.kind == (whole ? Range::Kind::integer : Range::Kind::real) && range.holds(value.number());
}

std::string Setting::takes_text() const {
  std::string text = range.text();
  std::vector<std::string> all = words;
  if (most_here) all.push_back("max");
  if (!text.empty() && !all.empty()) text += ", or ";
  return text + joined(all);
}

std::string Setting::declaration() const {
  return fmt::format("{}: {}{}{}{}; default {}", name, takes_text(), unit.empty() ? "" : " in ", unit,
                     help.empty() ? "" : "; " + help, to_string(default_value));
}

Setting choice_setting(std::string name, std::vector<std::string> words, std::string default_value,
                       std::string help) {
  Setting setting{std::move(name), {words.begin(), words.end()}, std::move(default_value), std::move(help)};
  setting.range = no_numbers();
  setting.words = std::move(words);
  return setting;
}

Setting real_setting(std::string name, double default_value, Range range, std::string help,
                     std::string unit) {
  return {std::move(name), {}, default_value, std::move(help), std::move(unit), range};
}

const Setting* find_setting(const std::vector<Setting>& settings, std::string_view name) {
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& s) { return s.name == name; });
  return found == settings.end() ? nullptr : &*found;
}

void check_settings(const std::vector<Setting>& settings) {
  for (const Setting& s : settings) {
    if (find_setting(settings, s.name) != &s)
      throw std::logic_error(fmt::format("two settings of one name: '{}' and '{}'",
                                         find_setting(settings, s.name)->declaration(), s.declaration()));
    if (!s.takes(s.default_value))
      throw std::logic_error(
          fmt::format("the setting does not accept its own default: '{}'", s.declaration()));
    for (const Value& value : s.values)
      if (!s.takes(value))
        throw std::logic_error(fmt::format("the setting does not accept {} of its search list: '{}'",
                                           to_string(value), s.declaration()));
  }
}

}  // namespace cfdmark
