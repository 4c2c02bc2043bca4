#include "bench/tune/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include "bench/catalog/limits.hpp"
#include "tuning/random.hpp"

namespace cfdmark::tuning {
namespace {

// All combinations of the values without regard to constraints. Defaults are included even if not in the
// lists.
class Combinations {
 public:
  explicit Combinations(TuningSpace space) : space_(std::move(space)) {
    for (Setting& s : space_.settings) {
      if (std::find(s.values.begin(), s.values.end(), s.default_value) == s.values.end())
        s.values.push_back(s.default_value);
      count_ *= s.values.size();
    }
    space_.constraint = nullptr;
  }
  std::size_t count() const { return count_; }

  std::vector<Config> all() const { return space_.all(); }
  // Returns the default and `most` uniformly drawn combinations in order; deterministic.
  std::vector<Config> drawn(std::size_t most) const {
    std::set<std::size_t> places;
    for (Random random(1); places.size() < most;) places.insert(random.below(count_));
    std::vector<Config> configs = {space_.defaults()};
    for (const std::size_t place : places)
      if (Config config = at(place); config != configs.front()) configs.push_back(std::move(config));
    return configs;
  }

 private:
  Config at(std::size_t place) const {
    Config config;
    for (const Setting& s : space_.settings) {
      config.set(s.name, s.values[place % s.values.size()]);
      place /= s.values.size();
    }
    return config;
  }

  TuningSpace space_;
  std::size_t count_ = 1;
};

// Returns why a config is too deep for a 2-D grid, where threads and tiles with more than one layer are idle.
std::string too_deep(const Case& c) {
  if (c.domain.box().is_3d()) return "";
  for (const char* depth : {"block_z", "tile_z"})
    if (c.config.has(depth) && c.config.integer(depth) > 1)
      return fmt::format("{}={}: a 2-D grid has one layer of cells", depth, c.config.integer(depth));
  return "";
}

std::string why_excluded(const Case& c, std::size_t host_memory) {
  const std::string reason = why_not_run(c, host_memory);
  return reason.empty() ? too_deep(c) : reason;
}

// Returns the reason without its digits, to group equal reasons.
std::string kind_of(const std::string& reason) {
  std::string kind;
  for (const char c : reason)
    if (c < '0' || c > '9') kind += c;
  return kind;
}

[[noreturn]] void fail_empty(const TuningTarget& target, const std::vector<Case>& excluded) {
  std::map<std::string, std::pair<std::size_t, std::string>> reasons;  // count and one example, by kind
  for (const Case& c : excluded) {
    auto& [count, example] = reasons[kind_of(c.not_run)];
    ++count, example = c.not_run;
  }
  std::pair<std::size_t, std::string> most{0, "no method has a config"};
  for (const auto& [kind, reason] : reasons) most = std::max(most, reason);
  throw std::invalid_argument(fmt::format("no config is valid on {}: {} excluded, {} of them by: {}",
                                          grid_text(target.grid), excluded.size(), most.first, most.second));
}

Case case_of(const TuningTarget& target, const Row& row, const Config& config, std::size_t host_memory) {
  Case c{&row, target.grid, config, target.workload, ""};
  c.device = target.device;
  c.not_run = why_excluded(c, host_memory);
  return c;
}

// Adds a candidate unless it is present. Returns why it is not valid; empty if it is.
std::string add(const TuningTarget& target, const Candidate& also, std::size_t host_memory,
                std::vector<Candidate>& candidates, std::vector<Case>& cases) {
  if (std::find(candidates.begin(), candidates.end(), also) != candidates.end()) return "";
  for (const Row* row : target.methods) {
    if (row->method != also.method) continue;
    Case c = case_of(target, *row, also.config, host_memory);
    if (!c.not_run.empty()) return c.not_run;
    candidates.push_back(also);
    cases.push_back(std::move(c));
    return "";
  }
  return fmt::format("method {} is not searched", also.method);
}

// The part of a grid's space that needs compiling.
class Compiling {
 public:
  Compiling(const TuneSpace& space, const TuningTarget& target, std::uint64_t seed) : space_(&space) {
    for (std::size_t c = 0; c < space.cases.size(); ++c)
      if (space.cases[c].row->device_code) places_[candidate_text(space.space[c])] = c;
    if (places_.empty()) return;
    order_ = target.beside;
    for (Candidate& candidate : untuned(target)) order_.push_back(std::move(candidate));
    Random random(seed);
    for (const std::size_t c : in_random_order(space.cases.size(), random)) order_.push_back(space.space[c]);
  }

