// Options of `cfdmark tune --command`, which tunes a program that is not of this project.
#pragma once

#include <CLI/CLI.hpp>

#include "bench/external/tune_program.hpp"

namespace cfdmark {

void add_program_options(CLI::App& command, ProgramTune&);
// Throws std::invalid_argument if the command line also has an option of kernels and solvers.
void refuse_others(const CLI::App& command);

}  // namespace cfdmark
