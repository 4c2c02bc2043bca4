#include "tuning/between_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "tuning/size_ranges.hpp"

namespace cfdmark::tuning {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::size_t most_ends = 4, most_candidates = 6;
// Ratio to the best time at both sizes up to which one candidate answers both. Stricter than the tolerance of
// a shared answer (size_ranges.hpp), because checking costs only a few samples.
constexpr double suits = 1.02;
// Ratio of cells below which two sizes count as the same.
constexpr double too_near = 1.05;
// Ratio of cells below which nothing is measured between two sizes. Also the least ratio between the
// geometric mean and another chosen size.
constexpr double near_by = 1.3;
// Ratio of cells above which large tiles that suit both sizes may still not suit the sizes between them.
constexpr double far_apart = 3;
// Factor by which a size lies beyond the limit of a cooperative candidate.
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

  // Returns cells; infinite if the best is not cooperative.
  double end_of_best_below() const {
    double end = 0;
    for (const TimesAtTwo& t : times_)
      if (t.below == best_below_) end = std::max(end, t.most_cells);
    return end;
  }

  // Interpolates linearly in logarithms.
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

  // Returns the best estimated time of candidates with larger limits over this candidate's time, at its
  // limit.
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
  // Least seconds at each size, of all candidates and of the non-cooperative ones.
  double best_below_ = never, best_above_ = never, others_below_ = never, others_above_ = never;
};

}  // namespace

std::vector<SizeBetween> sizes_between(double cells_below, double cells_above,
                                       const std::vector<TimesAtTwo>& times,
                                       const std::vector<double>& edges) {
  return Between(cells_below, cells_above, times, edges).sizes();
}

}  // namespace cfdmark::tuning
