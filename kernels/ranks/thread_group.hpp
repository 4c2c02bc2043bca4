// How ranks that are threads of one process meet, wait for each other and end when one fails.
#pragma once

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace cfdmark {

// Ends a rank that waits when one has failed, after that failure was stored.
struct RankEnded {};

// Counters of a rank in one exchange. Each has a cache line, as other ranks write to it.
struct alignas(64) RankFlags {
  std::atomic<std::uint64_t> ready = 0;  // rounds for which the rank's values may be read
  std::atomic<std::uint64_t> taken = 0;  // messages that others have read from it
};
// A rank's data that the others read in a gather.
struct alignas(64) GatherSlot {
  std::vector<char> data;
  const char* what = "";
};
// Seconds that a rank has waited for others.
struct alignas(64) Waited {
  double seconds = 0;
};
// A message from one rank to another; data is null when it has been received.
struct alignas(64) Mailbox {
  std::atomic<const void*> data = nullptr;
  std::size_t bytes = 0;
};

// What a rank sends to another again and again.
struct alignas(64) SharedBuffer {
  std::vector<char> data;
  std::atomic<std::uint64_t> sent = 0;   // times that the data were complete
  std::atomic<std::uint64_t> taken = 0;  // times that they were read
};

// The state that the ranks of a process share.
class ThreadGroup {
 public:
  ThreadGroup(int ranks, double limit)
      : count(ranks),
        wait_limit(limit),
        slots{std::vector<GatherSlot>(std::size_t(ranks)), std::vector<GatherSlot>(std::size_t(ranks))},
        mailboxes(std::size_t(ranks) * std::size_t(ranks)),
        waited(std::size_t(ranks)) {}

  // Waits until done() holds. `what` describes what is missing. Throws RankEnded if a rank has failed; this
  // one too, if it waits longer than the limit.
  template <class Done, class What>
  void wait(int rank, const Done& done, const What& what) {
    using Clock = std::chrono::steady_clock;
    constexpr int spins = 200, looks = 256;  // before the first yield; between two looks at the clock
    if (done()) return;
    const Clock::time_point start = Clock::now();
    const auto seconds = [start] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    for (int n = 0; !done(); ++n) {
      if (has_failed.load(std::memory_order_relaxed)) end_and_throw();
      if (n < spins) continue;
      std::this_thread::yield();
      if (n % looks == 0 && seconds() > wait_limit)
        fail(rank, fmt::format("waited {} s for {}", wait_limit, what()));
    }
    waited[std::size_t(rank)].seconds += seconds();
  }

  // Waits for all ranks.
  void meet(int rank, const char* what) {
    const std::uint64_t before = meetings.load(std::memory_order_relaxed);
    if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == count) {
      arrived.store(0, std::memory_order_relaxed);
      meetings.store(before + 1, std::memory_order_release);
      return;
    }
    wait(
        rank, [&] { return meetings.load(std::memory_order_acquire) != before; },
        [&] { return fmt::format("the other ranks: {}", what); });
  }

  void fail(int rank, const std::string& message) {
    const std::lock_guard lock(mutex);
    if (failure.empty()) failure = fmt::format("rank {} of {}: {}", rank, count, message);
    has_failed = true;
  }

  // Begins some work of all ranks.
  void begin() { ended.store(0, std::memory_order_relaxed); }
  // Counts a rank that has ended it.
  void end() { ended.fetch_add(1, std::memory_order_acq_rel); }

  // Returns the flags of exchange number `number`, one for each rank.
  std::vector<RankFlags>& flags_of(std::size_t number) {
    const std::lock_guard lock(mutex);
    while (flags.size() <= number) flags.emplace_back(std::size_t(count));
    return flags[number];
  }

  // Returns the buffers of set number `number`: from rank r to rank s at r count + s.
  std::vector<SharedBuffer>& buffers_of(std::size_t number) {
    const std::lock_guard lock(mutex);
    while (buffers.size() <= number) buffers.emplace_back(std::size_t(count) * std::size_t(count));
    return buffers[number];
  }

  const int count;
  const double wait_limit;
  // Data of two successive gathers: a rank that begins the second gather after one has met all others since,
  // which have then read its data.
  std::array<std::vector<GatherSlot>, 2> slots;
  std::vector<Mailbox> mailboxes;  // from rank r to rank s: r count + s
  std::vector<Waited> waited;      // by rank
  std::string failure;             // guarded by mutex

 private:
  // Another rank may still read from this one's fields, which unwinding frees: it is at a copy, and ends at
  // its next wait.
  [[noreturn]] void end_and_throw() {
    end();
    while (ended.load(std::memory_order_acquire) < count) std::this_thread::yield();
    throw RankEnded();
  }

  std::atomic<int> arrived = 0, ended = 0;
  std::atomic<std::uint64_t> meetings = 0;
  std::atomic<bool> has_failed = false;
  std::mutex mutex;
  std::deque<std::vector<RankFlags>> flags;  // a deque never moves its elements
  std::deque<std::vector<SharedBuffer>> buffers;
};

}  // namespace cfdmark
