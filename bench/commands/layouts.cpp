// cfdmark tune layouts: prints and exports the tuned tables.
#include "bench/tuned/layouts.hpp"

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"

namespace cfdmark {

void add_layouts(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("layouts",
                                         "print the best layout per range of sizes with its gain and regret, "
                                         "and a start for a kernel of your own");
  auto given = std::make_shared<WantedLayouts>();
  auto page = std::make_shared<std::string>();
  command->add_option("WORDS", given->words,
                      "words that device or row must contain, such as H200 jacobi/cuda/fp64 (default: all)");
  add_value(*command, "--method", "NAME", given->method,
            "method whose best measured layout is printed (default: the best of all methods)");
  command->add_flag("--all", given->all, "print one line per layout instead of a summary");
  add_value(*command, "--tuned", "FOLDER", given->folder,
            "folder of the tuned tables (default: the program's and the user's own)");
  add_value(*command, "--header", "FILE", given->header,
            "write a C++ header with constexpr layouts by size; - is the standard output");
  add_value(*command, "--json", "FILE", given->json,
            "write the layouts with their evidence as JSON; - is the standard output");
  add_value(*command, "--csv", "FILE", given->csv,
            "write the layouts as CSV with times in seconds; - is the standard output");
  add_value(
      *command, "--page", "FILE", *page,
      "write a page that compares all devices: which layouts carry over, what a wrong one costs, and what "
      "a new device should start from");
  command->footer(
      "examples:\n  cfdmark tune layouts\n  cfdmark tune layouts H200 jacobi/cuda/fp64\n"
      "  cfdmark tune layouts jacobi --method plain\n  cfdmark tune layouts H200 --header layouts.hpp\n"
      "  cfdmark tune layouts --page out/layouts.html");
  command->callback([given, page, &status] {
    status = show_layouts(*given);
    if (status == exit_ok && !page->empty()) status = write_layouts_page(given->folder, *page);
  });
}

}  // namespace cfdmark
