#include "bench/runs/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "bench/runs/campaign_files.hpp"
#include "bench/runs/campaign_records.hpp"
#include "bench/runs/run_summary.hpp"
#include "bench/sweep/sweep.hpp"
#include "bench/text/duration.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/tuned/device.hpp"
#include "bench/tuned/tuned_lookup.hpp"
#include "bench/worker/ask_worker.hpp"
#include "bench/worker/data_files.hpp"
#include "bench/worker/program.hpp"
#include "bench/worker/python_script.hpp"
#include "bench/worker/run_plan.hpp"

namespace cfdmark {
namespace {

namespace fs = std::filesystem;

// Cases that are measured in all their processes before the next ones begin, so that a sitting that ends
// leaves few cases incomplete.
constexpr std::size_t cases_a_batch = 48;
// Estimate for a case without a record, besides its samples: preparation, verification, warm-up.
constexpr double other_seconds = 0.3;

using Counts = std::map<std::string, std::size_t>;  // number of cases by reason

// The remaining work of a part.
struct PartPlan {
  CampaignPart part;
  std::string file;                 // of its records
  std::vector<Case> cases;          // to measure
  std::size_t done = 0, wrong = 0;  // cases with a record that counts; of these, without a time
  Counts again;                     // cases whose record does not count
  Counts unable;                    // cases that cannot run here
  double seconds = 0;               // estimated time of `cases`
};

std::string text_of(const Counts& counts) {
  std::string text;
  for (const auto& [reason, count] : counts)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, reason);
  return text;
}

// Returns the time that a case takes: that of its record if it has one.
double expected_seconds(const Record* known, const CampaignPart& part) {
  if (!known || known->result.samples.empty()) return part.case_seconds + part.processes * other_seconds;
  const double a_process = known->result.sampled_seconds() / double(known->result.samples.size());
  double seconds = part.processes * a_process;
  if (const auto& o = known->result.overhead)
    seconds += o->prepare + o->verify + o->warm_up.value_or(0) + o->reset.value_or(0);
  return seconds;
}

fs::path absolute(const std::string& folder) { return fs::absolute(folder + "/").parent_path(); }

// The page is made from the records; ./scripts/site --readmes makes it again.
void write_page(const std::string& folder) {
  const fs::path path = absolute(folder);
  run_script("site",
             {"--readmes", "--results", path.parent_path().string(), "--device", path.filename().string()});
}

class Sitting {
 public:
  explicit Sitting(const CampaignRequest& given)
      : given_(given), parts_(read_campaign(sweep_path(given.list))) {
    Supervisor worker(RunOptions().worker, given.timeout);
    const Answer answer = ask_for_description(worker, here_, [](const std::string&) { return true; });
    if (here_.is_null()) throw std::runtime_error(fmt::format("cannot measure here: {}", answer.reason));
    const bool has_gpu = here_.value("gpu", Json::object()).contains("name");
    const DeviceId device{has_gpu ? BackendKind::cuda : BackendKind::serial, 0};
    device_ = tuning::tuning_device(here_, device);
    if (here_.value("program", Json::object()).value("dirty", false))
      fmt::print(stderr,
                 "cfdmark: this program has changes that no commit holds; pages do not count its records as "
                 "current: commit, and build again\n");
    folder_ = given.folder.empty() ? "out/campaign/" + device_.file_stem() : given.folder;
    if (given.budget) end_ = seconds_now() + *given.budget;
  }

  int run() {
    std::vector<PartPlan> plans = plan();
    fmt::print("campaign {} on {}\nrecords: {}\n\n", printable(given_.list), device_.name,
               printable(folder_));
    print(plans);
    if (given_.dry_run) return exit_ok;
    for (std::size_t n = 0; n < plans.size() && !over(); ++n) measure(plans[n], n + 1, plans.size());
    plans = plan();
    fmt::print("\nafter this sitting of {}{}:\n", clock_text(seconds_now() - start_),
               has_measured_ ? "" : ", in which nothing was measured");
    print(plans);
    if (has_measured_) remove_superseded();
    if (has_measured_ && given_.page && !all_.interrupted) write_page(folder_);
    for (const PartPlan& p : plans) all_.left += p.cases.size(), all_.wrong += p.wrong;
    all_.left += tunes_left_, all_.wrong += tunes_wrong_;
    if (all_.left > 0) fmt::print("the same command continues\n");
    return exit_status(all_);
  }

