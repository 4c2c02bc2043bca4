// Looks up the config of a case in the tuned tables, and reports how well the entry matches the case.
#pragma once

#include <optional>

#include "bench/tuned/tuned_range.hpp"
#include "bench/tuned/tuned_table.hpp"

namespace cfdmark::tuning {

// Ordered from the best match to the worst.
enum class TunedMatch { exact, in_range, same_architecture, outside, none };
std::string_view to_string(TunedMatch);
// Returns true if the config is a tuned one, not the defaults.
bool is_tuned(TunedMatch);

struct TunedAnswer {
  TunedMatch match = TunedMatch::none;
  Config config;                // the row's defaults for outside and none
  const Json* entry = nullptr;  // for outside: the entry with the nearest size
  std::string device;           // name of the device it was tuned on; empty for none

  bool is_tuned() const { return tuning::is_tuned(match); }
};

// Returns the config of a row (a kernel or solver with backend, precision and method) on this grid. An entry
// is eligible if
// - it is for this row and for grids of the same dimension;
// - it was tuned over this method alone, or over all methods with this one as the winner;
// - it was chosen by time, not by another objective;
// - the source has not changed since (`source_hash`);
// - its config is valid here, and launches at most as many cooperative blocks as the entry allows;
// - the row is a solver, or the settings of its workload equal those that the entry was tuned with;
// - it was tuned for the same architecture. The device may have another name if the architecture is known.
//
//   exact               this device, a size that the entry was tuned on, and the same workload
//   in_range            this device, a range of sizes that covers this one
//   same_architecture   another device of the same architecture, a range that covers this size
//   outside             no range covers this size: the defaults
//   none                no entry is eligible: the defaults
//
// Of several entries that cover the size the best is chosen by these criteria in turn: tuned on this device;
// for a solver, tuned with the same workload; the narrower range, because it was tuned more closely; tuned
// over this method alone. If the covering entries launch too many cooperative blocks on this grid, the next
// larger range counts as covering too, since it was tuned on grids that need more blocks.
//
// `source_hash` is that of the row now; without it an entry of any source is eligible.
TunedAnswer look_up(const TunedTables&, const TuningDevice&, const Row&, const Grid&, const Config& workload,
                    const std::optional<std::string>& source_hash);

// The best match over several methods of one kernel or solver, and its method. Equal matches are decided by
// the narrower range.
struct TunedMethod {
  // Row with the best method. Null if no tuned config applies, or if the default won at all sizes of the
  // entry. The default method can differ between sizes, so the caller then uses the default at this size.
  const Row* row = nullptr;
  TunedAnswer answer;

  bool is_tuned() const { return answer.is_tuned(); }
};
enum class Sources { as_now, any };  // eligible entries: with unchanged source, or any
TunedMethod look_up_method(const TunedTables&, const TuningDevice&, const std::vector<const Row*>&,
                           const Grid&, const Config& workload, Sources = Sources::as_now);

// Returns true if the entry's winner is one of these methods of one kernel or solver, and its source is
// unchanged.
bool is_current(const Json& entry, const std::vector<const Row*>& methods);

// Sets the config of each case that requests a tuned one and whose row can run, and notes its origin. A
// solver with multigrid levels but without a tuned config of its own gets level_blocks=tuned: its kernels are
// looked up by the size of each level (tuned_levels.hpp). Removes cases that are then equal to an earlier
// one. `environment` describes this machine; warnings of the tables go to `warn`.
void use_tuned_configs(std::vector<Case>&, const TunedTables&, const Json& environment,
                       const std::function<void(const std::string&)>& warn);

// Returns a summary of these matches, such as "2 exact, 1 outside (default configs; cells up to a factor of
// 64 from a tuned size)". Empty if no case requested a tuned config.
std::string tuned_matches_text(const std::vector<Case>&);

// Returns the config of `choice`: an entry's `winner`, its `default`, or one of its ties. The settings have
// the order of the row's space; those that `choice` does not set are missing.
Config config_of(const Json& choice, const TuningSpace&);

}  // namespace cfdmark::tuning
