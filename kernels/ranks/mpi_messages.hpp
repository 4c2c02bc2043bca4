// Messages between processes that MPI joins. No rank blocks in MPI.
#pragma once

#include <fmt/format.h>
#include <sched.h>
#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/ranks/mpi_ranks.hpp"

namespace cfdmark {

// Messages of MPI on their way between this rank and others.
class MpiMessages {
 public:
  MpiMessages(const CfdmarkMpi& mpi, RankPatience patience) : mpi_(mpi), patience_(std::move(patience)) {}

  void send(const void* data, std::size_t bytes, int to, int tag) {
    in_pieces(bytes, [&](std::size_t at, std::size_t size) {
      CfdmarkMpiRequest request{};
      check(mpi_.send(static_cast<const char*>(data) + at, size, to, tag, &request), to);
      pending_.push_back({request, to, size, false});
    });
  }
  void receive(void* data, std::size_t bytes, int from, int tag) {
    in_pieces(bytes, [&](std::size_t at, std::size_t size) {
      CfdmarkMpiRequest request{};
      check(mpi_.receive(static_cast<char*>(data) + at, size, from, tag, &request), from);
      pending_.push_back({request, from, size, true});
    });
  }

  // Waits until all started messages are done. `what` names the wait in reports.
  template <class What>
  void wait(const What& what) {
    using Clock = std::chrono::steady_clock;
    progress();
    if (pending_.empty()) return;
    const Clock::time_point start = Clock::now();
    bool is_reported = false;
    for (int yields = 0;;) {
      progress();
      if (pending_.empty()) break;
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      if (seconds < spin_) continue;
      if (++yields <= few_yields) {
        sched_yield();
        continue;
      }
      sleep(seconds < long_wait ? short_sleep : long_sleep);
      if (seconds < patience_.quiet) continue;
      const std::string missing = fmt::format("{} ({})", pending_ranks(), what());
      if (seconds > patience_.limit)
        throw std::runtime_error(fmt::format("waited {:g} s for {}", patience_.limit, missing));
      if (!is_reported && patience_.report) patience_.report(missing);
      is_reported = true;
    }
    waited_ += std::chrono::duration<double>(Clock::now() - start).count();
    if (is_reported && patience_.report) patience_.report("");
  }
  double waited() const { return waited_; }

  // Waits spin only where each rank has a processor of its own.
  void set_ranks_of_host(int ranks) {
    cpu_set_t processors;
    CPU_ZERO(&processors);
    sched_getaffinity(0, sizeof processors, &processors);
    spin_ = ranks <= CPU_COUNT(&processors) ? 50e-6 : 1e-6;
    prctl(PR_SET_TIMERSLACK, 1000);  // nanoseconds by which a sleep may last longer
  }

  const CfdmarkMpi& mpi() const { return mpi_; }

 private:
  struct Pending {
    CfdmarkMpiRequest request;
    int other;
    std::size_t bytes;
    bool receives;
  };

  template <class F>
  static void in_pieces(std::size_t bytes, const F& f) {
    for (std::size_t at = 0; at < bytes; at += largest_piece) f(at, std::min(bytes - at, largest_piece));
  }

  void check(int failed, int other) const {
    if (failed) throw std::runtime_error(fmt::format("a message with rank {}: {}", other, mpi_.error()));
  }

  void progress() {
    std::size_t kept = 0;
    for (Pending& one : pending_) {
      int done = 0;
      std::size_t bytes = 0;
      check(mpi_.test(&one.request, &done, &bytes), one.other);
      if (!done) pending_[kept++] = one;
      if (done && one.receives && bytes != one.bytes)
        throw std::logic_error(
            fmt::format("{} bytes are expected from rank {}, which sends {}", one.bytes, one.other, bytes));
    }
    pending_.resize(kept);
  }

  std::string pending_ranks() const {
    std::vector<int> ranks;
    for (const Pending& one : pending_) ranks.push_back(one.other);
    std::sort(ranks.begin(), ranks.end());
    ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
    std::string text = ranks.size() > 1 ? "ranks" : "rank";
    for (const int rank : ranks) text += fmt::format("{} {}", rank == ranks.front() ? "" : ",", rank);
    return text;
  }

  // A yield gives the processor to another rank at once. But a process that yields again and again falls
  // behind all others that run: Linux 6.6 postpones it by a time slice for each yield. One that sleeps does
  // not.
  static constexpr int few_yields = 10;
  static constexpr long short_sleep = 5000, long_sleep = 100000;  // nanoseconds
  static constexpr double long_wait = 1e-3;                       // seconds
  static void sleep(long nanoseconds) {
    const timespec time{0, nanoseconds};
    nanosleep(&time, nullptr);
  }

  static constexpr std::size_t largest_piece = std::size_t(1) << 30;  // bytes of one message of MPI

  const CfdmarkMpi& mpi_;
  RankPatience patience_;
  double spin_ = 0;    // seconds before the first sleep of a wait
  double waited_ = 0;  // seconds in waits so far
  std::vector<Pending> pending_;
};

}  // namespace cfdmark
