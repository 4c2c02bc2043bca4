// cfdmark report, history and merge run the Python programs of that name.
#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/worker/program.hpp"
#include "bench/worker/python_script.hpp"

namespace cfdmark {

void add_python_commands(CLI::App& app) {
  for (const auto& [name, help] :
       {std::pair("report", "make tables and one HTML page from records"),
        std::pair("history", "store records commit by commit and find where they changed"),
        std::pair("merge", "merge the result files of a sweep, such as its shards")}) {
    CLI::App* command = app.add_subcommand(name, fmt::format("{}; see {} --help", help, name));
    command->prefix_command();  // all further words go to the Python program,
    command->set_help_flag();   // including --help
    command->callback([command, script = std::string(name)] {
      become_program(script_command(script, command->remaining()));
    });
  }
}

}  // namespace cfdmark
