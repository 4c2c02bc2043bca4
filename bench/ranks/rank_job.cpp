#include "bench/ranks/rank_job.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include "bench/device_facts/host_facts.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/seconds_now.hpp"
#include "bench/worker/channel.hpp"
#include "bench/worker/interruption.hpp"
#include "bench/worker/program.hpp"

namespace cfdmark {
namespace {

constexpr int milliseconds_between_looks = 50;
constexpr double patience_with_launcher = 2;        // seconds from SIGTERM to SIGKILL
constexpr double start_limit = 60, end_limit = 10;  // seconds for all ranks to start, and to end

std::system_error cannot(const std::string& what) {
  return {errno, std::generic_category(), "cannot " + what};
}

// A folder that no other user can read, with the socket at which the job listens.
class JobSocket {
 public:
  JobSocket() {
    std::string folder = (std::filesystem::temp_directory_path() / "cfdmark-ranks-XXXXXX").string();
    if (folder.size() > 80) folder = "/tmp/cfdmark-ranks-XXXXXX";  // a socket's path has 107 characters
    if (!mkdtemp(folder.data())) throw cannot("create a folder for the ranks' socket");
    folder_ = folder;
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path().copy(address.sun_path, sizeof address.sun_path - 1);
    fd_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd_ < 0 || bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
        listen(fd_, SOMAXCONN) != 0)
      throw cannot("listen to ranks");
  }
  ~JobSocket() {
    close(fd_);
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  JobSocket(const JobSocket&) = delete;
  JobSocket& operator=(const JobSocket&) = delete;

  std::string path() const { return folder_ + "/socket"; }
  int fd() const { return fd_; }

 private:
  std::string folder_;
  int fd_ = -1;
};

// The supervisor's connection to a rank of this host.
struct RankLink {
  std::unique_ptr<Channel> channel;
  int fd = -1;
  pid_t process = 0;
  int rank = -1;  // -1: has not joined
  std::string stage = "starting", waits_for;
  double waits_since = 0;
  bool ended = false, terminated = false;

  bool is_open() const { return !channel->closed(); }
};

struct Failure {
  std::string reason;
  int status = exit_went_wrong;
};

class Job {
 public:
  explicit Job(const RankJob& job) : job_(job) { start(); }
  ~Job() { end_all(); }
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // Returns the exit status of the first rank, after its output.
  int run() {
    std::optional<Failure> failure;
    while (!failure && !launcher_status_) {
      hear(milliseconds_between_looks);
      look_at_launcher();
      failure = look();
    }
    if (!failure) {
      hear(0);  // what was sent before the end
      failure = failure_of_end();
    }
    if (!failure) return first_status_.value_or(exit_ok);
    end_all();
    if (!failure->reason.empty()) fmt::print(stderr, "cfdmark: {}\n", printable_lines(failure->reason));
    return failure->status;
  }

 private:
  void start() {
    std::vector<std::string> command = job_.launcher;
    command.insert(command.end(), job_.command.begin(), job_.command.end());
    command.push_back(host_name() + ":" + socket_.path());
    std::fflush(nullptr);
    const pid_t parent = getpid();
    launcher_ = fork();
    if (launcher_ < 0) throw cannot("start " + command.front());
    if (launcher_ > 0) return;
    setpgid(0, 0);  // Ctrl-C goes to the supervisor only, which ends the launcher
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(1);
    if (const int null = open("/dev/null", O_RDONLY); null >= 0) dup2(null, STDIN_FILENO);
    try {
      become_program(command);
    } catch (const std::exception& error) {
      fmt::print(stderr, "cfdmark: {}\n", error.what());
      std::fflush(stderr);
    }
    _exit(127);
  }

  // Takes new connections and messages. Waits for the first one.
  void hear(int milliseconds) {
    std::vector<pollfd> sources{{socket_.fd(), POLLIN, 0}};
    for (const RankLink& link : links_)
      if (link.is_open()) sources.push_back({link.fd, POLLIN, 0});
    poll(sources.data(), sources.size(), milliseconds);
    for (int fd; (fd = accept4(socket_.fd(), nullptr, nullptr, SOCK_CLOEXEC)) >= 0;) {
      links_.emplace_back();
      links_.back().channel = std::make_unique<Channel>(fd);
      links_.back().fd = fd;
      ucred process{};
      socklen_t size = sizeof process;
      if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &process, &size) == 0) links_.back().process = process.pid;
    }
    for (RankLink& link : links_) {
      std::vector<std::string> lines;
      do {
        lines = link.channel->receive(0);
        for (const std::string& line : lines) take(link, Json::parse(line, nullptr, false));
      } while (!lines.empty());
      if (!link.is_open() && !link.ended && !link.terminated && !lost_)
        lost_ = std::size_t(&link - links_.data());
    }
  }

