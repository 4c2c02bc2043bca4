// Configs as JSON: a whole number, a real number or a word under the name of its setting.
#pragma once

#include "bench/record/json.hpp"
#include "kernels/core/config.hpp"

namespace cfdmark {

Json value_json(const Value&);
// Throws Json::exception for anything but a number or a word.
Value value_from_json(const Json&);

// In the order of the config, which is part of a case's name.
Json config_json(const Config&);
Config config_from_json(const Json& object);

// Declarations: `cfdmark list --json` tells them to builds that are compared.
Json settings_json(const std::vector<Setting>&);
std::vector<Setting> settings_from_json(const Json&);

}  // namespace cfdmark