 private:
  bool over() const {
    return all_.interrupted || all_.device_given_up || (given_.budget && seconds_now() >= end_);
  }

  // Returns the remaining work. A case that several parts name belongs to the first; experiments
  // keep records of their own.
  std::vector<PartPlan> plan() const {
    std::vector<PartPlan> plans;
    std::set<std::pair<std::string, std::string>> seen;  // folder and case
    for (const CampaignPart& part : parts_) {
      PartPlan& p = plans.emplace_back();
      p.part = part;
      if (!part.tune.empty()) continue;
      p.file = fmt::format("{}/{}.jsonl", folder_, part.name);
      std::vector<Case> cases = only_matching(read_sweep(part.sweep).cases, part.filter);
      if (cases.empty())
        throw std::invalid_argument(
            fmt::format("{}: no case of {} matches the filter '{}'; `cfdmark run {} --dry-run` "
                        "lists the names",
                        given_.list, part.sweep, part.filter, part.sweep));
      cases = only_matching(std::move(cases), given_.filter);
      tuning::use_tuned_configs(cases, tuned_, here_, [](const std::string& warning) {
        fmt::print(stderr, "cfdmark: {}\n", warning);
      });
      std::erase_if(cases, [&](const Case& c) {
        return !seen.insert({fs::path(p.file).parent_path().string(), case_name(c)}).second;
      });
      const CampaignRecords records = read_campaign_records(p.file, here_);
      for (Case& c : cases) add(p, std::move(c), records);
    }
    return plans;
  }

  void add(PartPlan& p, Case c, const CampaignRecords& records) const {
    if (!c.not_run.empty()) {
      ++p.unable[c.not_run];
      return;
    }
    const auto found = records.newest.find(case_name(c));
    const Record* known = found == records.newest.end() ? nullptr : &found->second;
    if (known) {
      const std::string why =
          why_again(*known, records.environments.at(known->environment), here_, c, p.part);
      const bool is_final =
          known->is_ok() ? int(known->result.samples.size()) >= p.part.processes : !given_.retry;
      if (why.empty() && is_final) {
        ++p.done, p.wrong += !known->is_ok() && known->result.status != "not_run";
        return;
      }
      ++p.again[!why.empty() ? why : known->is_ok() ? "in fewer processes" : "without a time"];
    }
    p.seconds += expected_seconds(known, p.part);
    p.cases.push_back(std::move(c));
  }

  static void print(const std::vector<PartPlan>& plans) {
    std::size_t width = 4, done = 0, left = 0;
    double seconds = 0;
    for (const PartPlan& p : plans) width = std::max(width, p.part.name.size());
    fmt::print("{:{}} {:>8} {:>11} {:>10}\n", "part", width, "measured", "to measure", "about");
    for (const PartPlan& p : plans) {
      done += p.done, left += p.cases.size(), seconds += p.seconds;
      if (!p.part.tune.empty())
        fmt::print("{:{}} what has no current answer, in at most {:.0f} % of the remaining budget\n",
                   p.part.name, width, 100 * p.part.share);
      if (p.done + p.cases.size() == 0) continue;
      fmt::print("{:{}} {:>8} {:>11} {:>10}{}\n", p.part.name, width, p.done, p.cases.size(),
                 clock_text(p.seconds),
                 p.again.empty() ? "" : fmt::format("  to re-measure: {}", text_of(p.again)));
    }
    fmt::print("{:{}} {:>8} {:>11} {:>10}\n", "all", width, done, left, clock_text(seconds));
    Counts unable;
    for (const PartPlan& p : plans)
      for (const auto& [reason, count] : p.unable) unable[reason] += count;
    for (const auto& [reason, count] : unable)
      fmt::print("{} cases cannot run here: {}\n", count, printable(reason));
  }