  // Returns the candidates in the order of the search with this seed. May contain duplicates and candidates
  // without device code.
  const std::vector<Candidate>& order() const { return order_; }

  // Adds the case of a candidate, once, if it has device code here.
  void take(const std::string& candidate, std::vector<Case>& cases) {
    const auto found = places_.find(candidate);
    if (found == places_.end()) return;
    cases.push_back(space_->cases[found->second]);
    places_.erase(found);
  }

 private:
  const TuneSpace* space_;
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<Candidate> order_;
};

}  // namespace

TuneSpace tune_space(const TuningTarget& target, std::size_t host_memory,
                     const std::optional<Candidate>& also, std::size_t most) {
  std::vector<Candidate> candidates;
  std::vector<Case> cases, excluded;
  std::size_t fallback = 0;
  bool has_fallback = false;
  const Row& usual = default_row(target.methods, target.grid, target.workload);
  std::size_t not_drawn = 0;
  for (const Row* row : target.methods) {
    const Combinations combinations(row->space);
    const bool all = combinations.count() <= most;
    if (!all) not_drawn += combinations.count() - most;
    for (const Config& config : all ? combinations.all() : combinations.drawn(most)) {
      Case c = case_of(target, *row, config, host_memory);
      if (!c.not_run.empty()) {
        excluded.push_back(c);
        continue;
      }
      const bool is_default = config == row->space.defaults();
      if (is_default && (row == &usual || !has_fallback)) fallback = candidates.size(), has_fallback = true;
      candidates.push_back({row->method, config});
      cases.push_back(std::move(c));
    }
  }
  if (candidates.empty()) fail_empty(target, excluded);
  for (const Candidate& one : target.beside) add(target, one, host_memory, candidates, cases);
  if (also)
    if (const std::string reason = add(target, *also, host_memory, candidates, cases); !reason.empty())
      throw std::invalid_argument(fmt::format("--against {}: not valid on {}: {}", candidate_text(*also),
                                              grid_text(target.grid), reason));
  return {SearchSpace(std::move(candidates), fallback), std::move(cases), std::move(excluded), not_drawn};
}

TuneSpace narrowed(const TuneSpace& whole, const std::vector<Candidate>& wanted) {
  std::vector<Candidate> candidates;
  std::vector<Case> cases;
  std::size_t fallback = 0;
  for (std::size_t c = 0; c < whole.space.size(); ++c) {
    const bool is_default = c == whole.space.fallback();
    if (!is_default && std::find(wanted.begin(), wanted.end(), whole.space[c]) == wanted.end()) continue;
    if (is_default) fallback = candidates.size();
    candidates.push_back(whole.space[c]);
    cases.push_back(whole.cases[c]);
  }
  return {SearchSpace(std::move(candidates), fallback), std::move(cases), {}, whole.not_drawn};
}

std::vector<std::size_t> places_in(const TuneSpace& space, const std::vector<Candidate>& candidates) {
  std::vector<std::size_t> places;
  for (const Candidate& candidate : candidates)
    if (const auto place = space.space.find(candidate);
        place && std::find(places.begin(), places.end(), *place) == places.end())
      places.push_back(*place);
  return places;
}

std::vector<Candidate> untuned(const TuningTarget& target) {
  std::vector<Candidate> candidates;
  for (const Row* row : target.methods) candidates.push_back({row->method, row->space.defaults()});
  return candidates;
}

std::vector<Case> cases_to_compile(const std::deque<TuneSpace>& spaces,
                                   const std::vector<TuningTarget>& targets, std::uint64_t seed) {
  std::vector<Compiling> grids;
  std::size_t longest = 0;
  for (std::size_t n = 0; n < spaces.size(); ++n) {
    grids.emplace_back(spaces[n], targets[n], seed + n);
    longest = std::max(longest, grids.back().order().size());
  }
  std::vector<Case> cases;
  for (std::size_t rank = 0; rank < longest; ++rank)
    for (Compiling& grid : grids) {
      if (rank >= grid.order().size()) continue;
      const std::string next = candidate_text(grid.order()[rank]);
      for (Compiling& other : grids)
        if (&other == &grid || &grid == &grids.front()) other.take(next, cases);
    }
  return cases;
}

}  // namespace cfdmark::tuning
