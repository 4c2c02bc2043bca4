#include "bench/runs/run_gbench.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/catalog/device_choice.hpp"
#include "bench/gbench/gbench.hpp"
#include "bench/record/environment.hpp"
#include "bench/sweep/sweep.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/tuned/tuned_levels.hpp"
#include "bench/tuned/tuned_lookup.hpp"
#include "bench/worker/data_files.hpp"

namespace cfdmark {
namespace {

void print_warning(const std::string& warning) { fmt::print(stderr, "cfdmark: {}\n", warning); }

}  // namespace

int run_gbench(const GbenchRequest& given) {
  std::vector<Case> cases = read_sweep(sweep_path(given.sweep)).cases;
  use_device(cases, given.device);
  const Json environment = describe_environment();
  if (std::any_of(cases.begin(), cases.end(), [](const Case& c) { return c.tuned.wanted; }))
    tuning::use_tuned_configs(cases, tuning::read_usual_tuned_tables(), environment, print_warning);
  set_level_lookup(tuning::look_up_levels);
  return run_google_benchmark(cases, environment, given.flags) ? exit_ok : exit_went_wrong;
}

}  // namespace cfdmark
