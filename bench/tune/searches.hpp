// The searches of a tune: one per grid, then those between the grids.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/tune/between.hpp"
#include "bench/tune/runner.hpp"
#include "bench/tune/session.hpp"
#include "bench/tune/tune.hpp"
#include "tuning/size_turns.hpp"
#include "tuning/strategy.hpp"

namespace cfdmark::tuning {

// All referenced objects must outlive the searches.
struct SearchesWith {
  const TuneOptions& options;
  const Json& environment;  // environment line, set before the first measurement
  TuneSession& session;
  Progress& progress;
  std::function<double()> seconds_left;  // seconds left in the budget
};

struct SearchedSizes {
  std::vector<TuneAnswer> answers;                   // sorted by cells
  std::vector<std::unique_ptr<TuneRunner>> runners;  // one per answer
  std::vector<Grid> left_out;                        // grids on which no config is valid or works
  std::vector<Grid> left;                            // grids whose time ended before one config was measured
};

class Searches {
 public:
  // Throws std::invalid_argument for a space without a config, or a mix of 2-D and 3-D grids.
  Searches(const std::vector<TuningTarget>& targets, const SearchesWith& with);
  Searches(const Searches&) = delete;
  Searches& operator=(const Searches&) = delete;

  // Returns the space of each grid, by increasing number of cells.
  const std::deque<TuneSpace>& spaces() const { return spaces_; }
  TuneContext context() const {
    return {with_.environment, note_, with_.session, with_.progress, with_.seconds_left};
  }

  // Compiles the device code of the candidates.
  void compile(const KeepGoing&);
  // Runs all searches; to be called once. Throws BudgetOver or std::runtime_error if no grid has an answer.
  // Returns no answers if interrupted. The runners refer to the spaces.
  SearchedSizes run();

 private:
  struct Searched {
    TuneAnswer answer;
    bool over;  // true if its budget is used up
  };

  bool interrupted() const { return with_.session.interruption().requested(); }
  void find_spaces();
  TuneSpace space_of(const TuningTarget&) const;
  void compile(const std::deque<TuneSpace>&, const std::vector<TuningTarget>&, const KeepGoing&);
  std::vector<Candidate> known_to_be_fast(std::size_t n) const;
  double seconds_for_next(double left, double share) const;
  Searched searched(const TuneSpace&, TuneRunner&, SearchOptions) const;
  std::vector<SizeTurn> turns() const;
  bool search(const SizeTurn&, double shares);
  void search_grids();
  void search_between();
  void search_between(const std::vector<GridBetween>&);
  std::vector<GridBetween> not_looked_at_yet(std::vector<GridBetween>);
  TuningTarget subject_between(const GridBetween&) const;
  void compile_between(const std::vector<GridBetween>&, const std::deque<TuneSpace>& whole);
  void search(const GridBetween&, const TuneSpace& whole, SearchOptions);
  void write_excluded(const TuneSpace&) const;
  std::string why_no_answer(const TuneAnswer&, bool over) const;

  const SearchesWith with_;
  const Strategy& strategy_;
  const Json note_;  // `tuning` of every record
  std::vector<TuningTarget> subjects_;
  std::deque<TuneSpace> spaces_;  // of the subjects, then of the grids between them
  SearchedSizes result_;
  // By subject, while the subjects are searched.
  std::vector<std::optional<TuneAnswer>> found_;
  std::vector<std::unique_ptr<TuneRunner>> its_runner_;
  std::vector<std::string> reasons_;  // reason for having no answer
  double longest_search_ = 0;         // seconds; longest search of a whole space
  std::vector<Grid> looked_at_;       // grids already considered between the subjects
};

// Throws BudgetOver for a budget that ended before anything was measured.
[[noreturn]] void fail_too_small(const TuneOptions&, const char* before);

}  // namespace cfdmark::tuning
