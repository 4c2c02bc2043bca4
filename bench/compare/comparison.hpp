// The result of a comparison. It has a verdict for each case, and an exit status for all of them.
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
  std::string name, label;  // identifier of the case; label for people: what differs from the defaults
  Verdict verdict = Verdict::undecided;
  std::string reason{};    // explanation where the numbers do not suffice
  double same_within = 0;  // bound of the verdict `same`: 0.05 for 5 %
  std::optional<Ratio> ratio{};
  double p = 1;                              // see Finding::p
  double base_seconds = 0, now_seconds = 0;  // median seconds of a step; 0 without a ratio
  std::size_t rounds = 0;                    // rounds in which both sides were measured
  std::optional<Ratio> control{};            // the base against itself
  std::vector<QuantityChange> quantities{};

  bool uses_more() const;  // true if some quantity got worse
  bool regressed() const { return verdict == Verdict::slower || uses_more(); }
  // True if this case alone makes the comparison fail. With `strict`, an undecided case fails too.
  bool fails(bool strict) const;
};

// The base compared with itself in the same run.
struct Control {
  std::set<std::string> moved;  // cases in which the base differed from itself
  // Smallest change that can be detected in half of the cases (typical_effect), and in all cases
  // (visible_effect). Smaller ones are within the control's own variation.
  double typical_effect = 0, visible_effect = 0;
};

struct Comparison {
  std::string base, now;   // files or build folders
  std::string time, host;  // from the new side's last environment; empty if not recorded
  Rule rule;
  std::uint64_t seed = 0;
  bool strict = false;  // undecided counts as failure
  std::optional<Control> control;
  std::vector<std::string> warnings;
  std::vector<CaseComparison> cases;  // worst first

  std::size_t count(Verdict) const;
  // Number of cases that are `same` only within more than the smallest effect, and the largest such bound.
  std::size_t widened() const;
  double widest_same() const;
  std::size_t regressions() const;
  // True if no case was compared: each runs on neither side, or on the new side only.
  bool says_nothing() const;
};

// Exit statuses of `cfdmark compare` and `cfdmark gate`. Wrong or missing takes precedence over regression,
// and regression over undecided. A strict comparison counts undecided as regression. `compare_usage`: nothing
// was compared.
inline constexpr int compare_ok = 0, compare_regression = 1, compare_usage = 2, compare_undecided = 3,
                     compare_wrong = 4;
int exit_status(const Comparison&);

struct CompareSettings {
  Rule rule;
  Thresholds thresholds;
  std::uint64_t seed = 1;
  bool force = false;   // compare in spite of different devices, configs or formats
  bool strict = false;  // undecided counts as failure
};

// Verdicts of earlier judgements in the same run. Decided cases keep theirs, unless the control shows changes
// as large.
struct PriorLooks {
  int looks = 0;
  std::map<std::string, Verdict> decided;
  std::set<std::string> control_moved;
  void learn(const Comparison&);
};

// Compares two sides. `control` is the base measured again, or null. Throws std::invalid_argument if there is
// no case to compare, or, unless forced, if the sides differ in device, config or format.
Comparison compare_sides(const Side& base, const Side& now, const Side* control,
                         const CompareSettings& settings, const PriorLooks& prior_looks = {});

// Applied when measuring has ended: turns undecided cases into `same` within a wider bound, where the rule
// allows it (`wider_same`). Does nothing in a strict comparison.
void widen_same(Comparison&);

}  // namespace cfdmark::compare
