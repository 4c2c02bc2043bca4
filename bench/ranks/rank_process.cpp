#include "bench/ranks/rank_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <new>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bench/device_facts/build_info.hpp"
#include "bench/device_facts/host_facts.hpp"
#include "bench/device_facts/installed.hpp"
#include "bench/ranks/job_socket.hpp"
#include "bench/record/records.hpp"
#include "bench/text/exit_status.hpp"
#include "kernels/ranks/mpi_ranks.hpp"
#include "kernels/ranks/process_rank.hpp"

namespace cfdmark {
namespace {

// Ends this process when the other side of the connection closes, fully or for writing. A
// supervisor that was killed has left its socket and folder.
void end_with(int fd, const std::string& socket) {
  std::thread([fd, socket] {
    pollfd other{fd, POLLRDHUP, 0};
    while (poll(&other, 1, -1) < 0 && errno == EINTR) {
    }
    remove_job_socket(socket);
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

// Collective. Returns the builds of all ranks. Throws std::runtime_error if these differ.
std::vector<RankBuild> builds_of(Ranks& ranks) {
  const RankBuild own = own_build();
  std::vector<RankBuild> all(static_cast<std::size_t>(ranks.count()));
  ranks.gather("builds", &own, sizeof own, all.data());
  for (const RankBuild& other : all)
    if (other.fingerprint != all.front().fingerprint)
      throw std::runtime_error(fmt::format(
          "the ranks are of different builds: {} on {}, {} on {}; install the same program on all hosts",
          all.front().fingerprint.data(), all.front().host.data(), other.fingerprint.data(),
          other.host.data()));
  return all;
}

// A rank among those of its host.
struct PlaceOnHost {
  int number = 0, ranks = 1;
};

PlaceOnHost place_on_host(const std::vector<RankBuild>& all, int rank) {
  const auto is_here = [&](const RankBuild& other) { return other.host == all[std::size_t(rank)].host; };
  return {int(std::count_if(all.begin(), all.begin() + rank, is_here)),
          int(std::count_if(all.begin(), all.end(), is_here))};
}

// Restricts this thread, and those that it starts, to a rank's equal share of the host's processors. Does
// nothing if there are more ranks than processors.
void take_share_of_processors(const PlaceOnHost& place) {
  cpu_set_t processors;
  CPU_ZERO(&processors);
  if (sched_getaffinity(0, sizeof processors, &processors) != 0 || place.ranks > CPU_COUNT(&processors))
    return;
  const int share = CPU_COUNT(&processors) / place.ranks;
  cpu_set_t own;
  CPU_ZERO(&own);
  for (int cpu = 0, n = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &processors) && n++ / share == place.number) CPU_SET(cpu, &own);
  sched_setaffinity(0, sizeof own, &own);
}

}  // namespace

RankProcess::RankProcess(const std::string& supervisor) {
  const auto colon = supervisor.find(':');
  if (colon == std::string::npos || supervisor.substr(0, colon) != host_name()) return;
  const std::string socket = supervisor.substr(colon + 1);
  const int fd = connected_to(socket);
  if (fd < 0) {
    remove_job_socket(socket);
    _exit(exit_went_wrong);
  }
  channel_ = std::make_unique<Channel>(fd);
  end_with(fd, socket);
  channel_of_handler = fd;
  report_termination();
}

void RankProcess::join(double limit) {
  const CfdmarkMpi& mpi = open_mpi(module_file("cfdmark_mpi.so"));
  RankPatience patience;
  patience.limit = limit + 5;  // seconds; the supervisor sees more, and says it first
  patience.report = [this](const std::string& what) { send({{"event", "waits"}, {"for", what}}); };
  ranks_ = join_by_mpi(mpi, std::move(patience));
  set_process_rank(ranks_.get());
  send({{"event", "joined"},
        {"rank", ranks_->rank()},
        {"count", ranks_->count()},
        {"library", mpi.library()}});
  const std::vector<RankBuild> all = builds_of(*ranks_);
  std::set<std::array<char, 64>> hosts;
  for (const RankBuild& build : all) hosts.insert(build.host);
  hosts_ = int(hosts.size());
  mpi_library_ = mpi.library();
  mpi_library_ = mpi_library_.substr(0, mpi_library_.find(','));
  const PlaceOnHost place = place_on_host(all, ranks_->rank());
  set_process_rank(ranks_.get(), place.number);
  take_share_of_processors(place);
}

std::optional<Json> RankProcess::next_command() {
  if (relays_.empty()) {
    const char has_channel = channel_ != nullptr;
    relays_.resize(std::size_t(ranks_->count()));
    ranks_->gather("channels", &has_channel, sizeof has_channel, relays_.data());
  }
  if (commands_.empty() && channel_) receive_commands();
  std::string text = channel_ ? commands_.front() : "";
  if (channel_) commands_.pop_front();
  std::size_t size = text.size();
  for (int rank = 1; rank < ranks_->count(); ++rank) {
    if (relays_[std::size_t(rank)]) continue;
    if (is_first()) {
      ranks_->send(&size, sizeof size, rank);
      ranks_->send(text.data(), size, rank);
    } else if (rank == ranks_->rank()) {
      ranks_->receive(&size, sizeof size, 0);
      text.resize(size);
      ranks_->receive(text.data(), size, 0);
    }
  }
  Json command = Json::parse(text);
  return command.is_null() ? std::nullopt : std::optional(std::move(command));
}

void RankProcess::receive_commands() {
  while (commands_.empty())
    for (std::string& line : channel_->receive(-1)) commands_.push_back(std::move(line));
}

void RankProcess::send(const Json& message) const {
  if (channel_) channel_->send(message);
}

void RankProcess::report_stage(const std::string& stage) const {
  send({{"event", "stage"}, {"stage", stage}});
}

void RankProcess::end(int status) {
  send({{"event", "ended"}, {"status", status}});
  set_process_rank(nullptr);
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
