// cfdmark list: prints the rows of the catalog.
#include "bench/catalog/catalog_text.hpp"
#include "bench/commands/commands.hpp"

namespace cfdmark {

void add_list(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("list", "list kernels and solvers, and why some are not available");
  auto text = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command->add_option("TEXT", *text,
                      "text that row names must contain, such as jacobi, /cuda/ or fp32 (default: all rows)");
  command->add_flag("--json", *json, "print a JSON array with one object per row and its settings");
  command->footer("examples:\n  cfdmark list\n  cfdmark list red_black_sor/openmp\n  cfdmark list --json");
  command->callback([text, json] { print_catalog(*text, *json); });
}

}  // namespace cfdmark
