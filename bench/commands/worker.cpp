#include "bench/worker/worker.hpp"

#include <limits>

#include "bench/catalog/catalog.hpp"
#include "bench/commands/commands.hpp"
#include "bench/ranks/rank_worker.hpp"
#include "bench/ranks/rank_workloads.hpp"
#include "bench/tuned/tuned_levels.hpp"

namespace cfdmark {

void add_worker(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("worker", "measure for `cfdmark run`, which starts this command");
  command->group("");  // hidden
  auto launcher = std::make_shared<std::string>(), supervisor = std::make_shared<std::string>();
  command->add_option("--launcher", *launcher, "command that starts ranks as processes");
  command->add_option("--rank-of", *supervisor, "worker of this process, which is a rank");
  command->callback([=, &status] {
    set_level_lookup(tuning::look_up_levels);
    if (supervisor->empty()) {
      RankWorkloads processes(*launcher);
      status = worker_main(
          catalog(), [&](const Case& c, const ProcessWait& wait) { return processes.prepare(c, wait); });
      return;
    }
    // The worker limits how long a command may take.
    constexpr double without_limit = std::numeric_limits<double>::infinity();
    status = work_as_rank(*supervisor, without_limit,
                          [](RankProcess& process) { return serve_as_rank(process, catalog()); });
  });
}

}  // namespace cfdmark
