// A config: values of a method's tunable parameters. A tuning space: the values each may take.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace cfdmark {

class Config {
 public:
  Config() = default;
  Config(std::initializer_list<std::pair<std::string, int>> values) : values_(values) {}

  bool has(std::string_view name) const;
  // Throws std::out_of_range if the parameter is not set.
  int at(std::string_view name) const;
  void set(std::string_view name, int value);
  bool empty() const { return values_.empty(); }
  const std::vector<std::pair<std::string, int>>& values() const { return values_; }
  // "block_x=64,block_y=4"
  std::string text() const;

  bool operator==(const Config&) const = default;

 private:
  std::vector<std::pair<std::string, int>> values_;  // in the order of the tuning space
};

struct Parameter {
  std::string name;
  std::vector<int> values;  // the first is not special; `fallback` is what an unset parameter takes
  int fallback = 0;
  int least = 1;  // that may be set
};

struct TuningSpace {
  std::vector<Parameter> parameters;
  // Empty if valid, else the reason in words. Null: every combination is valid.
  std::function<std::string(const Config&)> constraint = nullptr;

  Config defaults() const;
  // The defaults, overwritten by what `given` sets. Throws std::invalid_argument for a parameter that the
  // space does not have, for a value below the least, or when the constraint is not met. Values that are not
  // in the list are accepted: the list is what a tuner searches, not what a user may try.
  Config complete(const Config& given) const;
  // Adds a condition to the constraint.
  void require(std::function<std::string(const Config&)> condition);
  // Every valid config of the space.
  std::vector<Config> all() const;
  // The valid configs in which each parameter has its least or its greatest value.
  std::vector<Config> corners() const;
};

}  // namespace cfdmark
