// cfdmark layouts: the tuned tables, to read and to export.
#include "bench/tune/layouts.hpp"

#include <fmt/format.h>

#include <fstream>

#include "bench/commands/commands.hpp"
#include "bench/record/records.hpp"

namespace cfdmark {
namespace {

using namespace tuning;

struct Wishes {
  std::string text, folder, header, json, csv;
};

void write_file(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw WriteError(fmt::format("cannot write {}", path));
  fmt::print("written: {}\n", path);
}

int show(const Wishes& w) {
  const TunedTables tables = read_tuned_tables(w.folder);
  for (const std::string& warning : tables.warnings) fmt::print(stderr, "cfdmark: {}\n", warning);
  const std::vector<Layout> layouts = layouts_of(tables, w.text);
  if (layouts.empty())
    fmt::print("no tuned layout{} in {}: `cfdmark tune` makes them\n", w.text.empty() ? "" : " of " + w.text,
               w.folder);
  fmt::print("{}", layouts_table(layouts));
  write_file(w.header, layouts_header(layouts));
  write_file(w.json, layouts_json(layouts));
  write_file(w.csv, layouts_csv(layouts));
  return exit_ok;
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
