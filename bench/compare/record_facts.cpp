#include "bench/compare/record_facts.hpp"

namespace cfdmark::compare {

const Json* fact(const Json& line, const std::string& path) {
  const Json::json_pointer at(path);
  return line.contains(at) ? &line.at(at) : nullptr;
}

std::string text_fact(const Json& line, const std::string& path) {
  const Json* found = fact(line, path);
  return found && found->is_string() ? found->get<std::string>() : "";
}

std::optional<double> number_fact(const Json& line, const std::string& path) {
  const Json* found = fact(line, path);
  if (!found || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

}  // namespace cfdmark::compare
