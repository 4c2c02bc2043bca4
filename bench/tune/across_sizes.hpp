// Times of every candidate at every size of one tune.
#pragma once

#include <set>
#include <vector>

#include "bench/tune/tune.hpp"
#include "tuning/size_ranges.hpp"

namespace cfdmark::tuning {

// The union of the candidates of all sizes, with their index in the space of each size.
class AcrossSizes {
 public:
  explicit AcrossSizes(const std::vector<TuneAnswer>&);

  std::size_t size() const { return candidates_.size(); }
  const Candidate& operator[](std::size_t candidate) const { return candidates_.at(candidate); }
  std::size_t of(std::size_t answer, std::size_t in_its_space) const;
  // Returns nothing if the candidate is not valid at that size.
  std::optional<std::size_t> at(std::size_t answer, std::size_t candidate) const;

  // Returns the medians of the search samples. Candidates that lost early have few samples, and the times of
  // the fastest are biased low.
  std::vector<SizeTimes> searched() const;
  // Returns the times of the confirming processes. Sizes without any have the search's times of the winner
  // and, if measured, of the default (confirmation.hpp).
  std::vector<SizeTimes> confirmed() const;

  // Returns groups of answers that may share one candidate. With `each_alone` each answer is a group of its
  // own, with `one_answer` all are one group.
  std::vector<std::vector<std::size_t>> groups(const TuneOptions&) const;
  // Returns the candidates to confirm at each size of a group: the winner and the default of each size,
  // candidates that may suit several sizes, the layout to compare with, and the winners of the sizes next to
  // the group. A search cut short by its budget may not have reached the best candidate of the next size.
  std::set<std::size_t> finalists_of(const std::vector<std::size_t>& group, const TuneOptions&) const;

  // Returns the tie breakers of an answer's candidates.
  std::vector<Traits> traits(std::size_t answer) const;

 private:
  SizeTimes described(std::size_t answer) const;
  std::size_t winner_of(std::size_t answer) const;

  const std::vector<TuneAnswer>& answers_;
  std::vector<Candidate> candidates_;
  std::vector<std::vector<std::size_t>> of_;                 // by answer, then by index in its space
  std::vector<std::vector<std::optional<std::size_t>>> at_;  // by answer, then by candidate
};

// Returns the representative size of a range: the largest of its sizes.
const TuneAnswer& told_at(const TuneResult&, const TuneRange&);
// Returns how the winner's record differs from the default's at that size (reasons.hpp).
std::string reason_of(const TuneResult&, const TuneRange&);
// Returns the candidates with search samples by increasing median.
std::vector<std::size_t> fastest_of(const TuneAnswer&);
// Returns the candidates with a result, failures included. were_tried() returns true if all of `some` are
// among them. few_were_tried() returns true if they are so few that more time may well find another answer.
std::vector<std::size_t> tried(const TuneAnswer&);
bool were_tried(const TuneAnswer&, const std::vector<std::size_t>& some);
bool few_were_tried(const TuneAnswer&);
// Returns true if the candidate and the default both make one step per run, or both make several.
bool is_of_the_defaults_kind(const TuneAnswer&, std::size_t candidate);
// Returns the index of a candidate in the space of an answer. Throws std::out_of_range if it is not there.
std::size_t place_of(const TuneAnswer&, const Candidate&);
// Returns true if confirming processes produced times at this size.
bool told_anew(const TuneAnswer&);
// Returns the time of `slow` over that of `fast`, measured in confirming processes; nothing if one has no
// time there. Without such times, and for a candidate compared with itself, uses the search samples.
std::optional<Gain> gain_there(const TuneAnswer&, const Candidate& slow, const Candidate& fast);

// Returns the candidate's time over the least time measured at this size, confirmed or not.
double seen_regret(const TuneAnswer&, const Candidate&);
// Returns the regret seen by the search if it exceeds the confirmed one by more than the smallest effect.
std::optional<double> unconfirmed(double confirmed_regret, double seen_regret);
// Returns the same for a range: the largest of its sizes.
std::optional<double> unconfirmed_regret(const TuneResult&, const TuneRange&);

}  // namespace cfdmark::tuning
