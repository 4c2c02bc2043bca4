// cfdmark report, history and merge hand over to the Python programs that do them.
#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/commands/python_script.hpp"
#include "bench/run/program.hpp"

namespace cfdmark {

void add_python_commands(CLI::App& app) {
  for (const auto& [name, help] :
       {std::pair("report", "makes tables and one HTML page from records"),
        std::pair("history", "remembers cases commit by commit and finds where they changed"),
        std::pair("merge", "joins record files of one sweep, such as its shards")}) {
    CLI::App* command = app.add_subcommand(name, fmt::format("{}; see {} --help", help, name));
    command->prefix_command();  // everything that follows is for the Python program,
    command->set_help_flag();   // its --help too
    command->callback([command, script = std::string(name)] {
      become_program(script_command(script, command->remaining()));
    });
  }
}

}  // namespace cfdmark
