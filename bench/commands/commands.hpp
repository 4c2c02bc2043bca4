// The subcommands of the program. Each adds itself to the command line and sets the exit status when it runs.
#pragma once

#include <CLI/CLI.hpp>

namespace cfdmark {

// Exit statuses of cfdmark.
inline constexpr int exit_ok = 0, exit_went_wrong = 1, exit_usage = 2, exit_cannot_write = 3,
                     exit_cases_left = 4, exit_wrong_and_left = 5, exit_interrupted = 130;

void add_list(CLI::App& app, int& status);
void add_devices(CLI::App& app, int& status);
void add_new_kernel(CLI::App& app, int& status);
void add_inspect(CLI::App& app, int& status);
void add_solve(CLI::App& app, int& status);
void add_run(CLI::App& app, int& status);
void add_gbench(CLI::App& app, int& status);
void add_reproduce(CLI::App& app, int& status);
void add_tune(CLI::App& app, int& status);
void add_layouts(CLI::App& app, int& status);
void add_space(CLI::App& app, int& status);
void add_compare(CLI::App& app, int& status);
void add_gate(CLI::App& app, int& status);
void add_python_commands(CLI::App& app);  // report, history, merge
void add_descriptions(CLI::App& app);     // completion, man
void add_worker(CLI::App& app, int& status);

}  // namespace cfdmark
