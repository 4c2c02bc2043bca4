#include "bench/case/case_filter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace cfdmark {

namespace {

constexpr std::size_t longest = 300;
constexpr double most_repeats = 20;

// Returns the product of all repetition counts, such as x{3} and x{2,3}, because they may be nested.
double repeats_in(const std::string& text) {
  double repeats = 1;
  for (std::size_t at = 0; (at = text.find('{', at)) != std::string::npos; ++at) {
    char* end = nullptr;
    const double least = std::strtod(text.c_str() + at + 1, &end);
    const double most = *end == ',' ? std::strtod(end + 1, nullptr) : least;
    repeats *= std::max({1.0, least, most});
  }
  return repeats;
}

// Simulates all states at once, in time proportional to name length times states. Backtracking takes
// exponential time for expressions such as `(a+)+$`.
constexpr auto all_at_once = std::regex::ECMAScript | std::regex_constants::__polynomial;

}  // namespace

CaseFilter::CaseFilter(const std::string& text) {
  if (text.size() > longest)
    throw std::invalid_argument(
        fmt::format("--filter has {} characters; expected at most {}", text.size(), longest));
  if (repeats_in(text) > most_repeats)
    throw std::invalid_argument(
        fmt::format("--filter '{}' has repetition counts above {:.0f}; use * or +", text, most_repeats));
  try {
    std::istringstream words(text);
    for (std::string word; words >> word;) wanted_.emplace_back(word, all_at_once);
  } catch (const std::regex_error&) {
    throw std::invalid_argument(
        fmt::format("--filter '{}': invalid regular expression, or one with back references", text));
  }
}

bool CaseFilter::lets_through(const std::vector<std::string>& names) const {
  return std::all_of(wanted_.begin(), wanted_.end(), [&](const std::regex& word) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return std::regex_search(name, word); });
  });
}

bool CaseFilter::lets_through(const std::string& name) const {
  return lets_through(std::vector<std::string>{name});
}

bool CaseFilter::lets_through(const Case& c) const {
  return lets_through(std::vector<std::string>{case_name(c), short_name(c)});
}

}  // namespace cfdmark
