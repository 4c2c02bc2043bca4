// Prints the catalog.
#pragma once

#include <string>

namespace cfdmark {

// Prints the rows whose name contains `text`, as tables with their settings, or as a JSON array with one
// object per row. Throws std::invalid_argument if there are none.
void print_catalog(const std::string& text, bool as_json);

}  // namespace cfdmark
