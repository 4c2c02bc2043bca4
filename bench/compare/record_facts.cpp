#include "bench/compare/record_facts.hpp"

namespace cfdmark::compare {

const Json* fact(const Json& line, const std::string& path) {
  const Json* at = &line;
  for (std::size_t start = 1; start <= path.size();) {
    const std::size_t end = std::min(path.find('/', start), path.size());
    if (!at->is_object()) return nullptr;
    const auto found = at->find(path.substr(start, end - start));
    if (found == at->end()) return nullptr;
    at = &*found;
    start = end + 1;
  }
  return at;
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
