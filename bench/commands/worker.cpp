#include "bench/worker/worker.hpp"

#include "bench/catalog/catalog.hpp"
#include "bench/commands/commands.hpp"
#include "bench/tuned/tuned_levels.hpp"

namespace cfdmark {

void add_worker(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("worker", "measure for `cfdmark run`, which starts this command");
  command->group("");  // hidden
  command->callback([&status] {
    set_level_lookup(tuning::look_up_levels);
    status = worker_main(catalog());
  });
}

}  // namespace cfdmark
