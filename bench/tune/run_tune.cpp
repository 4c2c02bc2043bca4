#include "bench/tune/run_tune.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "bench/case/settings_help.hpp"
#include "bench/record/records.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "bench/tune/tune_jobs.hpp"
#include "bench/tune/tune_text.hpp"

namespace cfdmark {
namespace {

using namespace tuning;

std::string backend_of(const TuneJob& job) { return std::string(to_string(job.row().backend)); }

std::string usual_output(const TuneRequest& given, const std::vector<TuneJob>& jobs) {
  const Row& row = jobs.front().row();
  const char* verb = given.asked.check ? "check" : "tune";
  if (given.asked.all) return fmt::format("out/{}-all-{}.jsonl", verb, backend_of(jobs.front()));
  if (jobs.size() > 1) return fmt::format("out/{}-several-{}.jsonl", verb, backend_of(jobs.front()));
  return fmt::format("out/{}-{}-{}-{}.jsonl", verb, row.name, backend_of(jobs.front()),
                     to_string(row.precision));
}

int tune_one(const TuneJob& job, TuneOptions o) {
  o.scope = job.scope;
  Progress progress(stderr);
  TuneSession session(o);
  const TuneResult result = tune(job.targets, o, session, progress);
  print_answers(result, o);
  fmt::print("{}\nrecords: {}\n", time_text(session), printable(o.output));
  if (!result.table.empty()) fmt::print("tuned table: {}\n", result.table);
  if (!result.left.empty()) fmt::print("remaining: {}; increase --budget\n", left_sizes_text(result));
  if (!result.unkept.empty()) throw WriteError(result.unkept);
  return result.interrupted ? exit_interrupted : result.left.empty() ? exit_ok : exit_cases_left;
}

// Returns the variable that makes malloc use 2 MiB pages. Host copies of device fields take gigabytes and are
// not timed; large pages are allocated and freed faster (docs/decisions).
std::string malloc_by_large_pages() {
  const char* own = std::getenv("GLIBC_TUNABLES");
  return fmt::format("GLIBC_TUNABLES={}{}glibc.malloc.hugetlb=1", own ? own : "", own ? ":" : "");
}

}  // namespace

int run_tune(TuneRequest given) {
  if (given.asked.names.empty() && !given.asked.all)
    throw std::invalid_argument(
        "tune: expected the NAME of a kernel or solver (see `cfdmark list`), --all, layouts or space");
  const std::vector<TuneJob> jobs = jobs_from(given.asked);
  TuneOptions& o = given.options;
  if (o.output.empty()) o.output = usual_output(given, jobs);
  if (jobs.front().row().backend == BackendKind::cuda) o.worker_variables = {malloc_by_large_pages()};
  o.one_answer = given.asked.sizes.one_answer;
  o.objective = objective_from(given.objective);
  if (o.objective != Objective::time && given.asked.check)
    throw std::invalid_argument("--check compares times; remove --objective");
  if (!given.against.empty()) {
    if (jobs.size() > 1)
      throw std::invalid_argument("--against needs a single NAME, precision and dimension");
    o.against = layout_from(given.against, jobs.front());
  }
  if (given.asked.check) return check_tuned(jobs, {o, given.retune});
  if (jobs.size() == 1 && !given.asked.all && given.page.empty()) return tune_one(jobs.front(), o);
  if (given.asked.all && given.page.empty() && !o.tuned_folder.empty()) given.page = "out/layouts.html";
  return tune_several(jobs, {o, given.retune}, given.page);
}

std::string tune_settings_help(const AskedTune& given) {
  if (given.names.empty())
    return "settings of a kernel or solver, with the values of a search: cfdmark tune red_black_sor --help\n";
  std::string text;
  for (const std::string& name : given.names) {
    const std::vector<const Row*> methods =
        matching_rows(given, name, given.precisions.empty() ? "fp64" : given.precisions.front());
    for (const std::string& part :
         {workload_options_help(methods, given.problem), searched_settings_help(methods)})
      text += (text.empty() || part.empty() ? "" : "\n") + part;
  }
  return text;
}

}  // namespace cfdmark
