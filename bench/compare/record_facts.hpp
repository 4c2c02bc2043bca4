// Reading facts out of lines that somebody else may have written: what is missing or of another kind is
// absent, and nothing is thrown.
#pragma once

#include <optional>
#include <string>

#include "bench/record/json.hpp"

namespace cfdmark::compare {

// The value at a path such as "/time/samples"; null if there is none.
const Json* fact(const Json& line, const std::string& path);
// A string, or "" .
std::string text_fact(const Json& line, const std::string& path);
std::optional<double> number_fact(const Json& line, const std::string& path);

}  // namespace cfdmark::compare
