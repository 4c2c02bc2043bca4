#include "bench/ranks/rank_workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

#include "bench/case/own_clock.hpp"
#include "bench/case/ranked_case.hpp"
#include "bench/catalog/solve_workload.hpp"
#include "bench/device_facts/mpi.hpp"
#include "bench/ranks/launcher.hpp"
#include "bench/ranks/rank_processes.hpp"
#include "bench/record/record.hpp"
#include "bench/text/duration.hpp"
#include "bench/worker/messages.hpp"
#include "bench/worker/program.hpp"

namespace cfdmark {
namespace {

constexpr int milliseconds_between_looks = 50;
// Seconds that ranks have to agree after one could not do a command: if they wait for it elsewhere, they
// cannot.
constexpr double patience_with_stumble = 1;

// Returns the number that a message has; null stands for one that JSON does not have.
double number_in(const Json& message, const char* key) {
  return message.at(key).is_null() ? std::numeric_limits<double>::quiet_NaN() : message.at(key).get<double>();
}

// Ranks that serve commands.
class RankServers {
 public:
  RankServers(const RankJob& job, const ProcessWait& wait)
      : processes_(std::make_unique<RankProcesses>(job)), wait_(wait) {
    while (!processes_->have_met()) wait_a_little();
  }
  // Asks the ranks to end, which takes less long than to end them.
  ~RankServers() {
    if (!processes_) return;
    processes_->send(nullptr, "ending");
    while (!processes_->have_ended() && !processes_->look(milliseconds_between_looks)) {
    }
  }
  RankServers(const RankServers&) = delete;
  RankServers& operator=(const RankServers&) = delete;

  bool have_ended() const { return !processes_; }
  int next_id() { return ++ids_; }

  // Returns the answer to a command. `stage`: what the ranks do, in the words of a reason. Throws
  // std::invalid_argument or std::runtime_error with the reason of all ranks; RanksFailure if the job has
  // ended.
  Json ask(const Json& command, const std::string& stage, double limit) {
    if (!processes_) throw RanksFailure("crashed", "the ranks have ended");
    if (const auto failure = processes_->look(0)) end_with(*failure);  // a rank has ended meanwhile
    processes_->send(command, stage);
    const double end = seconds_now() + limit;
    while (true) {
      wait_a_little();
      if (const std::optional<Json> answer = processes_->take_answer()) return value_of(*answer);
      const auto& stumbled = processes_->stumbled();
      if (stumbled && seconds_now() - stumbled->second > patience_with_stumble) end_with(stumbled->first);
      if (seconds_now() > end) end_with(processes_->hung(limit));
    }
  }

 private:
  void wait_a_little() {
    wait_.still_waits();
    if (const auto failure = processes_->look(milliseconds_between_looks)) end_with(*failure);
    if (processes_->have_ended()) end_with({"crashed", "the launcher of the ranks has ended", 1});
  }

  [[noreturn]] void end_with(const JobFailure& of_job) {
    const JobFailure failure = of_job;  // which ends with the processes
    processes_.reset();
    throw RanksFailure(failure.status, failure.reason);
  }

  static Json value_of(const Json& answer) {
    if (!answer.contains("kind")) return answer.at("value");
    const std::string reason = answer.at("reason");
    if (answer.at("kind") == "unsupported") throw std::invalid_argument(reason);
    throw std::runtime_error(reason);
  }

  std::unique_ptr<RankProcesses> processes_;  // null: ended
  ProcessWait wait_;
  int ids_ = 0;
};

// Returns the threads of each rank.
int threads_of(const Case& c) {
  if (c.config.has("threads")) return c.config.integer("threads");
  return c.row->backend == BackendKind::serial ? 1 : processors_a_rank(ranks_of(c.config).count);
}

}  // namespace

class RankJobs {
 public:
  explicit RankJobs(std::string launcher) : launcher_(std::move(launcher)) {}

  std::vector<std::string> launcher(int ranks) const { return launcher_words(launcher_, ranks); }

  // Returns running processes for a case.
  std::shared_ptr<RankServers> for_case(const Case& c, const ProcessWait& wait) {
    const Key key(ranks_of(c.config).count, threads_of(c));
    const auto found = running_.find(key);
    if (found != running_.end() && !found->second->have_ended()) return found->second;
    // Processes that no prepared case uses.
    std::erase_if(running_, [](const auto& one) { return one.second.use_count() <= 1; });
    if (const auto refused = refusals_.find(key); refused != refusals_.end()) throw refused->second;
    return running_[key] = started(key, wait);
  }

 private:
  using Key = std::pair<int, int>;  // ranks, and threads of each

  std::shared_ptr<RankServers> started(const Key& key, const ProcessWait& wait) {
    if (const std::string reason = why_no_mpi(); !reason.empty()) throw std::invalid_argument(reason);
    prepare_environment_for_launcher();
    const RankJob job{.ranks = key.first,
                      .command = {own_command().front(), "worker", "--rank-of"},
                      .launcher = launcher(key.first),
                      .limit = wait.limit,
                      .variables = variables_of_rank(key.second)};
    try {
      return std::make_shared<RankServers>(job, wait);
    } catch (const RanksFailure& failure) {
      if (failure.status == "error") refusals_.emplace(key, failure);  // another start fails likewise
      throw;
    }
  }

