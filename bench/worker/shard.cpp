#include "bench/worker/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <stdexcept>

#include "bench/text/hash.hpp"
#include "bench/worker/run_plan.hpp"

namespace cfdmark {
namespace {

// Returns the integer that fills all of `text`; 0 if there is none.
int number_in(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

// Groups the cases independently of what this machine can run.
std::vector<CaseGroup> groups(std::vector<Case> sweep) {
  for (Case& c : sweep) c.not_run.clear();
  return make_plan(sweep, {}).groups;
}

// Returns the shard of each group, counted from 0.
std::vector<std::size_t> distribute(const std::vector<CaseGroup>& groups, std::size_t count) {
  std::vector<std::size_t> order(groups.size()), load(count, 0), home(groups.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return groups[a].size() > groups[b].size(); });
  for (const std::size_t n : order) {
    home[n] = std::size_t(std::min_element(load.begin(), load.end()) - load.begin());
    load[home[n]] += groups[n].size();
  }
  return home;
}

}  // namespace

Shard shard_from(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash != std::string::npos) {
    const Shard shard{number_in(text.substr(0, slash)), number_in(text.substr(slash + 1))};
    if (1 <= shard.index && shard.index <= shard.count) return shard;
  }
  throw std::invalid_argument(
      fmt::format("invalid shard '{}'; expected I/N with 1 <= I <= N, such as 2/4", text));
}

std::string to_string(const Shard& shard) { return fmt::format("{}/{}", shard.index, shard.count); }

std::vector<Case> cases_of(const std::vector<Case>& sweep, const Shard& shard) {
  const auto all = groups(sweep);
  const std::vector<std::size_t> home = distribute(all, std::size_t(shard.count));
  CaseGroup ours;
  for (std::size_t n = 0; n < all.size(); ++n)
    if (home[n] + 1 == std::size_t(shard.index)) ours.insert(ours.end(), all[n].begin(), all[n].end());
  std::sort(ours.begin(), ours.end());
  std::vector<Case> cases;
  for (const std::size_t n : ours) cases.push_back(sweep[n]);
  return cases;
}

Json sweep_facts(const std::vector<Case>& sweep, const Shard& shard) {
  std::string names;
  for (const Case& c : sweep) names += case_name(c) + '\n';
  Json facts = {{"id", fingerprint(names)}, {"cases", sweep.size()}};
  if (shard.count > 1)
    facts["shard"] = {
        {"index", shard.index}, {"count", shard.count}, {"cases", cases_of(sweep, shard).size()}};
  return facts;
}

}  // namespace cfdmark
