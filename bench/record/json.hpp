// JSON with keys in the order in which they were set, as people like to read it.
#pragma once

#include <nlohmann/json.hpp>

namespace cfdmark {

using Json = nlohmann::ordered_json;

// One line of text. Bytes that are not UTF-8 are replaced; nothing is thrown.
inline std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cfdmark
