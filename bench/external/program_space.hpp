// The configs of a program that is not of this project: parameters, constraints, and its command with them.
#pragma once

#include <string>
#include <vector>

#include "tuning/search_space.hpp"

namespace cfdmark {

// Returns the combinations of the values that satisfy all constraints, the last parameter fastest. A
// parameter is "NAME=VALUE,VALUE,..."; its values are integers, or words. The default is the first one.
// Throws std::invalid_argument for a text of another form, a constraint that is not valid, or if no
// combination remains.
tuning::SearchSpace program_space(const std::vector<std::string>& parameters,
                                  const std::vector<std::string>& constraints);

// Returns the command with each {NAME} replaced by the value of that parameter; {{ and }} stand for braces.
// Throws std::invalid_argument for an unknown name, naming `option`.
std::string command_with(const std::string& command, const Config& config, const std::string& option);

// Throws std::invalid_argument if the command does not contain each parameter, so that it cannot matter.
void check_uses_all(const std::string& command, const Config& config);

}  // namespace cfdmark
