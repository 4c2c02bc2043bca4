// Options of the commands that measure.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "bench/runs/run_summary.hpp"

namespace cfdmark {

// Adds --filter, --budget, --dry-run, --fresh, --case-seconds, --interval, --processes, --timeout,
// --launcher and --no-roofs. `whole` says what the budget covers.
void add_run_choices(CLI::App& command, RunChoices& choices, const std::string& whole);

}  // namespace cfdmark
