// The roofs of a run, with checks of their plausibility.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "bench/measure/roof.hpp"
#include "bench/record/record.hpp"

namespace cfdmark {

class Ceilings {
 public:
  // Returns the entries of measure_roof; none if measuring is not possible.
  using Measure = std::function<Json(const RoofKey&)>;
  // `known` are entries measured here by a run just before.
  explicit Ceilings(Measure measure, Json known = Json::array())
      : measure_(std::move(measure)), entries_(std::move(known)) {}

  // Measures the missing roofs. One that contradicts another is measured again, then marked unsound.
  void measure(const std::vector<RoofKey>&);
  // Measures known roofs again to record drift. Returns true if an entry changed.
  bool measure_again(const std::vector<RoofKey>&);
  // Compares a record's rate with its roof. A rate far above it suggests that the roof is too low: the roof
  // is measured again, once per run, and marked unsound if the rate is still above it. Returns true if it
  // changed.
  bool doubt(const RoofKey&, Record record);
  bool is_unsound(const RoofKey&) const;
  // Returns the `roof` of a record; null if not measured.
  Json find(const RoofKey& key) const { return find_roof(entries_, key); }
  // Returns the environment's `roofs`.
  const Json& entries() const { return entries_; }

 private:
  // Adds entries. Of two with the same key the higher one stays, since a roof is a maximum; `least` keeps the
  // lowest value seen.
  void add(const Json& entries);
  // Returns how a roof contradicts others of the same device and threads. Bandwidth does not depend on the
  // precision, so a roof far below the best is wrong. Empty: no contradiction, or not measured.
  std::string contradiction(const RoofKey&) const;
  // Marks a roof as unsound: records no longer give their share of it.
  void give_up(const RoofKey&, const std::string& why);

  Measure measure_;
  Json entries_;
  std::set<std::string> doubted_;  // names of roofs that were measured again because of a higher rate
};

// A larger share means that the roof is too low, or that caches help.
inline constexpr double most_of_a_roof = 1.05;

// Returns why a record's rate contradicts its roof: it is far above, and caches cannot explain that for
// fields of this size. Empty: no contradiction, or no roof.
std::string why_above_roof(const Record&);

}  // namespace cfdmark
