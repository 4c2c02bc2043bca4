#pragma once

#include <CLI/CLI.hpp>

namespace cfdmark {

// Adds the subcommand; `status` is the program's exit status when it has run.
void add_solve_command(CLI::App&, int& status);

}  // namespace cfdmark
