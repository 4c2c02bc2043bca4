// The subcommands of the program. Each adds itself to the command line and sets the exit status when it runs.
#pragma once

#include <CLI/CLI.hpp>

#include "bench/text/exit_status.hpp"

namespace cfdmark {

void add_list(CLI::App& app, int& status);
void add_devices(CLI::App& app, int& status);
void add_new_kernel(CLI::App& app, int& status);
void add_inspect(CLI::App& app, int& status);
void add_mesh(CLI::App& app, int& status);
void add_batch(CLI::App& app, int& status);
void add_solve(CLI::App& app, int& status);
void add_run(CLI::App& app, int& status);
void add_campaign(CLI::App& app, int& status);
void add_gbench(CLI::App& app, int& status);
void add_choose(CLI::App& app, int& status);
void add_shape(CLI::App& app, int& status);
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
