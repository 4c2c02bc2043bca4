// Lists in messages.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace cfdmark {

// Returns the items as text, separated. GCC 12 has false warnings about the fmt::join of several types at
// -O3.
template <class Range>
std::string joined(const Range& items, std::string_view separator) {
  std::string text;
  for (const auto& item : items) {
    if (!text.empty()) text += separator;
    text += fmt::format("{}", item);
  }
  return text;
}

}  // namespace cfdmark
