// The roofs of a run, and which of them can be believed.
#pragma once

#include <string>

#include "bench/measure/roof.hpp"

namespace cfdmark {

class Roofs {
 public:
  // Entries of measure_roof. Of two entries for the same the faster stays: a roof is the best that was seen.
  void add(const Json& entries);
  // How the roof contradicts another of the same device and threads: a byte costs the same whatever it is
  // part of, so one is wrong if it is far below the best of them. Empty: it does not, or it was not measured.
  std::string contradiction(const RoofKey&) const;
  // Gives up those that contradict another.
  void judge();
  // No share of it is told from now on; `why` says why.
  void give_up(const RoofKey&, const std::string& why);
  bool is_unsound(const RoofKey&) const;
  // What a record has as its `roof`; null if it was not measured.
  Json find(const RoofKey& key) const { return find_roof(entries_, key); }
  // The environment's `roofs`.
  const Json& entries() const { return entries_; }

 private:
  Json entries_ = Json::array();
};

// Why a record's rate cannot be under its roof: it is far above, and its fields are too large for the caches
// to explain that. Empty: it can be, or there is no roof.
std::string why_above_roof(const Json& record);
// Gives a record that is ok another roof, and its share of that.
void give_roof(Json& record, const Json& roof);

}  // namespace cfdmark
