// Configs as JSON: an integer, a real number or a word per setting.
#pragma once

#include "bench/text/json.hpp"
#include "kernels/core/config.hpp"

namespace cfdmark {

Json value_json(const Value&);
// Throws Json::exception for anything but a number or a string.
Value value_from_json(const Json&);

// Keeps the order of the config, which is part of a case's name.
Json config_json(const Config&);
Config config_from_json(const Json& object);

// Declarations of settings, which `cfdmark list --json` passes to a comparing build.
Json settings_json(const std::vector<Setting>&);
std::vector<Setting> settings_from_json(const Json&);

}  // namespace cfdmark
