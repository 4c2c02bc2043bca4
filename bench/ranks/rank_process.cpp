#include "bench/ranks/rank_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench/device_facts/build_info.hpp"
#include "bench/device_facts/host_facts.hpp"
#include "bench/device_facts/installed.hpp"
#include "bench/record/records.hpp"
#include "bench/text/exit_status.hpp"
#include "kernels/ranks/mpi_ranks.hpp"

namespace cfdmark {
namespace {

// Returns a connection to a socket of this host, or -1 if no process listens.
int connected(const std::string& path) {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  if (fd >= 0 && connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

// Ends this process when the other side of the connection closes: the supervisor sends nothing. One that was
// killed has left its socket and folder.
void end_with(int fd, const std::filesystem::path& socket) {
  std::thread([fd, socket] {
    pollfd other{fd, POLLIN, 0};
    char byte;
    do poll(&other, 1, -1);
    while (recv(fd, &byte, 1, MSG_DONTWAIT) < 0 && (errno == EAGAIN || errno == EINTR));
    unlink(socket.c_str());
    rmdir(socket.parent_path().c_str());
    _exit(exit_went_wrong);
  }).detach();
}

// A launcher that ends all ranks after the loss of one sends SIGTERM. The supervisor hears of it, so that it
// does not take this rank for the lost one.
int channel_of_handler = -1;

void report_termination() {
  struct sigaction on_term {};
  on_term.sa_handler = [](int) {
    constexpr char message[] = "{\"event\":\"terminated\"}\n";
    [[maybe_unused]] const ssize_t sent =
        ::send(channel_of_handler, message, sizeof message - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    _exit(exit_went_wrong);
  };
  sigaction(SIGTERM, &on_term, nullptr);
}

// A fingerprint that all ranks share, and the host to name where one differs.
struct RankBuild {
  std::array<char, 32> fingerprint = {};
  std::array<char, 64> host = {};
};

RankBuild own_build() {
  RankBuild own;
  build_info().fingerprint.copy(own.fingerprint.data(), own.fingerprint.size() - 1);
  host_name().copy(own.host.data(), own.host.size() - 1);
  return own;
}

void require_one_build(Ranks& ranks) {
  const RankBuild own = own_build();
  std::vector<RankBuild> all(static_cast<std::size_t>(ranks.count()));
  ranks.gather("builds", &own, sizeof own, all.data());
  for (const RankBuild& other : all)
    if (other.fingerprint != all.front().fingerprint)
      throw std::runtime_error(fmt::format(
          "the ranks are of different builds: {} on {}, {} on {}; install the same program on all hosts",
          all.front().fingerprint.data(), all.front().host.data(), other.fingerprint.data(),
          other.host.data()));
}

}  // namespace

RankProcess::RankProcess(const std::string& supervisor) {
  const auto colon = supervisor.find(':');
  if (colon == std::string::npos || supervisor.substr(0, colon) != host_name()) return;
  const std::string socket = supervisor.substr(colon + 1);
  const int fd = connected(socket);
  if (fd < 0) _exit(exit_went_wrong);
  channel_ = std::make_unique<Channel>(fd);
  end_with(fd, socket);
  channel_of_handler = fd;
  report_termination();
}

void RankProcess::join(double limit) {
  const CfdmarkMpi& mpi = open_mpi(module_file("cfdmark_mpi.so"));
  RankPatience patience;
  patience.limit = limit + 5;  // the supervisor sees more, and says it first
  patience.report = [this](const std::string& what) { send({{"event", "waits"}, {"for", what}}); };
  ranks_ = join_by_mpi(mpi, std::move(patience));
  send({{"event", "joined"},
        {"rank", ranks_->rank()},
        {"count", ranks_->count()},
        {"library", mpi.library()}});
  require_one_build(*ranks_);
}

void RankProcess::send(const Json& message) const {
  if (channel_) channel_->send(message);
}

void RankProcess::report_stage(const std::string& stage) const {
  send({{"event", "stage"}, {"stage", stage}});
}

void RankProcess::end(int status) {
  send({{"event", "ended"}, {"status", status}});
  ranks_.reset();
}

void RankProcess::fail(const std::string& reason, int status) const {
  send({{"event", "failed"}, {"reason", reason}, {"status", status}});
  if (!channel_) fmt::print(stderr, "cfdmark: {}\n", reason);
  std::fflush(nullptr);
  if (channel_) pause();  // the supervisor ends all ranks
  _exit(status);
}

int work_as_rank(const std::string& supervisor, double limit, const std::function<int(RankProcess&)>& work) {
  RankProcess process(supervisor);
  try {
    process.join(limit);
    if (!process.is_first() && !std::freopen("/dev/null", "w", stdout))
      throw std::runtime_error("cannot open /dev/null");
    const int status = work(process);
    std::fflush(stdout);
    process.end(status);
    return exit_ok;
  } catch (const std::bad_alloc&) {
    process.fail("out of memory", exit_went_wrong);
  } catch (const std::invalid_argument& error) {
    process.fail(error.what(), exit_usage);
  } catch (const WriteError& error) {
    process.fail(error.what(), exit_cannot_write);
  } catch (const std::exception& error) {
    process.fail(error.what(), exit_went_wrong);
  }
}

}  // namespace cfdmark
