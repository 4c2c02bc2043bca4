// Settings as given on a command line, before they are parsed.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernels/core/config.hpp"

namespace cfdmark {

struct GivenSettings {
  std::map<std::string, std::string> by_name;  // of settings with their own option; empty: not given
  std::vector<std::string> pairs;              // "NAME=VALUE"
  // Returns what has a setting that `whose` does not have, for messages (owners_text). Null: unknown.
  std::function<std::string(const std::string& setting, const std::string& whose)> owners = nullptr;

  // Returns the given values, parsed as `settings` declares them. `whose` names their owner in messages: a
  // kernel or solver, perhaps followed by more words. Throws std::invalid_argument: for an unknown name with
  // what has it or a suggestion, for an invalid value with its declaration.
  Config values(const std::vector<Setting>& settings, const std::string& whose) const;
};

// Returns the option of a setting: "--max-iterations" for max_iterations.
std::string option_name(std::string setting);
// Splits "NAME=VALUE,NAME=VALUE" into pairs.
GivenSettings settings_given_as(const std::string& text);

}  // namespace cfdmark
