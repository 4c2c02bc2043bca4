// A setting is a named integer, real number or word, such as block_x, omega or cycle. The method, solver or
// problem that uses it declares it. Command line, sweep files, case names, records and help texts are derived
// from the declaration.
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
  enum class Type { integer, real, choice };

  Value() = default;
  Value(int number) : number_(number) {}
  Value(double number) : type_(Type::real), number_(number) {}
  Value(std::string word) : type_(Type::choice), choice_(std::move(word)) {}
  Value(const char* word) : Value(std::string(word)) {}

  Type type() const { return type_; }
  bool is_choice() const { return type_ == Type::choice; }
  double number() const { return number_; }              // for integers and reals
  const std::string& choice() const { return choice_; }  // empty for a number
  auto operator<=>(const Value&) const = default;
  bool operator==(const Value&) const = default;

 private:
  Type type_ = Type::integer;
  double number_ = 0;
  std::string choice_;
};

// Returns "64", "1.95" or "guided". A real is printed with the fewest digits that read back exactly.
std::string to_string(const Value&);

// The numbers that a setting accepts. Default: the integers from 1 on.
struct Range {
  enum class Kind { none, integer, real };
  Kind kind = Kind::integer;
  double low = 1, high = std::numeric_limits<double>::infinity();
  bool open = false;  // excludes its end points

  bool holds(double number) const;
  // Returns "a whole number from 1 on" or "a number above 0 and below 2"; empty for none.
  std::string text() const;
};

inline Range integer_from(int low) { return {Range::Kind::integer, double(low)}; }
inline Range integer_from_to(int low, int high) { return {Range::Kind::integer, double(low), double(high)}; }
inline Range real_above(double low) {
  return {Range::Kind::real, low, std::numeric_limits<double>::infinity(), true};
}
inline Range real_between(double low, double high) { return {Range::Kind::real, low, high, true}; }  // open
inline Range no_numbers() { return {Range::Kind::none}; }

struct Setting {
  std::string name;
  std::vector<Value> values;  // values that a tuner searches; empty: the tuner keeps the default
  Value default_value;        // value used where none is given
  std::string help = "";      // one line of help
  std::string unit = "";
  Range range = {};                     // numbers that are accepted, searched by a tuner or not
  std::vector<std::string> words = {};  // words that are accepted
  // Largest number that this machine can run, such as its number of cores. The text `max` stands for it.
  // Empty: no such limit, and `max` is not accepted.
  std::optional<int> most_here = {};

  // Returns the value of a text, or nothing if the setting does not accept it.
  std::optional<Value> parse(std::string_view text) const;
  bool takes(const Value&) const;
  // "a number above 0 and below 2, or optimal"
  std::string takes_text() const;
  // "omega: a number above 0 and below 2, or optimal; the factor of over-relaxation; default optimal"
  std::string declaration() const;
};

// Returns a setting that accepts words only; a tuner searches all of them.
Setting choice_setting(std::string name, std::vector<std::string> words, std::string default_value,
                       std::string help);
// Returns a real setting that a tuner does not search.
Setting real_setting(std::string name, double default_value, Range range, std::string help,
                     std::string unit = "");

// Returns the setting of that name, or null.
const Setting* find_setting(const std::vector<Setting>&, std::string_view name);

// Throws std::logic_error if two settings share a name, or if one does not accept its own default or a value
// of its search list. The message quotes the declaration.
void check_settings(const std::vector<Setting>&);

}  // namespace cfdmark