  // Tunes in a process of its own, which skips what has a current answer. Tables go to the folder `tuned`
  // next to that of the records.
  void tune(const CampaignPart& part) {
    if (!given_.filter.empty()) return;
    std::vector<std::string> command = {"/proc/self/exe", "tune"};
    command.insert(command.end(), part.tune.begin(), part.tune.end());
    command.insert(command.end(), {"--tuned", (absolute(folder_).parent_path() / "tuned").string()});
    if (given_.budget)
      command.insert(
          command.end(),
          {"--budget", fmt::format("{:.0f}s", std::max(1.0, part.share * (end_ - seconds_now())))});
    if (!given_.measure_roofs) command.push_back("--no-roof");
    fmt::print(stderr, "{}\n", part.name);
    const int status = run_program(command, "", false).status;
    all_.interrupted = status == exit_interrupted;
    tunes_left_ += status == exit_cases_left || status == exit_wrong_and_left;
    tunes_wrong_ += status != exit_ok && status != exit_cases_left && status != exit_interrupted;
  }

  void measure(const PartPlan& p, std::size_t number, std::size_t parts) {
    if (!p.part.tune.empty()) return tune(p.part);
    if (p.cases.empty()) return;
    fmt::print(stderr, "[{}/{}] {}: {} cases, about {}\n", number, parts, p.part.name, p.cases.size(),
               clock_text(p.seconds));
    CaseGroup all(p.cases.size());
    for (std::size_t n = 0; n < all.size(); ++n) all[n] = n;
    std::vector<Case> batch;
    for (const CaseGroup& group : groups_to_measure(p.cases, all)) {
      for (const std::size_t n : group) batch.push_back(p.cases[n]);
      if (batch.size() >= cases_a_batch) measure_batch(p, std::exchange(batch, {}));
    }
    if (!batch.empty()) measure_batch(p, batch);
    if (fs::exists(p.file)) keep_newest_records(p.file);
  }

  void measure_batch(const PartPlan& p, const std::vector<Case>& cases) {
    if (over()) return;
    std::map<std::string, const Case*> by_name;
    for (const Case& c : cases) by_name[case_name(c)] = &c;
    RunOptions options;
    options.output = p.file;
    options.case_seconds = p.part.case_seconds;
    options.processes = p.part.processes;
    options.fewest_samples = p.part.samples;
    options.full_samples = true;
    options.measure_roofs = given_.measure_roofs;
    options.timeout = given_.timeout;
    if (given_.budget) options.budget = std::max(0.0, end_ - seconds_now());
    options.known_roofs = all_.roofs, options.known_limits = all_.limits;
    options.counts = [&](const Record& record, const Json& there, const Json& here) {
      const auto found = by_name.find(record.id.name);
      return found != by_name.end() && why_again(record, there, here, *found->second, p.part).empty();
    };
    Progress progress(stderr);
    const RunSummary summary = cfdmark::run(cases, options, progress);
    all_.roofs = summary.roofs, all_.limits = summary.limits;
    all_.interrupted = summary.interrupted, all_.device_given_up = summary.device_given_up;
    has_measured_ |= !summary.measured.empty();
  }

  void remove_superseded() const {
    if (const std::size_t removed = remove_superseded_records(folder_))
      fmt::print("{} older records of cases that this campaign measured are removed from {}\n", removed,
                 printable(folder_));
  }

  const CampaignRequest& given_;
  const double start_ = seconds_now();
  std::vector<CampaignPart> parts_;
  Json here_;  // description of this program and machine
  tuning::TuningDevice device_;
  const tuning::TunedTables tuned_ = tuning::read_usual_tuned_tables();
  std::string folder_;
  double end_ = 0;
  RunSummary all_;  // ceilings of this sitting, and what decides the exit status
  bool has_measured_ = false;
  std::size_t tunes_left_ = 0, tunes_wrong_ = 0;  // tunes whose budget ended, and that failed
};

}  // namespace

int campaign(const CampaignRequest& given) {
  if (given.add.empty()) return Sitting(given).run();
  if (given.folder.empty())
    throw std::invalid_argument("--add needs --output, the folder that the records are added to");
  const AddedRecords added = add_records(given.add, given.folder);
  if (added.found == 0) throw std::invalid_argument(fmt::format("{}: holds no records to add", given.add));
  const std::size_t removed = remove_superseded_records(given.folder);
  fmt::print("{} records added to {}; {} older ones of other files removed\n", added.found - added.incomplete,
             printable(given.folder), removed);
  if (added.incomplete > 0)
    fmt::print("{} not added: their cases have times from more processes there\n", added.incomplete);
  if (given.page) write_page(given.folder);
  return exit_ok;
}

}  // namespace cfdmark
