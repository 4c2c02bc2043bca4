// cfdmark tune layouts: the tuned tables, to read and to export. What they hold is read here; Python shows
// it.
#include <fmt/format.h>

#include <algorithm>

#include "bench/commands/commands.hpp"
#include "bench/commands/layouts.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/python_script.hpp"
#include "bench/commands/tune_places.hpp"
#include "bench/tune/tuned_lookup.hpp"
#include "bench/tune/tuned_range.hpp"
#include "bench/tune/tuned_table.hpp"

namespace cfdmark {
namespace {

using namespace tuning;

// Whether the source is still the one that was tuned.
bool is_current(const Json& entry) {
  std::vector<const Row*> methods;
  for (const Row& row : catalog())
    if (entry.at("kind") == to_string(row.kind) && entry.at("name") == row.name &&
        entry.at("backend") == to_string(row.backend) && entry.at("precision") == to_string(row.precision))
      methods.push_back(&row);
  return tuning::is_current(entry, methods);
}

// The entries that are wanted, in the order of the tables.
Json layouts_of(const TunedTables& tables, const WantedLayouts& wanted) {
  Json found = Json::array();
  for (const TunedTable& table : tables.tables)
    for (const Json& entry : table.entries) {
      const auto word = [&](const char* key) { return entry.value(key, ""); };
      const std::string name =
          fmt::format("{} {}{}/{}/{}", table.device.name, word("kind") == "solver" ? "solver " : "",
                      word("name"), word("backend"), word("precision"));
      if (name.find(wanted.text) == std::string::npos) continue;
      if (!wanted.device.empty() && table.device.name != wanted.device) continue;
      if (!wanted.names.empty() &&
          std::find(wanted.names.begin(), wanted.names.end(), word("name")) == wanted.names.end())
        continue;
      const CellRange holds = range_of(entry);
      found.push_back({{"device", table.device.name},
                       {"architecture", table.device.architecture},
                       {"current", is_current(entry)},
                       {"holds", {{"least_cells", holds.least}, {"most_cells", holds.most}}}});
      found.back().update(entry);
    }
  return found;
}

}  // namespace

int show_layouts(const WantedLayouts& wanted) {
  const TunedTables tables =
      wanted.folder.empty() ? read_usual_tuned_tables() : read_tuned_tables(wanted.folder);
  for (const std::string& warning : tables.warnings) fmt::print(stderr, "cfdmark: {}\n", warning);
  const Json layouts = layouts_of(tables, wanted);
  if (layouts.empty())
    fmt::print("no tuned layout{} in {}: `cfdmark tune` makes them\n",
               wanted.text.empty() ? "" : " of " + wanted.text,
               wanted.folder.empty() ? "the tuned tables" : wanted.folder);
  return run_script(
      "layouts.py",
      with_values({{"--header", wanted.header}, {"--json", wanted.json}, {"--csv", wanted.csv}}),
      one_line(layouts));
}

int write_layouts_page(const std::string& folder, const std::string& page) {
  WantedLayouts all;
  all.folder = folder;
  const TunedTables tables = folder.empty() ? read_usual_tuned_tables() : read_tuned_tables(folder);
  return run_script("layouts_page.py", {page}, one_line(layouts_of(tables, all)));
}

void add_layouts(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "layouts",
      in_its_place(app, "layouts",
                   "prints for each kernel, precision and device the layout to use at which size, what it "
                   "gains and what it costs beside the best"));
  auto given = std::make_shared<WantedLayouts>();
  auto page = std::make_shared<std::string>();
  command->add_option("TEXT", given->text,
                      "only those with this in device or row, such as H200 or jacobi/cuda");
  add_value(*command, "--tuned", "FOLDER", given->folder,
            "folder of the tuned tables (default: the program's and the user's own)");
  add_value(*command, "--header", "FILE", given->header,
            "write a C++ header of constexpr layouts that chooses by size");
  add_value(*command, "--json", "FILE", given->json, "write them with all their evidence");
  add_value(*command, "--csv", "FILE", given->csv, "write them as comma-separated values, times in seconds");
  add_value(
      *command, "--page", "FILE", *page,
      "write a page of all devices' layouts, side by side: which carry over from one to another, what the "
      "wrong one costs, and what another device should start from");
  command->footer(
      "examples:\n  cfdmark tune layouts\n  cfdmark tune layouts H200 --header layouts.hpp\n"
      "  cfdmark tune layouts --page out/layouts.html");
  command->callback([given, page, &status] {
    status = show_layouts(*given);
    if (status == exit_ok && !page->empty()) status = write_layouts_page(given->folder, *page);
  });
}

}  // namespace cfdmark
