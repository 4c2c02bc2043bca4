// Parses the command line, runs its command, and reports what went wrong.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

namespace cfdmark {

// Opens closed standard streams on /dev/null. Otherwise the next file opened would get their number and
// receive the output. Reading 0 and writing 1 fail as on a closed stream; messages to 2 are discarded.
void fill_standard_streams();

// Returns a formatter that wraps help to the width of the terminal.
std::shared_ptr<CLI::FormatterBase> wrapped_help();

// Makes empty values of options an error: they come from unset shell variables, and an empty value would be
// taken for the default. An empty --filter is allowed and matches everything. Commands added later are not
// covered.
void refuse_empty_values(CLI::App&);

// Parses the words and runs their command, which sets `status`. `help run` means `run --help`. Prints any
// error. Returns the exit status of the program.
int parse_and_run(CLI::App&, const int& status, int argc, char** argv);

}  // namespace cfdmark
