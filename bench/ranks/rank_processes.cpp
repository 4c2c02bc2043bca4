#include "bench/ranks/rank_processes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <system_error>

#include "bench/device_facts/host_facts.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/worker/program.hpp"
#include "kernels/device/cpu/allowed_cpus.hpp"

namespace cfdmark {
namespace {

constexpr double patience_with_launcher = 2;        // seconds from SIGTERM to SIGKILL
constexpr double start_limit = 60, end_limit = 10;  // seconds for all ranks to start, and to end

}  // namespace

RankProcesses::RankProcesses(RankJob job) : job_(std::move(job)) { start(); }

void RankProcesses::start() {
  std::vector<std::string> command = job_.launcher;
  command.insert(command.end(), job_.command.begin(), job_.command.end());
  command.push_back(host_name() + ":" + socket_.path());
  const cpu_set_t processors = allowed_cpus();  // OpenMP may have bound this thread to some of them
  std::fflush(nullptr);
  const pid_t parent = getpid();
  launcher_ = fork();
  if (launcher_ < 0)
    throw std::system_error(errno, std::generic_category(), "cannot start " + command.front());
  if (launcher_ > 0) return;
  setpgid(0, 0);  // Ctrl-C goes to the supervisor only, which ends the launcher
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent) _exit(1);
  sched_setaffinity(0, sizeof processors, &processors);
  for (const auto& [name, value] : job_.variables) setenv(name.c_str(), value.c_str(), 1);
  if (const int null = open("/dev/null", O_RDONLY); null >= 0) dup2(null, STDIN_FILENO);
  close_range(STDERR_FILENO + 1, ~0U, 0);  // a worker's channel must close when the worker ends
  try {
    become_program(command);
  } catch (const std::exception& error) {
    fmt::print(stderr, "cfdmark: {}\n", error.what());
    std::fflush(stderr);
  }
  _exit(127);
}

std::optional<JobFailure> RankProcesses::look(int milliseconds) {
  hear(milliseconds);
  look_at_launcher();
  if (!launcher_status_) return failure();
  hear(0);  // what was sent before the end
  return failure_of_end();
}

void RankProcesses::connect() {
  for (int fd; (fd = accept4(socket_.fd(), nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
    links_.emplace_back();
    links_.back().channel = std::make_unique<Channel>(fd);
    links_.back().fd = fd;
    ucred process{};
    socklen_t size = sizeof process;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &process, &size) == 0) links_.back().process = process.pid;
  }
}

void RankProcesses::hear(int milliseconds) {
  std::vector<pollfd> sources{{socket_.fd(), POLLIN, 0}};
  for (const Link& link : links_)
    if (link.is_open()) sources.push_back({link.fd, POLLIN, 0});
  poll(sources.data(), sources.size(), milliseconds);
  connect();
  for (Link& link : links_) {
    std::vector<std::string> lines;
    do {
      lines = link.channel->receive(0);
      for (const std::string& line : lines) take(link, Json::parse(line, nullptr, false));
    } while (!lines.empty());
    if (!link.is_open() && !link.ended && !link.terminated && !lost_)
      lost_ = std::size_t(&link - links_.data());
  }
  connect();  // ranks that had connected before another one said that all have met
}

void RankProcesses::take(Link& link, const Json& message) {
  const std::string event = message.is_object() ? message.value("event", "") : "";
  if (event == "stage") link.stage = message.at("stage");
  if (event == "waits") {
    link.waits_for = message.at("for");
    link.waits_since = seconds_now();
  }
  if (event == "joined") {
    link.rank = message.at("rank");
    link.stage = "preparing";
    has_joined_ = true;
    first_has_joined_ = first_has_joined_ || link.rank == 0;
    if (const int count = message.at("count"); count != job_.ranks && !failure_)
      failure_ = strangers(count, message.at("library"));
  }
  if (event == "stumbled" && !stumbled_)
    stumbled_ = {error(fmt::format("{}: {}", name_of(link), message.at("reason").get<std::string>())),
                 seconds_now()};
  if (event == "failed" && !failure_)
    failure_ = {"error", fmt::format("{}: {}", name_of(link), message.at("reason").get<std::string>()),
                message.at("status")};
  if (event == "answer") answer_ = message;
  if (event == "terminated") link.terminated = true;
  if (event == "ended") {
    link.ended = true;
    if (link.rank == 0) first_status_ = message.at("status");
  }
}

void RankProcesses::send(const Json& message, const std::string& stage) {
  answer_.reset();
  stumbled_.reset();
  for (Link& link : links_) {
    link.stage = stage;
    link.channel->send(message);
  }
}

std::string RankProcesses::name_of(const Link& link) const {
  const std::string rank = link.rank >= 0 ? fmt::format("rank {} of {}", link.rank, job_.ranks)
                                          : fmt::format("one of {} ranks", job_.ranks);
  return fmt::format("{} (process {})", rank, link.process);
}
std::string RankProcesses::launcher_name() const { return fmt::format("{}", fmt::join(job_.launcher, " ")); }

JobFailure RankProcesses::error(const std::string& reason) const {
  return {"error", reason, exit_went_wrong};
}

