// Settings as given on a command line, before they are parsed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/core/config.hpp"

namespace cfdmark {

struct GivenSettings {
  std::map<std::string, std::string> by_name;  // of settings with their own option; empty: not given
  std::vector<std::string> pairs;              // "NAME=VALUE"

  // Returns the given values, parsed as `settings` declares them. `whose` names their owner in messages.
  // Throws std::invalid_argument, for an unknown name with a suggestion, for an invalid value with its
  // declaration.
  Config values(const std::vector<Setting>& settings, const std::string& whose) const;
};

// Splits "NAME=VALUE,NAME=VALUE" into pairs.
GivenSettings settings_given_as(const std::string& text);

}  // namespace cfdmark
