#include "tuning/between_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "tuning/size_ranges.hpp"

namespace cfdmark::tuning {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::size_t most_ends = 4, most_candidates = 6;
// Of the time of the best: one that takes no more at both sizes leaves nothing to find between them. Less
// than what two sizes may share an answer by (size_ranges.hpp), since a doubt there costs a few samples.
constexpr double suits = 1.02;
// Sizes with less than so many times as many cells are one.
constexpr double too_near = 1.05;
// Neighbours that are nearer need nothing between them, and nor does the middle that is so near to another
// size.
constexpr double near_by = 1.3;
// And those that are further, as two of a ladder by doublings are, may part between though one of large tiles
// suits both.
constexpr double far_apart = 3;
// Beyond the end of a candidate whose blocks wait nothing is known of what is best there: this near.
constexpr double just_beyond = 1.01;

class Between {
 public:
  Between(double below, double above, const std::vector<TimesAtTwo>& times, const std::vector<double>& edges)
      : below_(below), above_(above), times_(times), edges_(edges) {
    std::erase_if(edges_, [&](double c) { return c < too_near * below_ || too_near * c > above_; });
    for (const TimesAtTwo& t : times_) {
      best_below_ = std::min(best_below_, t.below), best_above_ = std::min(best_above_, t.above);
      if (t.waits()) continue;
      others_below_ = std::min(others_below_, t.below), others_above_ = std::min(others_above_, t.above);
    }
  }

  std::vector<SizeBetween> sizes() const {
    std::vector<SizeBetween> found;
    if (above_ < near_by * below_ || above_ > widest_gap * below_) return found;
    if (one_suits_both() && edges_.empty()) return found;
    std::vector<double> cells = edges_;
    if (const double end = end_of_best_below(); end < too_near * below_) cells.push_back(just_beyond * end);
    for (const double end : ends())
      if (!is_near_any(end, cells, too_near)) cells.push_back(end);
    const double middle = std::sqrt(below_ * above_);
    if (!is_near_any(middle, cells, near_by)) cells.push_back(middle);
    std::sort(cells.begin(), cells.end());
    for (const double c : cells) found.push_back({c, fastest(c)});
    return found;
  }

 private:
  static bool is_near_any(double cells, const std::vector<double>& others, double near) {
    return std::any_of(others.begin(), others.end(),
                       [&](double c) { return std::max(c, cells) < near * std::min(c, cells); });
  }

  bool one_suits_both() const {
    const bool are_far_apart = above_ > far_apart * below_;
    return std::any_of(times_.begin(), times_.end(), [&](const TimesAtTwo& t) {
      return t.may_answer_both && t.below <= suits * best_below_ && t.above <= suits * best_above_ &&
             !(are_far_apart && t.cuts_large_tiles && !t.waits());
    });
  }

  // In cells; infinite where it does not wait.
  double end_of_best_below() const {
    double end = 0;
    for (const TimesAtTwo& t : times_)
      if (t.below == best_below_) end = std::max(end, t.most_cells);
    return end;
  }

  // Along the straight line of the logarithms.
  double between(double at_below, double at_above, double cells) const {
    const double along = std::log(cells / below_) / std::log(above_ / below_);
    return std::exp((1 - along) * std::log(at_below) + along * std::log(at_above));
  }

  double expected(const TimesAtTwo& t, double cells) const {
    const bool knows_below = std::isfinite(t.below), knows_above = std::isfinite(t.above);
    if (t.waits()) return knows_below && cells <= t.most_cells ? t.below : t.above;
    if (knows_below && knows_above) return between(t.below, t.above, cells);
    if (knows_below == knows_above) return never;
    const double behind = knows_below ? t.below / others_below_ : t.above / others_above_;
    return behind * between(others_below_, others_above_, cells);
  }

  // How many times as long as this one, where it is at its end, the best takes of those that go on.
  double gain_at_its_end(const TimesAtTwo& t) const {
    double best = never;
    for (const TimesAtTwo& other : times_)
      if (other.most_cells > too_near * t.most_cells) best = std::min(best, expected(other, t.most_cells));
    return best / expected(t, t.most_cells);
  }

  std::vector<double> ends() const {
    struct End {
      double gain, cells;
    };
    std::vector<End> ends;
    for (const TimesAtTwo& t : times_) {
      if (!std::isfinite(t.below) || t.most_cells < too_near * below_ || too_near * t.most_cells > above_)
        continue;
      if (const double gain = gain_at_its_end(t); gain > suits) ends.push_back({gain, t.most_cells});
    }
    std::sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.gain > b.gain; });
    std::vector<double> cells;
    for (const End& end : ends)
      if (cells.size() < most_ends && !is_near_any(end.cells, cells, too_near)) cells.push_back(end.cells);
    return cells;
  }

  std::vector<std::size_t> fastest(double cells) const {
    std::vector<std::pair<double, std::size_t>> ranked;
    for (std::size_t c = 0; c < times_.size(); ++c)
      if (const double seconds = expected(times_[c], cells); std::isfinite(seconds))
        ranked.emplace_back(seconds, c);
    std::sort(ranked.begin(), ranked.end());
    if (ranked.size() > most_candidates) ranked.resize(most_candidates);
    std::vector<std::size_t> candidates;
    for (const auto& [_, c] : ranked) candidates.push_back(c);
    return candidates;
  }

  double below_, above_;  // cells
  const std::vector<TimesAtTwo>& times_;
  std::vector<double> edges_;
  // Seconds at each: of all, and of those whose blocks do not wait.
  double best_below_ = never, best_above_ = never, others_below_ = never, others_above_ = never;
};

}  // namespace

std::vector<SizeBetween> sizes_between(double cells_below, double cells_above,
                                       const std::vector<TimesAtTwo>& times,
                                       const std::vector<double>& edges) {
  return Between(cells_below, cells_above, times, edges).sizes();
}

}  // namespace cfdmark::tuning
