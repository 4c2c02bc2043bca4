// The tuned tables hold the best configs and their evidence (format: results/README.md). A device has a
// folder, and a kernel or solver has a file in it, such as results/tuned/<device>/jacobi.json.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/text/json.hpp"
#include "bench/tuned/device.hpp"

namespace cfdmark::tuning {

// Returns the folder to write answers to: $CFDMARK_TUNED; else cfdmark/tuned in $XDG_DATA_HOME or
// ~/.local/share; without a home out/tuned. Tables that come with the program (results/tuned of its sources,
// or tuned/ of an installation) are written only if named explicitly.
std::string tuned_folder();

struct TunedTable {
  TuningDevice device;
  std::vector<Json> entries;  // entries of all its files
};

struct TunedTables {
  std::vector<TunedTable> tables;     // one per device, in file order
  std::vector<std::string> warnings;  // "FILE: ..." for each skipped file and entry
};
// Reads every *.json of the folder's subfolders. A missing folder has no tables.
TunedTables read_tuned_tables(const std::string& folder);
// Reads $CFDMARK_TUNED, or else the user's own tables, which take precedence, and the program's.
TunedTables read_usual_tuned_tables();

// Throws WriteError if update_tuned_table would for this name, so that a tune fails before hours of
// measuring.
void check_tuned_table(const std::string& folder, const TuningDevice& device, const std::string& name);

// Writes the entries, all of one name, to its file, and returns the path. Measured values keep six digits.
// Replaces entries with the same settings whose sizes are all covered by the new ones:
// - a requested size is covered by the same requested size;
// - a size between requested ones is covered by a new size within `size_margin`, by a new range with smaller
//   and larger sizes, or by a narrower new range. So a short tune keeps what a longer one measured between
//   its sizes;
// - an entry for which `is_expired` returns true needs only its sizes within the new ranges, because no
//   look-up uses it.
//
// Safe against concurrent writers: each waits for a lock and reads the last state. Throws WriteError if the
// file cannot be written, is damaged or is not a tuned table, and then leaves it unchanged.
std::string update_tuned_table(const std::string& folder, const TuningDevice& device,
                               const std::vector<Json>& entries,
                               const std::function<bool(const Json&)>& is_expired = nullptr);

}  // namespace cfdmark::tuning