  std::string launcher_;
  std::map<Key, std::shared_ptr<RankServers>> running_;
  std::map<Key, RanksFailure> refusals_;
};

namespace {

// A case that the ranks of a job have prepared. It is prepared again if they have ended.
class RemoteCase {
 public:
  RemoteCase(std::shared_ptr<RankJobs> jobs, const Case& c, ProcessWait wait)
      : jobs_(std::move(jobs)), case_(c), wait_(std::move(wait)) {
    prepare();
  }
  ~RemoteCase() {
    if (!servers_ || servers_->have_ended()) return;
    try {
      ask("drop", "dropping a case");
    } catch (const std::exception&) {  // the next case finds that the processes have ended
    }
  }
  RemoteCase(const RemoteCase&) = delete;
  RemoteCase& operator=(const RemoteCase&) = delete;

  const Json& prepared() const { return prepared_; }
  double limit() const { return wait_.limit; }

  Json ask_ready(const char* what, const char* stage, Json more = Json::object(), double limit = 0) {
    if (servers_->have_ended()) {
      prepare();
      ask("load", "preparing");
    }
    facts_ = {};
    return ask(what, stage, std::move(more), limit);
  }

  double timed_runs(int runs) {
    const Json done = ask_ready("run", "measuring", {{"runs", runs}});
    iterations_ = done.at("iterations");
    return done.at("seconds");
  }
  int iterations() const { return iterations_; }  // of the last run

  const Json& facts() {
    if (servers_->have_ended()) timed_runs(1);
    if (facts_.is_null()) {
      facts_ = ask("facts", "measuring");
      facts_["ranks"]["launcher"] =
          fmt::format("{}", fmt::join(jobs_->launcher(ranks_of(case_.config).count), " "));
    }
    return facts_;
  }

 private:
  void prepare() {
    servers_ = jobs_->for_case(case_, wait_);
    id_ = servers_->next_id();
    Json command;
    set_cases(command, {case_}, own_rows());
    prepared_ = ask("prepare", "preparing", std::move(command));
  }

  Json ask(const char* what, const char* stage, Json command = Json::object(), double limit = 0) {
    command["do"] = what;
    command["id"] = id_;
    return servers_->ask(command, stage, limit > 0 ? limit : wait_.limit);
  }

  std::shared_ptr<RankJobs> jobs_;
  Case case_;
  ProcessWait wait_;
  std::shared_ptr<RankServers> servers_;
  int id_ = 0, iterations_ = 0;
  Json prepared_, facts_;  // facts_: null after a command
};

class RankWorkload final : public Workload, public OwnClock {
 public:
  explicit RankWorkload(std::unique_ptr<RemoteCase> remote) : remote_(std::move(remote)) {}

  void reset() override { remote_->ask_ready("reset", "measuring"); }
  void load() override { remote_->ask_ready("load", "preparing"); }
  bool needs_reset() const override { return remote_->prepared().at("needs_reset"); }
  void run() override { remote_->timed_runs(1); }
  int steps() const override { return remote_->prepared().at("steps"); }
  double timed_runs(int runs) override { return remote_->timed_runs(runs); }
  int iterations() const override { return remote_->iterations(); }

  Verification verify() override {
    const double limit = solve_limit();
    try {
      const Json found =
          remote_->ask_ready("verify", "verifying", Json::object(), std::min(limit, remote_->limit()));
      return {found.at("passed"), found.at("check"), number_in(found, "max_error"), found.at("reason")};
    } catch (const RanksFailure& failure) {
      if (failure.status != "timeout" || limit >= remote_->limit()) throw;
      throw SolveTimeout(fmt::format("the solve did not end within {}", seconds_text(limit)));
    }
  }

  Cost cost() const override {
    CaseResult result;
    read_sizes(remote_->facts(), result);
    return result.cost.value_or(Cost());
  }
  Resources resources() const override {
    Resources resources;
    resources.threads = remote_->prepared().at("threads");
    return resources;
  }
  std::size_t field_bytes() const override { return remote_->prepared().at("field_bytes"); }
  nlohmann::json solver_facts() override { return remote_->facts().at("solver"); }
  nlohmann::json rank_facts() const override { return remote_->facts().at("ranks"); }

 private:
  std::unique_ptr<RemoteCase> remote_;
};

}  // namespace

RankWorkloads::RankWorkloads(std::string launcher) : jobs_(std::make_shared<RankJobs>(std::move(launcher))) {}

std::unique_ptr<Workload> RankWorkloads::prepare(const Case& c, const ProcessWait& wait) {
  return std::make_unique<RankWorkload>(std::make_unique<RemoteCase>(jobs_, c, wait));
}

}  // namespace cfdmark
