// Reading facts from lines that another program may have written. A missing value or one of another type
// counts as absent; nothing throws.
#pragma once

#include <optional>
#include <string>

#include "bench/text/json.hpp"

namespace cfdmark::compare {

// Returns the value at a path such as "/time/samples"; null if there is none.
const Json* fact(const Json& line, const std::string& path);
// Returns a string; "" if there is none.
std::string text_fact(const Json& line, const std::string& path);
std::optional<double> number_fact(const Json& line, const std::string& path);

}  // namespace cfdmark::compare
