// cfdmark history: hands over to the Python program that keeps it.
#include "bench/commands/commands.hpp"
#include "bench/commands/python_script.hpp"

namespace cfdmark {

void add_history(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand(
      "history", "remembers cases commit by commit and finds where they changed; see history --help");
  command->prefix_command();  // everything that follows is for the Python program,
  command->set_help_flag();   // its --help too
  command->callback([command] { become_script("history.py", command->remaining()); });
}

}  // namespace cfdmark
