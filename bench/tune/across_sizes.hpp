// The answers of one tune beside each other: what is known of each candidate at each size.
#pragma once

#include <set>
#include <vector>

#include "bench/tune/tune.hpp"
#include "tuning/size_ranges.hpp"

namespace cfdmark::tuning {

// The candidates of all sizes, each once, and where each stands in the space of a size.
class AcrossSizes {
 public:
  explicit AcrossSizes(const std::vector<TuneAnswer>&);

  std::size_t size() const { return candidates_.size(); }
  const Candidate& operator[](std::size_t candidate) const { return candidates_.at(candidate); }
  std::size_t of(std::size_t answer, std::size_t in_its_space) const;
  // Empty where the candidate is not valid at that size.
  std::optional<std::size_t> at(std::size_t answer, std::size_t candidate) const;

  // By the samples of the searches: of few where a candidate was soon beaten, and those of the fastest
  // flatter them.
  std::vector<SizeTimes> searched() const;
  // By fresh processes. Where these told nothing at a size, the default and what was confirmed without them
  // (finals.hpp) have times there, of the search; where the default has none, the fastest.
  std::vector<SizeTimes> confirmed() const;

  // The answers that may share one, in one group each; all of them if they must, none if they may not.
  std::vector<std::vector<std::size_t>> groups(const TuneOptions&) const;
  // What is to be measured in fresh processes at each size of a group: the winner and the default of each,
  // what may suit several, what is to be compared with, and the winners of the sizes on either side: a search
  // that its budget cut short may not have come to what is best next door.
  std::set<std::size_t> finalists_of(const std::vector<std::size_t>& group, const TuneOptions&) const;

  // What breaks the ties of an answer's candidates.
  std::vector<Traits> traits(std::size_t answer) const;

 private:
  SizeTimes described(std::size_t answer) const;
  std::size_t winner_of(std::size_t answer) const;

  const std::vector<TuneAnswer>& answers_;
  std::vector<Candidate> candidates_;
  std::vector<std::vector<std::size_t>> of_;                 // by answer, then by place in its space
  std::vector<std::vector<std::optional<std::size_t>>> at_;  // by answer, then by candidate
};

// The size at which a range is told as a whole: its largest.
const TuneAnswer& told_at(const TuneResult&, const TuneRange&);
// What sets a range's winner apart from the default there, by the records (reasons.hpp).
std::string reason_of(const TuneResult&, const TuneRange&);
// The candidates with samples of the search, the least median first.
std::vector<std::size_t> fastest_of(const TuneAnswer&);
// The candidates that the search came to; whether each of some is one of these; and whether they are so few
// of all that more time may well find another answer.
std::vector<std::size_t> tried(const TuneAnswer&);
bool were_tried(const TuneAnswer&, const std::vector<std::size_t>& some);
bool few_were_tried(const TuneAnswer&);
// Whether a candidate makes as many steps at once as the default: one or several.
bool is_of_the_defaults_kind(const TuneAnswer&, std::size_t candidate);
// The place of a candidate in the space of an answer, which has it.
std::size_t place_of(const TuneAnswer&, const Candidate&);
// Whether fresh processes told anything at all there.
bool told_anew(const TuneAnswer&);
// The time of the one over that of the other there, by fresh processes; none if either has no time in these.
// Where these told nothing, and of a candidate over itself, by the search.
std::optional<Gain> gain_there(const TuneAnswer&, const Candidate& slow, const Candidate& fast);

// The candidate's time over the least time measured there, whether or not a fresh process confirmed that.
double seen_regret(const TuneAnswer&, const Candidate&);
// The regret that the search saw, where it is surely above the confirmed one; none where both agree.
std::optional<double> unconfirmed(double confirmed_regret, double seen_regret);
// The same of a range: the greatest of its sizes.
std::optional<double> unconfirmed_regret(const TuneResult&, const TuneRange&);

}  // namespace cfdmark::tuning
