// cfdmark layouts: the tuned tables, to read and to export. What they hold is read here; Python shows it.
#include <fmt/format.h>

#include <algorithm>

#include "bench/catalog/source_hash.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/python_script.hpp"
#include "bench/tune/tuned_table.hpp"

namespace cfdmark {
namespace {

using namespace tuning;

struct Wishes {
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
      found.push_back({{"device", table.device.name},
                       {"architecture", table.device.architecture},
                       {"current", is_current(entry)}});
      found.back().update(entry);
    }
  return found;
}

int show(const Wishes& w) {
  const TunedTables tables = read_tuned_tables(w.folder);
  for (const std::string& warning : tables.warnings) fmt::print(stderr, "cfdmark: {}\n", warning);
  const Json layouts = layouts_of(tables, w.text);
  if (layouts.empty())
    fmt::print("no tuned layout{} in {}: `cfdmark tune` makes them\n", w.text.empty() ? "" : " of " + w.text,
               w.folder);
  return run_script("layouts.py", with_values({{"--header", w.header}, {"--json", w.json}, {"--csv", w.csv}}),
                    one_line(layouts));
}

}  // namespace

void add_layouts(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "layouts", "prints for each kernel, precision and device the layout to use and what it gains");
  auto wishes = std::make_shared<Wishes>();
  wishes->folder = tuned_folder();
  command->add_option("TEXT", wishes->text,
                      "only those with this in device or row, such as H200 or jacobi/cuda");
  command->add_option("--tuned", wishes->folder, "folder of the tuned tables")
      ->type_name("FOLDER")
      ->capture_default_str();
  command->add_option("--header", wishes->header, "write a C++ header of constexpr layouts")
      ->type_name("FILE");
  command->add_option("--json", wishes->json, "write them with all their evidence")->type_name("FILE");
  command->add_option("--csv", wishes->csv, "write them as comma-separated values, times in seconds")
      ->type_name("FILE");
  command->footer("examples:\n  cfdmark layouts\n  cfdmark layouts H200 --header layouts.hpp");
  command->callback([wishes, &status] { status = show(*wishes); });
}

}  // namespace cfdmark
