#include "bench/tune/tune_jobs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "bench/text/duration.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "bench/tune/across_sizes.hpp"
#include "bench/tune/tune_checks.hpp"
#include "bench/tune/tune_text.hpp"
#include "bench/tuned/layouts.hpp"

namespace cfdmark {
namespace {

using namespace tuning;
using End = JobResult::End;

constexpr std::size_t most_lines = 4;  // most lines for jobs that end alike
constexpr const char* tuned_already = "skipped: current answers at these sizes; --retune measures again";

// Returns "128x128, 256x256".
std::string grids_text(const std::vector<Grid>& grids) {
  std::string text;
  for (const Grid& g : grids) text += (text.empty() ? "" : ", ") + grid_text(g);
  return text;
}

// Returns "; without 128x128, 256x256": the grids of a job without an answer.
std::string missing_text(const TuneJob& job, const TuneResult& result) {
  std::vector<Grid> missing;
  for (const TuningTarget& s : job.targets)
    if (std::none_of(result.answers.begin(), result.answers.end(),
                     [&](const TuneAnswer& a) { return a.space.cases.front().domain.box() == s.grid; }))
      missing.push_back(s.grid);
  return missing.empty() ? "" : "; without " + grids_text(missing);
}

// Returns "3 ranges; 1.010 to 1.310 times as fast as the default".
std::string found_text(const TuneResult& result) {
  double least = HUGE_VAL, most = 0;
  for (const TuneRange& range : result.ranges)
    for (std::size_t n = range.sizes.first; n <= range.sizes.last; ++n) {
      const TuneAnswer& a = result.answers[n];
      const auto gain = gain_there(a, a.space.space[a.space.space.fallback()], range.winner);
      if (!gain) continue;
      least = std::min(least, gain->value), most = std::max(most, gain->value);
    }
  const std::size_t count = result.ranges.size();
  if (count == 0) return fmt::format("{} grids", result.answers.size());
  const std::string ranges = fmt::format("{} {}", count, count == 1 ? "range" : "ranges");
  return most == 0 ? ranges
                   : fmt::format("{}; {:.3f} to {:.3f} times as fast as the default", ranges, least, most);
}

std::string result_text(const TuneJob& job, const JobResult& r) {
  switch (r.end) {
    case End::answered:
      return fmt::format("{}{}; {}", found_text(*r.result), missing_text(job, *r.result),
                         seconds_text(r.seconds));
    case End::no_choice: return "skipped: fewer than two configs";
    case End::went_wrong: return "failed: " + r.reason;
    case End::known: return tuned_already;
    case End::left: break;
  }
  return "remaining: " + r.reason;
}

std::size_t count(const std::vector<JobResult>& results, End end) {
  return std::size_t(
      std::count_if(results.begin(), results.end(), [&](const JobResult& r) { return r.end == end; }));
}

// Returns the grids of which the search measured only a few configs.
std::vector<Grid> hardly_searched(const TuneResult& result) {
  std::vector<Grid> grids;
  for (const TuneAnswer& a : result.answers)
    if (few_were_tried(a)) grids.push_back(a.space.cases.front().domain.box());
  return grids;
}

bool leaves_sizes(const JobResult& r) {
  return r.result && !(r.result->left.empty() && hardly_searched(*r.result).empty());
}

bool leaves_any(const std::vector<JobResult>& results) {
  return count(results, End::left) > 0 || std::any_of(results.begin(), results.end(), leaves_sizes);
}

int exit_status(const std::vector<JobResult>& results, bool interrupted) {
  if (interrupted) return exit_interrupted;
  const bool wrong = count(results, End::went_wrong) > 0, left = leaves_any(results);
  return left ? wrong ? exit_wrong_and_left : exit_cases_left : wrong ? exit_went_wrong : exit_ok;
}

// Returns the end of the run of jobs from `first` that were not run for the same reason.
std::size_t end_of_left(const std::vector<JobResult>& results, std::size_t first) {
  std::size_t n = first;
  while (n < results.size() && results[n].end == End::left && results[n].reason == results[first].reason) ++n;
  return n;
}

void print_left(const std::vector<TuneJob>& jobs, const std::vector<JobResult>& results) {
  for (std::size_t n = 0, next = 0; n < jobs.size(); n = next) {
    next = std::max(n + 1, end_of_left(results, n));
    if (next - n > most_lines) {
      fmt::print("  {} jobs, {} to {}: {}\n", next - n, job_name(jobs[n]), job_name(jobs[next - 1]),
                 results[n].reason);
      continue;
    }
    for (std::size_t j = n; j < next; ++j)
      if (results[j].end == End::left)
        fmt::print("  {}: {}\n", job_name(jobs[j]), results[j].reason);
      else if (leaves_sizes(results[j]))
        fmt::print("  {}: {}\n", job_name(jobs[j]), left_sizes_text(*results[j].result));
  }
}

// Prints the jobs and sizes that are unfinished, and the jobs that failed. `again` says what running the
// command again does.
void print_rest(const std::vector<TuneJob>& jobs, const std::vector<JobResult>& results, const char* again) {
  if (leaves_any(results)) fmt::print("remaining ({}):\n", again);
  print_left(jobs, results);
  if (count(results, End::went_wrong) > 0) fmt::print("failed:\n");
  for (std::size_t n = 0; n < jobs.size(); ++n)
    if (results[n].end == End::went_wrong) fmt::print("  {}: {}\n", job_name(jobs[n]), results[n].reason);
}

using Ended = std::function<void(std::size_t job, const JobResult&)>;

// Runs the jobs and prints a line for each as it ends. Many jobs with current answers share one line.
std::vector<JobResult> run_told(const std::vector<TuneJob>& jobs, const JobsOptions& options,
                                TuneSession& session, const Ended& ended) {
  Progress progress(stderr);
  std::size_t done = 0;
  const auto tell = [&](const std::string& name, const std::string& text) {
    progress.note(fmt::format("[{}/{}{}] {}: {}", done, jobs.size(), progress.time_left(), name, text));
  };
  const auto tell_known = [&](const std::vector<std::size_t>& known) {
    if (known.size() > most_lines) {
      done = known.size();
      tell(fmt::format("{} jobs", done), tuned_already);
    } else {
      for (const std::size_t n : known) ++done, tell(job_name(jobs[n]), tuned_already);
    }
  };
  const auto tell_ended = [&](std::size_t n, const JobResult& r) {
    ++done;
    tell(job_name(jobs[n]), result_text(jobs[n], r));
    ended(n, r);
  };
  return run_jobs(jobs, options, session, progress, {tell_known, tell_ended});
}

int status_of_layouts(const std::vector<TuneJob>& jobs, const JobsOptions& options, const std::string& device,
                      const std::string& page) {
  WantedLayouts wanted;
  wanted.folder = options.tune.tuned_folder;
  wanted.device = device;
  for (const TuneJob& job : jobs) wanted.names.push_back(job.row().name);
  fmt::print("\n");
  const int shown = show_layouts(wanted);
  return shown != exit_ok || page.empty() ? shown : write_layouts_page(wanted.folder, page);
}

}  // namespace

std::string left_sizes_text(const TuneResult& result) {
  const std::vector<Grid> few = hardly_searched(result);
  std::string text = result.left.empty() ? "" : "no time for " + grids_text(result.left);
  if (!few.empty()) text += (text.empty() ? "few configs tried on " : "; few tried on ") + grids_text(few);
  return text;
}

int tune_several(const std::vector<TuneJob>& jobs, const JobsOptions& options, const std::string& page) {
  TuneSession session(options.tune);
  std::string unkept;
  const std::vector<JobResult> results =
      run_told(jobs, options, session, [&](std::size_t, const JobResult& r) {
        if (r.result && !r.result->unkept.empty()) unkept = r.result->unkept;
      });
  fmt::print("{} tuned, {} current, {} without a choice, {} failed, {} remaining\n",
             count(results, End::answered), count(results, End::known), count(results, End::no_choice),
             count(results, End::went_wrong), count(results, End::left));
  print_rest(jobs, results, "the same command continues with them");
  fmt::print("{}\nrecords: {}\n", time_text(session), printable(options.tune.output));
  int status = exit_status(results, session.interruption().requested());
  if (!options.tune.tuned_folder.empty() && status != exit_interrupted) {
    const TuningTarget& first = jobs.front().targets.front();
    const Json& machine = session.description([](const std::string&) { return true; });
    const DeviceId id(first.methods.front()->backend, first.device);
    const int shown = status_of_layouts(jobs, options, tuning_device(machine, id).name, page);
    if (status == exit_ok) status = shown;
  }
  if (!unkept.empty()) throw WriteError(unkept);
  return status;
}

int check_tuned(const std::vector<TuneJob>& jobs, JobsOptions options) {
  options.tune.each_alone = true;
  TuneSession session(options.tune);
  TuneChecks checks;
  const std::vector<JobResult> results =
      run_told(jobs, options, session, [&](std::size_t n, const JobResult& r) {
        if (r.result) checks.add(jobs[n], *r.result);
      });
  checks.print();
  print_rest(jobs, results, "increase --budget");
  fmt::print("{}\nrecords: {}\n", time_text(session), printable(options.tune.output));
  const int status = exit_status(results, session.interruption().requested());
  if (status == exit_interrupted) return status;
  const bool wrong = !checks.hold() || status == exit_went_wrong || status == exit_wrong_and_left;
  const bool left = !checks.complete() || status == exit_cases_left || status == exit_wrong_and_left;
  return left ? wrong ? exit_wrong_and_left : exit_cases_left : wrong ? exit_went_wrong : exit_ok;
}

}  // namespace cfdmark
