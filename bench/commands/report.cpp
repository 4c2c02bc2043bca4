// cfdmark report: hands over to the Python program that makes it.
#include "bench/commands/commands.hpp"
#include "bench/commands/python_script.hpp"

namespace cfdmark {

void add_report(CLI::App& app, int&) {
  CLI::App* command =
      app.add_subcommand("report", "makes tables and one HTML page from records; see report --help");
  command->prefix_command();  // everything that follows is for the Python program,
  command->set_help_flag();   // its --help too
  command->callback([command] { become_script("report.py", command->remaining()); });
}

}  // namespace cfdmark
