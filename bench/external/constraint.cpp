#include "bench/external/constraint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <climits>
#include <stdexcept>
#include <string_view>

#include "bench/text/words.hpp"

namespace cfdmark {
namespace {

using Expression = Constraint::Expression;

// Operators by precedence, the weakest first. A longer one comes before its prefix.
const std::vector<std::vector<std::string_view>> levels = {
    {"||"}, {"&&"}, {"==", "!="}, {"<=", ">=", "<", ">"}, {"+", "-"}, {"*", "/", "%"}};

long arithmetic(std::string_view op, long a, long b) {
  long result = 0;
  bool overflows = false;
  if (op == "+") overflows = __builtin_add_overflow(a, b, &result);
  if (op == "-") overflows = __builtin_sub_overflow(a, b, &result);
  if (op == "*") overflows = __builtin_mul_overflow(a, b, &result);
  if (op == "/" || op == "%") {
    if (b == 0) throw std::domain_error("division by zero");
    overflows = a == LONG_MIN && b == -1;
    if (!overflows) result = op == "/" ? a / b : a % b;
  }
  if (overflows) throw std::domain_error("a value beyond 64 bits");
  return result;
}

long compared(std::string_view op, long a, long b) {
  return op == "=="   ? a == b
         : op == "!=" ? a != b
         : op == "<"  ? a < b
         : op == ">"  ? a > b
         : op == "<=" ? a <= b
                      : a >= b;
}

Expression combined(std::string_view op, Expression a, Expression b) {
  if (op == "||") return [=](const Config& c) -> long { return a(c) != 0 || b(c) != 0; };
  if (op == "&&") return [=](const Config& c) -> long { return a(c) != 0 && b(c) != 0; };
  if (std::string_view("+-*/%").find(op) != std::string_view::npos)
    return [=](const Config& c) { return arithmetic(op, a(c), b(c)); };
  return [=](const Config& c) { return compared(op, a(c), b(c)); };
}

// A recursive-descent parser: each level of precedence is a list of the next one.
class Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>& names) : text_(text), names_(names) {}

  Expression whole() {
    Expression all = level(0);
    if (skip_blanks(); at_ < text_.size()) fail("an operator or the end");
    return all;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw std::invalid_argument(
        fmt::format("--constraint '{}': expected {} at column {}", text_, expected, at_ + 1));
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  Expression level(std::size_t n) {
    if (n == levels.size()) return unary();
    Expression left = level(n + 1);
    while (true) {
      const auto op = std::find_if(levels[n].begin(), levels[n].end(), [&](auto o) { return take(o); });
      if (op == levels[n].end()) return left;
      left = combined(*op, std::move(left), level(n + 1));
    }
  }

  Expression unary() {
    if (take("!")) return [of = unary()](const Config& c) -> long { return of(c) == 0; };
    if (take("-")) return [of = unary()](const Config& c) { return arithmetic("-", 0, of(c)); };
    if (take("(")) {
      Expression inside = level(0);
      if (!take(")")) fail("')'");
      return inside;
    }
    return skip_blanks(),
           at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) ? number() : name();
  }

  Expression number() {
    long value = 0;
    const char* const begin = text_.data() + at_;
    const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("a number of 64 bits");
    at_ += std::size_t(end - begin);
    return [value](const Config&) { return value; };
  }

  Expression name() {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
    const auto end = std::find_if_not(text_.begin() + std::ptrdiff_t(at_), text_.end(), is_part);
    const std::string name(text_.begin() + std::ptrdiff_t(at_), end);
    if (name.empty()) fail("a number, a parameter or '('");
    if (std::find(names_.begin(), names_.end(), name) == names_.end())
      fail(fmt::format("a parameter with integer values ({}) instead of '{}'{}",
                       names_.empty() ? "there is none" : one_of(names_), name, did_you_mean(name, names_)));
    at_ += name.size();
    return [name](const Config& c) -> long { return c.integer(name); };
  }

  std::string_view text_;
  const std::vector<std::string>& names_;
  std::size_t at_ = 0;
};

}  // namespace

Constraint::Constraint(const std::string& text, const std::vector<std::string>& names)
    : text_(text), value_(Parser(text, names).whole()) {}

bool Constraint::holds(const Config& config) const {
  try {
    return value_(config) != 0;
  } catch (const std::domain_error& e) {
    throw std::invalid_argument(fmt::format("--constraint '{}': {} for {}", text_, e.what(), config.text()));
  }
}

}  // namespace cfdmark
