// The roofs of a run, and which of them can be believed.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "bench/measure/roof.hpp"

namespace cfdmark {

class Roofs {
 public:
  // Gives the entries of measure_roof; none where that is not possible.
  using Measure = std::function<Json(const RoofKey&)>;
  // `known`: entries that a run just before has measured here.
  explicit Roofs(Measure measure, Json known = Json::array())
      : measure_(std::move(measure)), entries_(std::move(known)) {}

  // Measures those that are not known. One that contradicts another is measured again, then given up.
  void measure(const std::vector<RoofKey>&);
  // Measures these once more, so that their drift is known. Returns whether an entry changed.
  bool measure_again(const std::vector<RoofKey>&);
  // Holds the rate of a record against its roof. A rate that the roof does not allow speaks against the roof:
  // it is measured again, once in a run, and given up if the rate stays above it. Returns whether it changed.
  bool doubt(const RoofKey&, Json record);
  bool is_unsound(const RoofKey&) const;
  // What a record has as its `roof`; null if it was not measured.
  Json find(const RoofKey& key) const { return find_roof(entries_, key); }
  // The environment's `roofs`.
  const Json& entries() const { return entries_; }

 private:
  // Of two entries for the same the faster stays: a roof is the best that was seen. `least` keeps the
  // slowest.
  void add(const Json& entries);
  // How the roof contradicts another of the same device and threads: a byte costs the same whatever it is
  // part of, so one is wrong if it is far below the best of them. Empty: it does not, or it was not measured.
  std::string contradiction(const RoofKey&) const;
  // No share of it is told from now on; `why` says why.
  void give_up(const RoofKey&, const std::string& why);

  Measure measure_;
  Json entries_;
  std::set<std::string> doubted_;  // names of those that were measured again for a rate above them
};

// A larger share of a roof means that the roof was measured too low, or that caches help.
inline constexpr double most_of_a_roof = 1.05;

// Why a record's rate cannot be under its roof: it is far above, and its fields are too large for the caches
// to explain that. Empty: it can be, or there is no roof.
std::string why_above_roof(const Json& record);
// Gives a record that is ok another roof, and its share of that.
void give_roof(Json& record, const Json& roof);

}  // namespace cfdmark
