#include "bench/tune/searches.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "bench/case/case_record.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/tune/across_sizes.hpp"
#include "bench/worker/ask_worker.hpp"
#include "kernels/device/cpu/host_memory.hpp"

namespace cfdmark::tuning {
namespace {

// Share of the budget for the search of one grid, and of several; the rest is for confirmation, more of it
// for several grids.
constexpr double share_of_search = 0.85, share_of_searches = 0.65;
// Share of the remaining budget, and most seconds, for compiling before the first search. An interleaved
// group of configs would wait for its slowest compilation.
constexpr double share_of_compiling = 0.3, longest_compiling = 600;
// Number of fastest candidates of each searched grid that the next one tries first.
constexpr std::size_t best_elsewhere = 4;

std::vector<TuningTarget> by_cells(std::vector<TuningTarget> targets) {
  for (const TuningTarget& s : targets)
    if (s.grid.is_3d() != targets.front().grid.is_3d())
      throw std::invalid_argument(fmt::format("{} and {} have different dimensions; tune them separately",
                                              grid_text(targets.front().grid), grid_text(s.grid)));
  std::stable_sort(targets.begin(), targets.end(), [](const TuningTarget& a, const TuningTarget& b) {
    return a.grid.cells() < b.grid.cells();
  });
  return targets;
}

}  // namespace

Searches::Searches(const std::vector<TuningTarget>& targets, const SearchesWith& with)
    : with_(with),
      strategy_(find_strategy(with.options.strategy)),
      note_{{"strategy", with.options.strategy}, {"seed", with.options.seed}, {"scope", with.options.scope}},
      subjects_(by_cells(targets)) {
  find_spaces();
}

// Skips grids without a valid config if `leave_out` is set and another grid remains.
void Searches::find_spaces() {
  std::string reason;
  const auto cannot = [&](const TuningTarget& s) {
    try {
      spaces_.push_back(space_of(s));
      return false;
    } catch (const std::invalid_argument& e) {
      if (!with_.options.leave_out) throw;
      reason = e.what();
      result_.left_out.push_back(s.grid);
      return true;
    }
  };
  std::erase_if(subjects_, cannot);
  if (subjects_.empty()) throw std::invalid_argument(reason);
  if (const std::size_t not_drawn = spaces_.back().not_drawn)
    with_.progress.note(fmt::format("{}: {} further combinations of values are skipped under this budget",
                                    subjects_.back().methods.front()->name, not_drawn));
}

void Searches::compile(const KeepGoing& keep_going) { compile(spaces_, subjects_, keep_going); }

void Searches::compile(const std::deque<TuneSpace>& spaces, const std::vector<TuningTarget>& targets,
                       const KeepGoing& keep_going) {
  const std::vector<Case> cases = cases_to_compile(spaces, targets, with_.options.seed);
  if (cases.empty()) return;
  const Answer answer =
      ask_to_compile(with_.session.supervisor(), cases,
                     std::min(share_of_compiling * with_.seconds_left(), longest_compiling), keep_going);
  if (answer.end != Answer::End::done && answer.end != Answer::End::stopped)
    with_.progress.note(fmt::format("compilation ahead stopped early: {}", answer.reason));
}

SearchedSizes Searches::run() {
  search_grids();
  if (!interrupted() && !with_.options.each_alone && !with_.options.one_answer) search_between();
  return std::move(result_);
}

// Returns candidates likely to be fast: the subject's layouts from elsewhere, the fastest on the grids
// searched so far, the default of each method, and the layout to compare with.
std::vector<Candidate> Searches::known_to_be_fast(std::size_t n) const {
  std::vector<Candidate> candidates = subjects_[n].beside;
  for (const std::optional<TuneAnswer>& a : found_) {
    if (!a) continue;
    const std::vector<std::size_t> fastest = fastest_of(*a);
    for (std::size_t k = 0; k < std::min(best_elsewhere, fastest.size()); ++k)
      candidates.push_back(a->space.space[fastest[k]]);
  }
  for (Candidate& candidate : untuned(subjects_[n])) candidates.push_back(std::move(candidate));
  if (with_.options.against) candidates.push_back(*with_.options.against);
  return candidates;
}

// Returns the seconds for the next of `left` shares, which are to end when `share` of the budget is used.
double Searches::seconds_for_next(double left, double share) const {
  if (!with_.options.budget) return std::numeric_limits<double>::infinity();
  const double seconds = with_.seconds_left();
  return std::max(seconds - (1 - share) * *with_.options.budget, seconds / 2) / left;
}

Searches::Searched Searches::searched(const TuneSpace& space, TuneRunner& runner,
                                      SearchOptions options) const {
  options.samples = with_.options.samples;
  const double start = seconds_now();
  Search search(space.space, std::ref(runner), options);
  if (options.budget > 0) strategy_.run(search);
  TuneAnswer answer{space, 1, {}, {}, {}, {}, {}, {}, 0};
  answer.evaluations = search.evaluations();
  answer.fresh.resize(space.cases.size());
  answer.seconds = seconds_now() - start;
  for (std::size_t c = 0; c < space.cases.size(); ++c) answer.records.push_back(runner.record(c));
  return {std::move(answer), search.over() || options.budget <= 0};
}

// Grids whose time ended before one config was measured get a second turn at the end. By then code is
// compiled, and other grids may have left time.
void Searches::search_grids() {
  found_.resize(subjects_.size()), its_runner_.resize(subjects_.size()), reasons_.resize(subjects_.size());
  double shares = 0;
  for (const SizeTurn& turn : turns()) shares += turn.share;
  std::vector<std::size_t> again;
  for (const SizeTurn& turn : turns()) {
    if (interrupted()) break;
    if (search(turn, shares)) again.push_back(turn.size);
    shares -= turn.share;
  }
  std::vector<std::size_t> left;  // more time might give these an answer
  for (std::size_t k = 0; k < again.size() && !interrupted(); ++k)
    if (with_.seconds_left() <= 0 || search({again[k], 1}, double(again.size() - k)))
      left.push_back(again[k]);
  if (interrupted()) return;
  for (const std::size_t n : left) result_.left.push_back(subjects_[n].grid);
  for (std::size_t n = 0; n < found_.size(); ++n)
    if (found_[n]) {
      result_.answers.push_back(std::move(*found_[n]));
      result_.runners.push_back(std::move(its_runner_[n]));
    } else {
      with_.progress.note(fmt::format("{} skipped: {}", grid_text(subjects_[n].grid), reasons_[n]));
    }
  if (!result_.answers.empty()) return;
  if (!left.empty() && !with_.options.leave_out) fail_too_small(with_.options, "one config was measured");
  if (!left.empty()) throw BudgetOver(reasons_[left.front()]);
  throw std::runtime_error(reasons_.back());
}

// Returns equal turns without a budget and in a check, where no grid learns from another.
std::vector<SizeTurn> Searches::turns() const {
  const bool is_short = with_.options.budget && !with_.options.each_alone;
  return is_short ? turns_in_short_time(subjects_.size()) : equal_turns(subjects_.size());
}

// Searches the grid of a turn; `shares` is the sum of the remaining shares, this one included. Adds an answer
// or the reason for having none. Returns true if more time might give an answer.
bool Searches::search(const SizeTurn& turn, double shares) {
  const std::size_t n = turn.size;
  const double seconds =
      seconds_for_next(shares / turn.share, subjects_.size() == 1 ? share_of_search : share_of_searches);
  const bool is_whole = turn.share > 1 || seconds >= longest_search_;
  if (!is_whole) spaces_[n] = narrowed(spaces_[n], known_to_be_fast(n));
  const TuneSpace& space = spaces_[n];
  if (!its_runner_[n] && !with_.options.leave_out) write_excluded(space);
  its_runner_[n] = std::make_unique<TuneRunner>(space, context());
  SearchOptions options;
  options.budget = seconds;
  options.seed = with_.options.seed + n;  // short searches of different grids try different candidates
  options.first = places_in(space, known_to_be_fast(n));
  auto [answer, over] = searched(space, *its_runner_[n], options);
  if (is_whole) longest_search_ = std::max(longest_search_, answer.seconds);
  answer.weight = subjects_[n].weight;
  answer.beside = subjects_[n].beside;
  reasons_[n] = why_no_answer(answer, over);
  const bool has_one = reasons_[n].empty();
  if (has_one)
    found_[n] = std::move(answer);
  else if (!over)
    result_.left_out.push_back(subjects_[n].grid);
  return !has_one && over;
}

TuneSpace Searches::space_of(const TuningTarget& target) const {
  return tune_space(target, available_host_memory(), with_.options.against,
                    with_.options.most_combinations());
}

// Records configs excluded by a constraint, so that the recorded space is complete. Not done in tunes of many
// kernels, where they would fill the file.
void Searches::write_excluded(const TuneSpace& space) const {
  for (const Case& c : space.excluded) {
    Record record = record_without_time(c, "not_run", c.not_run, with_.environment.at("id"));
    record.tuning = note_;
    record.tuning["status"] = to_string(TrialStatus::constraint);
    with_.session.keep(to_json(record), with_.progress);
  }
}

// Returns why a grid has no answer; empty if it has one.
std::string Searches::why_no_answer(const TuneAnswer& answer, bool over) const {
  if (interrupted()) return "";
  std::string last_reason;
  for (const Evaluation& e : answer.evaluations) {
    if (!e.samples.empty()) return "";
    if (!e.reason.empty()) last_reason = e.reason;
  }
  const std::string reason =
      over ? "its time ended before one config was measured"
           : fmt::format("none of {} configs works on {}; the last error: {}", answer.evaluations.size(),
                         grid_text(answer.space.cases.front().domain.box()), last_reason);
  if (!over && !with_.options.leave_out) throw std::runtime_error(reason);
  return reason;
}

void fail_too_small(const TuneOptions& options, const char* before) {
  throw BudgetOver(fmt::format("the budget of {} ended before {}; increase --budget, or add --no-roof",
                               seconds_text(*options.budget), before));
}

}  // namespace cfdmark::tuning
