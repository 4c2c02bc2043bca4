// A comparison: what became of each case between a base and a new side, and what that means for the caller.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bench/compare/quantities.hpp"
#include "bench/compare/side.hpp"
#include "bench/compare/verdict.hpp"

namespace cfdmark::compare {

struct CaseComparison {
  std::string name, label;  // of the case; the label is for people: what differs from the defaults
  Verdict verdict = Verdict::undecided;
  std::string reason{};    // in words, where the numbers do not say it all
  double same_within = 0;  // of the verdict `same`: 0.05 for 5 %
  std::optional<Ratio> ratio{};
  double p = 1;                              // of no change, adjusted for the number of cases
  double base_seconds = 0, now_seconds = 0;  // medians of a step; 0 where there is no ratio
  std::size_t rounds = 0;                    // in which both sides were measured
  std::optional<Ratio> control{};            // of the base against itself
  std::vector<QuantityChange> quantities{};

  bool uses_more() const;  // of some quantity
  bool regressed() const { return verdict == Verdict::slower || uses_more(); }
  // Whether it alone keeps the comparison from passing. `strict`: what is undecided does too.
  bool fails(bool strict) const;
};

// What comparing the base with itself in the same run showed.
struct Control {
  std::set<std::string> moved;  // cases in which the base differed from itself
  // A change above this is more than the base may differ from itself: of half of the cases, of all.
  double typical_effect = 0, visible_effect = 0;
};

struct Comparison {
  std::string base, now;   // files or build folders
  std::string time, host;  // of the new side, as its last environment has them; empty where it does not say
  Rule rule;
  std::uint64_t seed = 0;
  bool strict = false;  // undecided is a failure
  std::optional<Control> control;
  std::vector<std::string> warnings;
  std::vector<CaseComparison> cases;  // worst first

  std::size_t count(Verdict) const;
  // Those that are the same within more than the smallest effect only, and the most of theirs.
  std::size_t widened() const;
  double widest_same() const;
  std::size_t regressions() const;
  // True if no case was compared: each runs on neither side, or on the new side only.
  bool says_nothing() const;
};

// Exit statuses of `cfdmark compare` and `cfdmark gate`, least wanted first: wrong or missing over regression
// over undecided, which a strict comparison counts as a regression. `compare_usage`: nothing was compared.
inline constexpr int compare_ok = 0, compare_regression = 1, compare_usage = 2, compare_undecided = 3,
                     compare_wrong = 4;
int exit_status(const Comparison&);

struct CompareSettings {
  Rule rule;
  Thresholds thresholds;
  std::uint64_t seed = 1;
  bool force = false;   // compare what is of different devices, configs or formats
  bool strict = false;  // undecided is a failure
};

// What earlier looks at the same run decided; it stays decided.
struct Earlier {
  int looks = 0;
  std::map<std::string, Verdict> decided;
  std::set<std::string> control_moved;
  void learn(const Comparison&);
};

// `control`: the base once more, or null. Throws std::invalid_argument if the sides are of different devices,
// configs or formats and that is not forced, or if they have nothing to compare.
Comparison compare_sides(const Side& base, const Side& now, const Side* control,
                         const CompareSettings& settings, const Earlier& earlier = {});

// When nothing more is measured: what is undecided is the same within more than the smallest effect, where
// the rule allows it (`wider_same`) and the comparison is not strict.
void widen_same(Comparison&);

}  // namespace cfdmark::compare
