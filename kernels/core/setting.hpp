// A setting: a whole number, a real number or a word, declared where it is used, by a method, a solver or a
// problem. Command line, sweeps, names of cases, records and help texts follow from the declaration.
#pragma once

#include <compare>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cfdmark {

class Value {
 public:
  enum class Type { whole, real, word };

  Value() = default;
  Value(int number) : number_(number) {}
  Value(double number) : type_(Type::real), number_(number) {}
  Value(std::string word) : type_(Type::word), word_(std::move(word)) {}
  Value(const char* word) : Value(std::string(word)) {}

  Type type() const { return type_; }
  bool is_word() const { return type_ == Type::word; }
  double number() const { return number_; }          // of a whole or a real
  const std::string& word() const { return word_; }  // empty for a number
  auto operator<=>(const Value&) const = default;
  bool operator==(const Value&) const = default;

 private:
  Type type_ = Type::whole;
  double number_ = 0;
  std::string word_;
};

// "64", "1.95", "guided": a real in as few digits as give the same number again.
std::string to_string(const Value&);

// The numbers that a setting takes.
struct Range {
  enum class Kind { none, whole, real };
  Kind kind = Kind::whole;
  double low = 1, high = std::numeric_limits<double>::infinity();
  bool open = false;  // the ends are not in it

  bool holds(double number) const;
  // "a whole number from 1 on", "a number above 0 and below 2"; empty for none.
  std::string text() const;
};

inline Range whole_from(int low) { return {Range::Kind::whole, double(low)}; }
inline Range whole_from_to(int low, int high) { return {Range::Kind::whole, double(low), double(high)}; }
inline Range real_above(double low) {
  return {Range::Kind::real, low, std::numeric_limits<double>::infinity(), true};
}
inline Range real_between(double low, double high) { return {Range::Kind::real, low, high, true}; }  // open
inline Range no_numbers() { return {Range::Kind::none}; }

struct Setting {
  std::string name;
  std::vector<Value> values;  // that a tuner searches; none: it leaves the setting as it is
  Value fallback;             // where nobody sets it
  std::string help = "";      // one line: what it is
  std::string unit = "";
  Range range = {};                     // numbers that may be set, searched or not,
  std::vector<std::string> words = {};  // and words that may be
  std::optional<int> most_here = {};    // what `max` stands for; this machine can run no more

  // The value that a text stands for; nothing if it is none of this setting's.
  std::optional<Value> parse(std::string_view text) const;
  bool takes(const Value&) const;
  // "a number above 0 and below 2, or optimal"
  std::string takes_text() const;
  // "omega: a number above 0 and below 2, or optimal; the factor of over-relaxation; default optimal"
  std::string declaration() const;
};

// A setting of words only; a tuner searches all of them.
Setting word_setting(std::string name, std::vector<std::string> words, std::string fallback,
                     std::string help);
// A real one that a tuner leaves alone.
Setting real_setting(std::string name, double fallback, Range range, std::string help, std::string unit = "");

// Null if there is none of that name.
const Setting* find_setting(const std::vector<Setting>&, std::string_view name);

// Throws std::logic_error if two have one name, or one does not take its own default or a value that it
// wants searched, quoting the declaration.
void check_settings(const std::vector<Setting>&);

}  // namespace cfdmark
