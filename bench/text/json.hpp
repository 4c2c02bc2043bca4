// JSON objects that keep the order in which their keys were set.
#pragma once

#include <nlohmann/json.hpp>

namespace cfdmark {

using Json = nlohmann::ordered_json;

// Returns one line of text. Bytes that are not UTF-8 are replaced; nothing throws.
inline std::string one_line(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cfdmark