JobFailure RankProcesses::strangers(int count, const std::string& library) const {
  return error(
      fmt::format("{} processes started by '{}' do not know each other: each knows {}, by {}. The launcher "
                  "must belong to the same MPI; choose it with --launcher, such as 'srun -n {{ranks}} "
                  "--mpi=pmix'",
                  job_.ranks, launcher_name(), count, library.substr(0, library.find(','))));
}

std::optional<JobFailure> RankProcesses::failure_of_start(double now) const {
  if (first_has_joined_ || now - started_ < start_limit) return {};
  if (has_joined_)
    return error(fmt::format("rank 0 of '{}' is on another host; run cfdmark on the host of the first rank",
                             launcher_name()));
  return error(fmt::format("the ranks have not met within {:g} s: '{}' has started {} of {}", start_limit,
                           launcher_name(), links_.size(), job_.ranks));
}

std::optional<JobFailure> RankProcesses::failure() {
  if (failure_) return failure_;
  if (lost_) return failure_of_lost(*lost_);
  const double now = seconds_now();
  if (const auto of_start = failure_of_start(now)) return of_start;
  for (const Link& link : links_)
    if (!link.waits_for.empty() && now - link.waits_since > job_.limit) return hung(job_.limit);
  const bool all_ended = std::all_of(links_.begin(), links_.end(), [](const Link& l) { return l.ended; });
  if (links_.empty() || !all_ended) all_ended_since_ = now;
  if (now - all_ended_since_ > end_limit)
    return error(fmt::format("the ranks have finished, but did not end within {:g} s", end_limit));
  return {};
}

JobFailure RankProcesses::failure_of_lost(std::size_t lost) {
  // The launcher ends with the rank's status.
  const double end = seconds_now() + patience_with_launcher;
  while (!launcher_status_ && seconds_now() < end) {
    hear(5);
    look_at_launcher();
  }
  if (launcher_status_ && WIFSIGNALED(*launcher_status_)) return launcher_killed();
  const Link& link = links_[lost];
  const int status = launcher_status_ ? WEXITSTATUS(*launcher_status_) : 0;
  const std::string how = status > 128 ? how_ended(status - 128)  // as waitpid(2) gives it
                          : status > 0 ? fmt::format("ended with status {}", status)
                                       : "ended";
  // One that was lost before it had a connection ends those that have one.
  const std::string name = link.rank < 0 ? fmt::format("one of {} ranks", job_.ranks) : name_of(link);
  return {"crashed", fmt::format("{} {} while {}", name, how, link.stage), exit_went_wrong};
}

JobFailure RankProcesses::launcher_killed() const {
  return {"crashed",
          fmt::format("the launcher '{}' (process {}) {}; its ranks were ended", launcher_name(), launcher_,
                      how_ended(*launcher_status_)),
          exit_went_wrong};
}

JobFailure RankProcesses::hung(double seconds) const {
  std::string waiting, hung;
  for (const Link& link : links_) {
    if (link.waits_for.empty())
      hung += fmt::format("{}{} has been {}", hung.empty() ? "" : ", ", name_of(link), link.stage);
    else
      waiting += fmt::format("; rank {} waits for {}", link.rank, link.waits_for);
  }
  return {"timeout",
          fmt::format("timeout: {} for {:g} s{}", hung.empty() ? "all ranks have waited" : hung, seconds,
                      waiting),
          exit_went_wrong};
}

std::optional<JobFailure> RankProcesses::failure_of_end() {
  if (failure_) return failure_;
  if (WIFSIGNALED(*launcher_status_)) return launcher_killed();
  if (lost_) return failure_of_lost(*lost_);
  const int status = WEXITSTATUS(*launcher_status_);
  if (status == 0 && has_joined_) return {};
  JobFailure ended =
      error(fmt::format("the launcher '{}' {}{}", launcher_name(), how_ended(*launcher_status_),
                        has_joined_ ? ""
                                    : " before its ranks had met; Open MPI says why with "
                                      "OMPI_MCA_orte_execute_quiet=0 in the environment"));
  if (status > 128) ended.status = "crashed";  // a signal ended one of its processes
  return ended;
}

void RankProcesses::look_at_launcher() {
  int status = 0;
  if (!launcher_status_ && waitpid(launcher_, &status, WNOHANG) == launcher_) launcher_status_ = status;
}

bool RankProcesses::is_over() const {
  return launcher_status_ &&
         std::none_of(links_.begin(), links_.end(), [](const Link& link) { return link.is_open(); });
}

// Ranks end when their connection is shut down.
void RankProcesses::wait_for_end() {
  for (const double end = seconds_now() + patience_with_launcher; !is_over() && seconds_now() < end;) {
    for (const Link& link : links_) shutdown(link.fd, SHUT_WR);
    hear(10);
    look_at_launcher();
  }
}

RankProcesses::~RankProcesses() {
  if (is_over()) return;
  if (!launcher_status_) {
    kill(launcher_, SIGTERM);
    kill(launcher_, SIGCONT);
  }
  wait_for_end();
  if (is_over()) return;
  if (!launcher_status_) kill(launcher_, SIGKILL);
  // A connection that is open belongs to a process that lives.
  for (const Link& link : links_)
    if (link.is_open() && link.process > 0) kill(link.process, SIGKILL);
  wait_for_end();
}

}  // namespace cfdmark
