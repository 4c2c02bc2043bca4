#include "bench/compare/matching.hpp"

#include <fmt/format.h>

#include <map>

#include "bench/compare/record_facts.hpp"

namespace cfdmark::compare {
namespace {

// A case's name is row@grid:config;request, where config and request may be missing.
struct NameParts {
  std::string without_config, config;
};

NameParts parts_of(const std::string& name) {
  const std::size_t request = std::min(name.find(';'), name.size());
  const std::size_t colon = std::min(name.find(':'), request);
  const std::string config = colon < request ? name.substr(colon + 1, request - colon - 1) : "";
  return {name.substr(0, colon) + name.substr(request), config.empty() ? "no parameters" : config};
}

// Names from other programs' benchmarks have no such parts.
NameParts parts_in(const Side& side, const std::string& name) {
  return text_fact(side.find(name)->last(), "/kind") == "benchmark" ? NameParts{name, ""} : parts_of(name);
}

using NamesByRow = std::map<std::string, std::vector<std::string>>;

NamesByRow unmatched(const Side& side, const Side& other) {
  NamesByRow names;
  for (const std::string& name : side.names())
    if (!other.find(name)) names[parts_in(side, name).without_config].push_back(name);
  return names;
}

bool one_each(const NamesByRow& a, const NamesByRow& b, const std::string& row) {
  const auto in_a = a.find(row), in_b = b.find(row);
  return in_a != a.end() && in_b != b.end() && in_a->second.size() == 1 && in_b->second.size() == 1;
}

}  // namespace

std::vector<Match> matches(const Side& base, const Side& now) {
  const NamesByRow only_base = unmatched(base, now), only_now = unmatched(now, base);
  std::vector<Match> found;
  for (const std::string& name : now.names()) {
    Match match{name, now.find(name)->label(), base.find(name), now.find(name), ""};
    const NameParts parts = parts_in(now, name);
    if (!match.base && one_each(only_base, only_now, parts.without_config)) {
      const std::string& other = only_base.at(parts.without_config).front();
      match.base = base.find(other);
      match.other_config = fmt::format("{} in the base, {} in the new", parts_of(other).config, parts.config);
    }
    found.push_back(std::move(match));
  }
  for (const std::string& name : base.names())
    if (!now.find(name) && !one_each(only_base, only_now, parts_in(base, name).without_config))
      found.push_back({name, base.find(name)->label(), base.find(name), nullptr, ""});
  return found;
}

}  // namespace cfdmark::compare
