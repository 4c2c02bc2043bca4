// cfdmark merge: hands over to the Python program that does it.
#include "bench/commands/commands.hpp"
#include "bench/commands/python_script.hpp"

namespace cfdmark {

void add_merge(CLI::App& app, int&) {
  CLI::App* command =
      app.add_subcommand("merge", "joins record files of one sweep, such as its shards; see merge --help");
  command->prefix_command();  // everything that follows is for the Python program,
  command->set_help_flag();   // its --help too
  command->callback([command] { become_script("merge.py", command->remaining()); });
}

}  // namespace cfdmark
