// Names in messages.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

// Returns the names separated by commas: "a, b, c".
inline std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace cfdmark
