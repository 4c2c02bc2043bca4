// The searches of a tune: one a grid, then what lies between the grids.
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

// All must outlive the searches.
struct SearchesWith {
  const TuneOptions& options;
  const Json& environment;  // the run's line; there by the time that something is measured
  TuneSession& session;
  Progress& progress;
  std::function<double()> seconds_left;  // of the budget
};

struct SearchedSizes {
  std::vector<TuneAnswer> answers;                   // by their cells
  std::vector<std::unique_ptr<TuneRunner>> runners;  // one an answer
  std::vector<Grid> left_out;                        // on which nothing can be tuned, or nothing works
  std::vector<Grid> left;                            // whose time was over before one config was measured
};

class Searches {
 public:
  // Throws std::invalid_argument for a space without a config, or grids of which some are planes and some are
  // not.
  Searches(const std::vector<TuneSubject>& subjects, const SearchesWith& with);
  Searches(const Searches&) = delete;
  Searches& operator=(const Searches&) = delete;

  // Of the grids, the one with the fewest cells first.
  const std::deque<TuneSpace>& spaces() const { return spaces_; }
  TuneContext context() const {
    return {with_.environment, note_, with_.session, with_.progress, with_.seconds_left};
  }

  // Compiles ahead what is to be measured.
  void compile(const KeepGoing&);
  // Once. Throws BudgetOver or std::runtime_error where no grid has an answer. Interrupted, it gives none.
  // The runners refer to the spaces.
  SearchedSizes run();

 private:
  struct Searched {
    TuneAnswer answer;
    bool over;  // its budget was
  };

  bool interrupted() const { return with_.session.interruption().requested(); }
  void find_spaces();
  TuneSpace space_of(const TuneSubject&) const;
  void compile(const std::deque<TuneSpace>&, const std::vector<TuneSubject>&, const KeepGoing&);
  std::vector<Candidate> known_to_be_fast(std::size_t n) const;
  double seconds_for_next(double left, double share) const;
  Searched searched(const TuneSpace&, TuneRunner&, SearchOptions) const;
  std::vector<SizeTurn> turns() const;
  bool search(const SizeTurn&, double shares);
  void search_grids();
  void search_between();
  void search_between(const std::vector<GridBetween>&);
  std::vector<GridBetween> not_looked_at_yet(std::vector<GridBetween>);
  TuneSubject subject_between(const GridBetween&) const;
  void compile_between(const std::vector<GridBetween>&, const std::deque<TuneSpace>& whole);
  void search(const GridBetween&, const TuneSpace& whole, SearchOptions);
  void write_excluded(const TuneSpace&) const;
  std::string why_no_answer(const TuneAnswer&, bool over) const;

  const SearchesWith with_;
  const Strategy& strategy_;
  const Json note_;  // the `tuning` of every record
  std::vector<TuneSubject> subjects_;
  std::deque<TuneSpace> spaces_;  // of the subjects, then between them
  SearchedSizes result_;
  // Of each subject, while these are searched.
  std::vector<std::optional<TuneAnswer>> found_;
  std::vector<std::unique_ptr<TuneRunner>> its_runner_;
  std::vector<std::string> reasons_;  // why it has no answer
  double longest_search_ = 0;         // seconds, of those of whole spaces
  std::vector<Grid> looked_at_;       // between the subjects
};

// Of a budget that was over too soon. Throws BudgetOver.
[[noreturn]] void fail_too_small(const TuneOptions&, const char* before);

}  // namespace cfdmark::tuning
