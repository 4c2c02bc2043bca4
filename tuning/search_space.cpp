#include "tuning/search_space.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

namespace cfdmark::tuning {
namespace {

// Returns the only setting with different values, or nothing if none or several differ.
std::optional<std::string> only_difference(const Config& a, const Config& b) {
  if (a.values().size() != b.values().size()) return std::nullopt;
  std::optional<std::string> found;
  for (const auto& [name, value] : a.values()) {
    if (!b.has(name)) return std::nullopt;
    if (b.at(name) == value) continue;
    if (found) return std::nullopt;
    found = name;
  }
  return found;
}

}  // namespace

std::string candidate_text(const Candidate& c) {
  return c.config.empty() ? c.method : c.method + ":" + c.config.text();
}

SearchSpace::SearchSpace(std::vector<Candidate> candidates, std::size_t fallback)
    : candidates_(std::move(candidates)), fallback_(fallback) {
  if (candidates_.empty()) throw std::invalid_argument("the search space is empty");
  if (fallback_ >= candidates_.size()) throw std::invalid_argument("the default is not in the search space");
  std::set<std::string> texts;
  for (const Candidate& c : candidates_)
    if (!texts.insert(candidate_text(c)).second)
      throw std::invalid_argument("duplicate in the search space: " + candidate_text(c));
}

std::optional<std::size_t> SearchSpace::find(const Candidate& candidate) const {
  const auto place = std::find(candidates_.begin(), candidates_.end(), candidate);
  return place == candidates_.end() ? std::nullopt : std::optional(std::size_t(place - candidates_.begin()));
}

std::vector<std::size_t> SearchSpace::neighbours(std::size_t n) const {
  const Candidate& here = candidates_.at(n);
  std::set<std::size_t> found;
  // The nearest value on either side of each setting. A gap left by a constraint is skipped.
  std::map<std::pair<std::string, bool>, std::pair<Value, std::size_t>> nearest;
  for (std::size_t other = 0; other < size(); ++other) {
    const Candidate& there = candidates_[other];
    if (there.method != here.method) {
      if (there.config == here.config) found.insert(other);
    } else if (const auto setting = only_difference(here.config, there.config)) {
      const Value &value = there.config.at(*setting), &ours = here.config.at(*setting);
      const bool above = ours < value;
      const auto [place, is_new] = nearest.try_emplace({*setting, above}, value, other);
      const Value& before = place->second.first;
      if (!is_new && (above ? value < before : before < value)) place->second = {value, other};
    }
  }
  for (const auto& [direction, neighbour] : nearest) found.insert(neighbour.second);
  return {found.begin(), found.end()};
}

}  // namespace cfdmark::tuning
