// A Config holds values for the settings of a case. A TuningSpace holds the settings of a method, their
// defaults, and the constraint on combinations.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/core/setting.hpp"

namespace cfdmark {

class Config {
 public:
  Config() = default;
  Config(std::initializer_list<std::pair<std::string, Value>> values) : values_(values) {}

  bool has(std::string_view name) const;
  // These throw std::out_of_range if the setting is absent or has another type.
  const Value& at(std::string_view name) const;
  int integer(std::string_view name) const;
  double real(std::string_view name) const;
  const std::string& choice(std::string_view name) const;
  // Returns true if the setting is present and equals this word.
  bool is(std::string_view name, std::string_view word) const;

  void set(std::string_view name, Value value);
  // Copies from `given` the values of settings that this config already has.
  void take_known(const Config& given);
  // Returns the values of these settings, in their order. Throws std::out_of_range if one is absent.
  Config only(const std::vector<Setting>&) const;
  bool empty() const { return values_.empty(); }
  const std::vector<std::pair<std::string, Value>>& values() const { return values_; }
  // "block_x=64,block_y=4"
  std::string text() const;
  // Returns the values that differ from `defaults` or are absent there.
  Config differing_from(const Config& defaults) const;

  bool operator==(const Config&) const = default;

 private:
  std::vector<std::pair<std::string, Value>> values_;  // in the order in which they were first set
};

struct TuningSpace {
  std::vector<Setting> settings;
  // Returns an empty string if the config is valid, else the reason. Null: every combination is valid.
  std::function<std::string(const Config&)> constraint = nullptr;
  // Adjusts defaults that depend on the values given. Null: no default does.
  std::function<void(Config& defaults, const Config& given)> adapt = nullptr;

  // Returns the default of every setting, adapted to the values given.
  Config defaults(const Config& given = {}) const;
  // Returns the value of every setting, from `given`, else its default, in the order of the settings. Ignores
  // other values of `given` and checks none.
  Config filled(const Config& given) const;
  // Throws std::invalid_argument for an unknown setting, for a value out of range (the message quotes the
  // declaration), or if the constraint does not hold. A value outside the tuner's search list is accepted if
  // the setting accepts it. `config` has every setting that the constraint reads.
  void check(const Config& config) const;
  // Returns filled(given). Throws what check() throws, also for an unknown setting of `given`.
  Config complete(const Config& given) const;
  // Adds a condition to the constraint; the first reason found is reported.
  void require(std::function<std::string(const Config&)> condition);
  // Returns the valid configs that a tuner searches: the combinations of the settings' search lists. A
  // setting without a list keeps its default.
  std::vector<Config> all() const;
  // Returns those of them with each number at the least or the greatest value of its list. A setting whose
  // list has words keeps its whole list.
  std::vector<Config> corners() const;
};

}  // namespace cfdmark
