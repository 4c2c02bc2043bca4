#include "bench/tuned/layouts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "bench/catalog/catalog.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/words.hpp"
#include "bench/tuned/tuned_lookup.hpp"
#include "bench/tuned/tuned_range.hpp"
#include "bench/tuned/tuned_table.hpp"
#include "bench/worker/python_script.hpp"

namespace cfdmark {
namespace {

using namespace tuning;

// Returns true if the source is unchanged since the entry was tuned.
bool is_current(const Json& entry) {
  std::vector<const Row*> methods;
  for (const Row& row : catalog())
    if (entry.at("kind") == to_string(row.kind) && entry.at("name") == row.name &&
        entry.at("backend") == to_string(row.backend) && entry.at("precision") == to_string(row.precision))
      methods.push_back(&row);
  return tuning::is_current(entry, methods);
}

// Returns "NVIDIA H200 solver cg/cuda/fp64".
std::string text_of(const TuningDevice& device, const Json& entry) {
  const auto word = [&](const char* key) { return entry.value(key, ""); };
  return fmt::format("{} {}{}/{}/{}", device.name, word("kind") == "solver" ? "solver " : "", word("name"),
                     word("backend"), word("precision"));
}

using Names = std::set<std::string>;
Names names_in(const TunedTables& tables) {
  Names names;
  for (const TunedTable& table : tables.tables)
    for (const Json& entry : table.entries) names.insert(entry.value("name", ""));
  return names;
}

// Returns true if the word is part of the text. The full name of a kernel or solver, also with a backend
// after it, matches only that one: jacobi/cuda does not match block_jacobi/cuda.
bool matches(const TuningDevice& device, const Json& entry, const std::string& word, const Names& names) {
  const std::string name = word.substr(0, word.find('/'));
  if (names.count(name) && entry.value("name", "") != name) return false;
  return text_of(device, entry).find(word) != std::string::npos;
}

bool is_wanted(const TuningDevice& device, const Json& entry, const WantedLayouts& wanted,
               const Names& names) {
  const auto has = [](const std::vector<std::string>& some, const std::string& one) {
    return std::find(some.begin(), some.end(), one) != some.end();
  };
  return (wanted.device.empty() || device.name == wanted.device) &&
         (wanted.names.empty() || has(wanted.names, entry.value("name", ""))) &&
         std::all_of(wanted.words.begin(), wanted.words.end(),
                     [&](const std::string& word) { return matches(device, entry, word, names); });
}

// Returns the selected entries, in the order of the tables.
Json layouts_of(const TunedTables& tables, const WantedLayouts& wanted) {
  const Names names = names_in(tables);
  Json found = Json::array();
  for (const TunedTable& table : tables.tables)
    for (const Json& entry : table.entries) {
      if (!is_wanted(table.device, entry, wanted, names)) continue;
      const CellRange holds = range_of(entry);
      found.push_back({{"device", table.device.name},
                       {"architecture", table.device.architecture},
                       {"current", is_current(entry)},
                       {"holds", {{"least_cells", holds.least}, {"most_cells", holds.most}}}});
      found.back().update(entry);
    }
  return found;
}

// Returns the words in devices and rows of the layouts, for suggestions.
std::vector<std::string> known_words(const TunedTables& tables) {
  Names known;
  for (const TunedTable& table : tables.tables)
    for (const Json& entry : table.entries) {
      std::string text = text_of(table.device, entry);
      std::replace(text.begin(), text.end(), '/', ' ');
      std::istringstream words(text);
      for (std::string word; words >> word;) known.insert(word);
    }
  return {known.begin(), known.end()};
}

// Returns the error for words that no single layout contains.
std::string complaint(const TunedTables& tables, const WantedLayouts& wanted) {
  for (const std::string& word : wanted.words) {
    WantedLayouts alone;
    alone.words = {word};
    if (layouts_of(tables, alone).empty())
      return fmt::format("no tuned layout matches '{}' in device or row{}", word,
                         did_you_mean(word, known_words(tables)));
  }
  std::string all;
  for (const std::string& word : wanted.words) all += (all.empty() ? "'" : ", '") + word + "'";
  return "no tuned layout matches all of " + all + " in device or row";
}

}  // namespace

int show_layouts(const WantedLayouts& wanted) {
  const TunedTables tables =
      wanted.folder.empty() ? read_usual_tuned_tables() : read_tuned_tables(wanted.folder);
  for (const std::string& warning : tables.warnings) fmt::print(stderr, "cfdmark: {}\n", warning);
  const Json layouts = layouts_of(tables, wanted);
  if (layouts.empty() && !wanted.words.empty()) {
    fmt::print(stderr, "cfdmark: tune layouts: {}\n", complaint(tables, wanted));
    return exit_usage;
  }
  if (layouts.empty())
    fmt::print(stderr, "cfdmark: no tuned layout in {}; run `cfdmark tune` first\n",
               wanted.folder.empty() ? "the tuned tables" : wanted.folder);
  std::vector<std::string> arguments = with_values({{"--header", wanted.header},
                                                    {"--json", wanted.json},
                                                    {"--csv", wanted.csv},
                                                    {"--method", wanted.method}});
  if (wanted.all) arguments.push_back("--all");
  return run_script("layouts", arguments, one_line(layouts));
}

int write_layouts_page(const std::string& folder, const std::string& page) {
  WantedLayouts all;
  all.folder = folder;
  const TunedTables tables = folder.empty() ? read_usual_tuned_tables() : read_tuned_tables(folder);
  return run_script("layouts-page", {page}, one_line(layouts_of(tables, all)));
}

}  // namespace cfdmark
