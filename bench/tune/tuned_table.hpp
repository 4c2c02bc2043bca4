// The tuned tables: one folder a device with one file a name, such as results/tuned/<device>/jacobi.json,
// with what was found best and why (results/README.md has the format).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/catalog/case.hpp"
#include "bench/record/json.hpp"
#include "bench/tune/device.hpp"

namespace cfdmark::tuning {

// The folder that a tune writes its answer into: $CFDMARK_TUNED; else the user's own, cfdmark/tuned in
// $XDG_DATA_HOME or ~/.local/share; without a home, out/tuned. Never the tables that come with the program,
// which are results/tuned of its sources, or tuned/ of an installation: to update these, name them.
std::string tuned_folder();

struct TunedTable {
  TuningDevice device;
  std::vector<Json> entries;  // of all its files
};

struct TunedTables {
  std::vector<TunedTable> tables;     // one a device, in the order of their files
  std::vector<std::string> warnings;  // "FILE: ..." for each file, and each entry, that was left out
};
// Reads every *.json of the folders in the folder. A folder that is not there has no tables.
TunedTables read_tuned_tables(const std::string& folder);
// $CFDMARK_TUNED; or the user's own tables, which come first, and the program's.
TunedTables read_usual_tuned_tables();

// Throws WriteError where update_tuned_table would with entries of this name: before hours of measuring for a
// table that cannot be kept.
void check_tuned_table(const std::string& folder, const TuningDevice& device, const std::string& name);

// Puts the entries, which are of one name, into that one's file, in place of those that answer the same
// question at sizes that are all among theirs, and returns its path. What was measured keeps six digits. A
// size between those that were asked for is among them where they have one within `size_margin` of it, or a
// smaller and a larger one in a range: a short tune that did not come to measure between its sizes leaves
// what a longer one found there. An entry that `is_expired` goes where all its sizes are within their ranges:
// no lookup takes it any more. Safe against others that do the same: each waits for its turn and reads what
// the last has written. Throws WriteError if the file cannot be written, or is damaged or not ours, and then
// leaves it as it is.
std::string update_tuned_table(const std::string& folder, const TuningDevice& device,
                               const std::vector<Json>& entries,
                               const std::function<bool(const Json&)>& is_expired = nullptr);

}  // namespace cfdmark::tuning
