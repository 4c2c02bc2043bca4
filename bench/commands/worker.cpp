#include "bench/worker/worker.hpp"

#include "bench/catalog/catalog.hpp"
#include "bench/commands/commands.hpp"

namespace cfdmark {

void add_worker(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("worker", "measure for `cfdmark run`, which starts this command");
  command->group("");  // hidden
  command->callback([&status] { status = worker_main(catalog()); });
}

}  // namespace cfdmark
