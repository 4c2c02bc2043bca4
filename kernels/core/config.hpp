// A config: values of a case's settings. A tuning space: the settings of a method, and which of their values
// go together.
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
  // These throw std::out_of_range if the setting is not there or of another type.
  const Value& at(std::string_view name) const;
  int whole(std::string_view name) const;
  double real(std::string_view name) const;
  const std::string& word(std::string_view name) const;
  // Whether it is there and this word.
  bool is(std::string_view name, std::string_view word) const;

  void set(std::string_view name, Value value);
  // Sets what this and `given` both have.
  void take_known(const Config& given);
  bool empty() const { return values_.empty(); }
  const std::vector<std::pair<std::string, Value>>& values() const { return values_; }
  // "block_x=64,block_y=4"
  std::string text() const;
  // Without what is the same in `defaults`.
  Config differing_from(const Config& defaults) const;

  bool operator==(const Config&) const = default;

 private:
  std::vector<std::pair<std::string, Value>> values_;  // in the order of the declarations
};

struct TuningSpace {
  std::vector<Setting> settings;
  // Empty if valid, else the reason in words. Null: every combination is valid.
  std::function<std::string(const Config&)> constraint = nullptr;
  // Changes defaults that hang on what somebody sets. Null: none does.
  std::function<void(Config& defaults, const Config& given)> adapt = nullptr;

  // What each setting is where nobody sets it, beside what is given.
  Config defaults(const Config& given = {}) const;
  // The defaults, overwritten by what `given` sets. Throws std::invalid_argument for a setting that the space
  // does not have, for a value that the setting does not take, which quotes the declaration, or when the
  // constraint is not met. Values that are not searched are accepted: a tuner's list is not what a user may
  // try.
  Config complete(const Config& given) const;
  // Adds a condition to the constraint.
  void require(std::function<std::string(const Config&)> condition);
  // Every valid config of the space.
  std::vector<Config> all() const;
  // The valid configs in which each number has the least or the greatest of its values, and each word any.
  std::vector<Config> corners() const;
};

}  // namespace cfdmark
