// cfdmark tune layouts: the tuned tables, to read and to export. What they hold is read here; Python shows
// it.
#include <fmt/format.h>

#include <algorithm>

#include "bench/catalog/source_hash.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/python_script.hpp"
#include "bench/commands/tune_places.hpp"
#include "bench/tune/tuned_range.hpp"
#include "bench/tune/tuned_table.hpp"

namespace cfdmark {
namespace {

using namespace tuning;

struct CommandLine {
  std::string text, folder, header, json, csv;
};

// Whether the source is still the one that was tuned.
bool is_current(const Json& entry) {
  const auto& rows = catalog();
  return entry.at("source_hash") != "" && std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
           return entry.at("kind") == to_string(row.kind) && entry.at("name") == row.name &&
                  entry.at("backend") == to_string(row.backend) &&
                  entry.at("precision") == to_string(row.precision) &&
                  entry["winner"].at("method") == row.method && entry.at("source_hash") == source_hash(row);
         });
}

// The entries whose device or name/backend/precision holds the text, in the order of the tables.
Json layouts_of(const TunedTables& tables, const std::string& text) {
  Json found = Json::array();
  for (const TunedTable& table : tables.tables)
    for (const Json& entry : table.entries) {
      const auto word = [&](const char* key) { return entry.value(key, ""); };
      const std::string name =
          fmt::format("{} {}/{}/{}", table.device.name, word("name"), word("backend"), word("precision"));
      if (name.find(text) == std::string::npos) continue;
      const CellRange holds = range_of(entry);
      found.push_back({{"device", table.device.name},
                       {"architecture", table.device.architecture},
                       {"current", is_current(entry)},
                       {"holds", {{"least_cells", holds.least}, {"most_cells", holds.most}}}});
      found.back().update(entry);
    }
  return found;
}

int show(const CommandLine& given) {
  const TunedTables tables =
      given.folder.empty() ? read_usual_tuned_tables() : read_tuned_tables(given.folder);
  for (const std::string& warning : tables.warnings) fmt::print(stderr, "cfdmark: {}\n", warning);
  const Json layouts = layouts_of(tables, given.text);
  if (layouts.empty())
    fmt::print("no tuned layout{} in {}: `cfdmark tune` makes them\n",
               given.text.empty() ? "" : " of " + given.text,
               given.folder.empty() ? "the tuned tables" : given.folder);
  return run_script("layouts.py",
                    with_values({{"--header", given.header}, {"--json", given.json}, {"--csv", given.csv}}),
                    one_line(layouts));
}

}  // namespace

void add_layouts(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "layouts",
      in_its_place(app, "layouts",
                   "prints for each kernel, precision and device the layout to use at which size, what it "
                   "gains and what it costs beside the best"));
  auto given = std::make_shared<CommandLine>();
  command->add_option("TEXT", given->text,
                      "only those with this in device or row, such as H200 or jacobi/cuda");
  add_value(*command, "--tuned", "FOLDER", given->folder,
            "folder of the tuned tables (default: the program's and the user's own)");
  add_value(*command, "--header", "FILE", given->header,
            "write a C++ header of constexpr layouts that chooses by size");
  add_value(*command, "--json", "FILE", given->json, "write them with all their evidence");
  add_value(*command, "--csv", "FILE", given->csv, "write them as comma-separated values, times in seconds");
  command->footer("examples:\n  cfdmark tune layouts\n  cfdmark tune layouts H200 --header layouts.hpp");
  command->callback([given, &status] { status = show(*given); });
}

}  // namespace cfdmark
