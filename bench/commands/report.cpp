// cfdmark report: hands over to the Python program that makes it.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>

#include "bench/build_info.hpp"
#include "bench/commands/commands.hpp"

namespace cfdmark {
namespace {

namespace fs = std::filesystem;

// Beside an installed program, or in the sources that it was built from.
std::string script() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed = program.parent_path().parent_path() / "share/cfdmark/scripts/report.py";
  const fs::path source = fs::path(build_info().source_folder) / "scripts/report.py";
  for (const fs::path& path : {installed, source})
    if (fs::exists(path, ignored)) return path.string();
  throw std::runtime_error(
      fmt::format("the report's program is neither at {} nor at {}", installed.string(), source.string()));
}

// Returns only if no Python can be started.
void become_python(std::vector<std::string> arguments) {
  const char* chosen = std::getenv("CFDMARK_PYTHON");
  std::vector<char*> argv;
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  for (const char* python : {chosen, "python3", "/usr/bin/python3"}) {
    if (!python) continue;
    argv[0] = const_cast<char*>(python);
    execvp(python, argv.data());
    if (python == chosen)
      throw std::runtime_error(fmt::format("CFDMARK_PYTHON={}: {}", python, std::strerror(errno)));
  }
}

}  // namespace

void add_report(CLI::App& app, int&) {
  CLI::App* command =
      app.add_subcommand("report", "makes tables and one HTML page from records; see report --help");
  command->prefix_command();  // everything that follows is for the Python program,
  command->set_help_flag();   // its --help too
  command->callback([command] {
    std::vector<std::string> arguments = {"python3", script()};
    for (const std::string& argument : command->remaining()) arguments.push_back(argument);
    become_python(arguments);
    throw std::runtime_error(
        "the report needs Python 3 with matplotlib and jinja2, and there is no python3; on Debian and "
        "Ubuntu: apt install python3-matplotlib python3-jinja2");
  });
}

}  // namespace cfdmark