  void take(RankLink& link, const Json& message) {
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
      if (const int count = message.at("count"); count != job_.ranks && !failure_)
        failure_ = strangers(count, message.at("library"));
    }
    if (event == "failed" && !failure_)
      failure_ = Failure{fmt::format("{}: {}", name_of(link), message.at("reason").get<std::string>()),
                         message.at("status")};
    if (event == "terminated") link.terminated = true;
    if (event == "ended") {
      link.ended = true;
      if (link.rank == 0) first_status_ = message.at("status");
    }
  }

  std::string name_of(const RankLink& link) const {
    const std::string rank = link.rank >= 0 ? fmt::format("rank {} of {}", link.rank, job_.ranks)
                                            : fmt::format("one of {} ranks", job_.ranks);
    return fmt::format("{} (process {})", rank, link.process);
  }
  std::string launcher_name() const { return fmt::format("{}", fmt::join(job_.launcher, " ")); }

  Failure strangers(int count, const std::string& library) const {
    return {
        fmt::format("{} processes started by '{}' do not know each other: each knows {}, by {}. The launcher "
                    "must belong to the same MPI; choose it with --launcher, such as 'srun -n {{ranks}} "
                    "--mpi=pmix'",
                    job_.ranks, launcher_name(), count, library.substr(0, library.find(','))),
        exit_went_wrong};
  }

  // Returns why the job must end now.
  std::optional<Failure> look() {
    if (interruption_.requested()) return Failure{"interrupted", exit_interrupted};
    if (failure_) return failure_;
    if (lost_) return failure_of_lost(*lost_);
    const double now = seconds_now();
    if (!has_joined_ && now - started_ > start_limit)
      return Failure{fmt::format("the ranks have not met within {:g} s: '{}' has started {} of {}",
                                 start_limit, launcher_name(), links_.size(), job_.ranks)};
    for (const RankLink& link : links_)
      if (!link.waits_for.empty() && now - link.waits_since > job_.limit) return failure_of_hung();
    const bool all_ended =
        std::all_of(links_.begin(), links_.end(), [](const RankLink& l) { return l.ended; });
    if (links_.empty() || !all_ended) all_ended_since_ = now;
    if (now - all_ended_since_ > end_limit)
      return Failure{fmt::format("the ranks have finished, but did not end within {:g} s", end_limit)};
    return {};
  }

  Failure failure_of_lost(std::size_t lost) {
    // The launcher ends with the rank's status.
    const double end = seconds_now() + patience_with_launcher;
    while (!launcher_status_ && seconds_now() < end) {
      hear(5);
      look_at_launcher();
    }
    if (launcher_status_ && WIFSIGNALED(*launcher_status_)) return launcher_killed();
    const RankLink& link = links_[lost];
    const int status = launcher_status_ ? WEXITSTATUS(*launcher_status_) : 0;
    const std::string how = status > 128 ? how_ended(status - 128)  // as waitpid(2) gives it
                            : status > 0 ? fmt::format("ended with status {}", status)
                                         : "ended";
    // One that was lost before it had a connection ends those that have one.
    const std::string name = link.rank < 0 ? fmt::format("one of {} ranks", job_.ranks) : name_of(link);
    return {fmt::format("{} {} while {}", name, how, link.stage)};
  }

  Failure launcher_killed() const {
    return {fmt::format("the launcher '{}' (process {}) {}; its ranks were ended", launcher_name(), launcher_,
                        how_ended(*launcher_status_))};
  }

  Failure failure_of_hung() const {
    std::string waiting, hung;
    for (const RankLink& link : links_) {
      if (link.waits_for.empty())
        hung += fmt::format("{}{} has been {}", hung.empty() ? "" : ", ", name_of(link), link.stage);
      else
        waiting += fmt::format("; rank {} waits for {}", link.rank, link.waits_for);
    }
    return {fmt::format("timeout: {} for {:g} s{}", hung.empty() ? "all ranks have waited" : hung, job_.limit,
                        waiting)};
  }

  std::optional<Failure> failure_of_end() {
    if (failure_) return failure_;
    if (WIFSIGNALED(*launcher_status_)) return launcher_killed();
    const int status = WEXITSTATUS(*launcher_status_);
    if (lost_) return failure_of_lost(*lost_);
    if (status == 0 && has_joined_) return {};
    return Failure{fmt::format("the launcher '{}' {}{}", launcher_name(), how_ended(*launcher_status_),
                               has_joined_ ? ""
                                           : " before its ranks had met; Open MPI says why with "
                                             "OMPI_MCA_orte_execute_quiet=0 in the environment")};
  }

  void look_at_launcher() {
    int status = 0;
    if (!launcher_status_ && waitpid(launcher_, &status, WNOHANG) == launcher_) launcher_status_ = status;
  }

  bool is_over() const {
    return launcher_status_ &&
           std::none_of(links_.begin(), links_.end(), [](const RankLink& link) { return link.is_open(); });
  }

  // Asks the launcher and the ranks to end, and kills those that do not.
  void end_all() {
    if (is_over()) return;
    if (!launcher_status_) {
      kill(launcher_, SIGTERM);
      kill(launcher_, SIGCONT);
    }
    const auto wait = [&] {
      for (const double end = seconds_now() + patience_with_launcher; !is_over() && seconds_now() < end;) {
        for (const RankLink& link : links_) shutdown(link.fd, SHUT_WR);
        hear(10);
        look_at_launcher();
      }
    };
    wait();
    if (is_over()) return;
    if (!launcher_status_) kill(launcher_, SIGKILL);
    // A connection that is open belongs to a process that lives.
    for (const RankLink& link : links_)
      if (link.is_open() && link.process > 0) kill(link.process, SIGKILL);
    wait();
  }

  RankJob job_;
  Interruption interruption_;
  JobSocket socket_;
  pid_t launcher_ = -1;
  std::optional<int> launcher_status_;  // of waitpid(2)
  std::vector<RankLink> links_;
  std::optional<std::size_t> lost_;  // the first link that closed
  std::optional<Failure> failure_;   // that a rank has sent
  std::optional<int> first_status_;
  bool has_joined_ = false;  // one rank, which has then met all others
  double started_ = seconds_now(), all_ended_since_ = started_;
};

}  // namespace

int run_rank_job(const RankJob& job) { return Job(job).run(); }

}  // namespace cfdmark
