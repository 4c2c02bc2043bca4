// Looks up the config of a case in the tuned tables, and how well it matches.
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

// Returns the config of the row, and thus of its method, on this grid. An entry is eligible if
// - it was chosen by time, over this method alone, or over all methods and this one won;
// - the source has not changed since;
// - its config is valid here, and launches at most as many cooperative blocks as it allows;
// - a kernel has the same settings of its workload;
// - it was tuned for the same architecture, whatever the device's name.
//
//   exact               this device, a size that it was tuned on; for a solver also problem and tolerance
//   in_range            this device, a range of sizes that covers this one
//   same_architecture   another device of the same architecture, a range that covers this size
//   outside             no range covers this size: the defaults
//   none                no entry is eligible: the defaults
//
// Of several ranges that cover the size the narrowest wins, because it was tuned most closely. If the
// covering entries launch too many cooperative blocks, the range that starts at their end counts as covering
// too. `source_hash` is that of the row now; without it an entry of any source is eligible.
TunedAnswer look_up(const TunedTables&, const TuningDevice&, const Row&, const Grid&, const Config& workload,
                    const std::optional<std::string>& source_hash);

// The best match over several methods of one kernel or solver, and its method. `row` is null if no tuned
// config applies, or the default won: then the default method at this size is right. Equal matches are
// decided by the narrower range.
struct TunedMethod {
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

// Sets the config of each case that requests a tuned one, and notes its origin. A solver with levels but
// without an own entry looks up its kernels by the size of each level (tuned_levels.hpp). `environment`
// describes this machine; warnings of the tables go to `warn`.
void use_tuned_configs(std::vector<Case>&, const TunedTables&, const Json& environment,
                       const std::function<void(const std::string&)>& warn);

// Returns a summary of these matches, such as "2 exact, 1 outside (default configs; cells up to a factor of
// 64 from a tuned size)". Empty if no case requested a tuned config.
std::string tuned_matches_text(const std::vector<Case>&);

// Returns the config of an entry's `winner`, `default` or tie, in the order of the row's space, without unset
// parameters.
Config config_of(const Json& choice, const TuningSpace&);

}  // namespace cfdmark::tuning
