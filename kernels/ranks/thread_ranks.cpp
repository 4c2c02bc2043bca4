#include "kernels/ranks/thread_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernels/ranks/ghost_rounds.hpp"

namespace cfdmark {
namespace {

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
};

// Copies ghosts from the memory of the ranks around. A rank reads from a neighbour once that has arrived at
// the same round, and leaves a round once all have read from it: a field may then be updated in place.
class ThreadExchange final : public GhostExchange {
 public:
  ThreadExchange(ThreadGroup& group, int rank, std::size_t number, GhostRounds rounds)
      : group_(group),
        rank_(rank),
        number_(number),
        flags_(group.flags_of(number)),
        rounds_(std::move(rounds)) {
    for (const GhostRound& round : rounds_)
      for (const GhostCopy& copy : round.from_others) {
        traffic_.bytes += copy.bytes();
        traffic_.messages += 1;
        traffic_.largest = std::max(traffic_.largest, copy.bytes());
      }
  }

  void run() override {
    RankFlags& mine = flags_[std::size_t(rank_)];
    for (const GhostRound& round : rounds_) {
      const std::uint64_t now = ++done_;
      mine.ready.store(now, std::memory_order_release);
      for (const GhostCopy& copy : round.own) copy.run();
      for (const GhostCopy& copy : round.from_others) {
        RankFlags& other = flags_[std::size_t(copy.from_rank)];
        group_.wait(
            rank_, [&] { return other.ready.load(std::memory_order_acquire) >= now; },
            [&] { return waiting_for(fmt::format("values of rank {}", copy.from_rank)); });
        copy.run();
        other.taken.fetch_add(1, std::memory_order_release);
      }
      lent_ += std::uint64_t(round.readers);
      group_.wait(
          rank_, [&] { return mine.taken.load(std::memory_order_acquire) >= lent_; },
          [&] { return waiting_for("the ranks that read its values"); });
    }
  }
  const ExchangeTraffic& traffic() const override { return traffic_; }

 private:
  std::string waiting_for(const std::string& what) const {
    return fmt::format("{} (exchange {}, round {})", what, number_, done_);
  }

  ThreadGroup& group_;
  int rank_;
  std::size_t number_;
  std::vector<RankFlags>& flags_;
  GhostRounds rounds_;
  std::uint64_t done_ = 0, lent_ = 0;  // rounds; messages that others read from this rank
  ExchangeTraffic traffic_;
};

class ThreadRanks final : public Ranks {
 public:
  ThreadRanks(ThreadGroup& group, int rank) : group_(group), rank_(rank) {}

  int rank() const override { return rank_; }
  int count() const override { return group_.count; }
  double waited() const override { return group_.waited[std::size_t(rank_)].seconds; }

  void gather(const char* what, const void* mine, std::size_t bytes, void* of_all) override {
    std::vector<GatherSlot>& slots = group_.slots[std::size_t(gathers_++ % 2)];
    GatherSlot& own = slots[std::size_t(rank_)];
    own.data.resize(bytes);
    std::memcpy(own.data.data(), mine, bytes);
    own.what = what;
    group_.meet(rank_, what);
    for (int r = 0; r < group_.count; ++r) {
      const GatherSlot& slot = slots[std::size_t(r)];
      if (std::strcmp(slot.what, what) != 0 || slot.data.size() != bytes)
        throw std::logic_error(fmt::format("at '{}' of {} bytes, but rank {} is at '{}' of {} bytes", what,
                                           bytes, r, slot.what, slot.data.size()));
      std::memcpy(static_cast<char*>(of_all) + std::size_t(r) * bytes, slot.data.data(), bytes);
    }
  }

  void send(const void* data, std::size_t bytes, int to) override {
    Mailbox& box = mailbox(rank_, to);
    box.bytes = bytes;
    box.data.store(data, std::memory_order_release);
    group_.wait(
        rank_, [&] { return box.data.load(std::memory_order_acquire) == nullptr; },
        [&] { return fmt::format("rank {} to receive", to); });
  }
  void receive(void* data, std::size_t bytes, int from) override {
    Mailbox& box = mailbox(from, rank_);
    group_.wait(
        rank_, [&] { return box.data.load(std::memory_order_acquire) != nullptr; },
        [&] { return fmt::format("rank {} to send", from); });
    if (box.bytes != bytes)
      throw std::logic_error(
          fmt::format("{} bytes are expected from rank {}, which sends {}", bytes, from, box.bytes));
    std::memcpy(data, box.data.load(std::memory_order_relaxed), bytes);
    box.data.store(nullptr, std::memory_order_release);
  }

  std::unique_ptr<GhostExchange> exchange(const Partition& partition, const AnyView& field) override {
    std::vector<AnyView> fields(static_cast<std::size_t>(group_.count));
    gather("preparing an exchange", &field, sizeof field, fields.data());
    return std::make_unique<ThreadExchange>(group_, rank_, exchanges_++,
                                            ghost_rounds(partition, rank_, fields));
  }

 private:
  Mailbox& mailbox(int from, int to) {
    return group_.mailboxes[std::size_t(from) * std::size_t(group_.count) + std::size_t(to)];
  }

  ThreadGroup& group_;
  int rank_;
  std::size_t exchanges_ = 0, gathers_ = 0;
};

}  // namespace

// The threads of the ranks from 1 on.
struct RankTeam::Threads {
  Threads(int count, double wait_limit) : group(count, wait_limit) {
    for (int r = 0; r < count; ++r) ranks.emplace_back(group, r);
    for (int r = 1; r < count; ++r) others.emplace_back([this, r] { serve(r); });
  }
  ~Threads() {
    start(nullptr);
    for (std::thread& other : others) other.join();
  }

  void start(const std::function<void(Ranks&)>* next) {
    work = next;
    returned.store(0, std::memory_order_relaxed);
    group.begin();
    jobs.fetch_add(1, std::memory_order_release);
    jobs.notify_all();
  }
  void serve(int rank) {
    for (std::uint64_t done = 0;; ++done) {
      wait_for_job(done);
      if (!work) return;
      do_work(rank);
      returned.fetch_add(1, std::memory_order_release);
    }
  }
  // The next job of a solve follows within microseconds, and waking a thread takes tens of them: it stays
  // awake for about a millisecond.
  void wait_for_job(std::uint64_t done) {
    for (int n = 0; n < 2000 && jobs.load(std::memory_order_acquire) == done; ++n) std::this_thread::yield();
    jobs.wait(done, std::memory_order_acquire);
  }
  void do_work(int rank) {
    try {
      (*work)(ranks[std::size_t(rank)]);
    } catch (const RankEnded&) {
      return;  // counted already
    } catch (const std::exception& error) {
      group.fail(rank, error.what());
    }
    group.end();
  }

  ThreadGroup group;
  std::deque<ThreadRanks> ranks;
  std::vector<std::thread> others;
  const std::function<void(Ranks&)>* work = nullptr;
  std::atomic<std::uint64_t> jobs = 0;
  std::atomic<int> returned = 0;
};

RankTeam::RankTeam(int count, double wait_limit) {
  if (count < 1) throw std::invalid_argument(fmt::format("{} ranks: there must be at least one", count));
  threads_ = std::make_unique<Threads>(count, wait_limit);
}

RankTeam::~RankTeam() = default;

void RankTeam::run(const std::function<void(Ranks&)>& work) {
  Threads& threads = *threads_;
  if (!threads.group.failure.empty()) throw std::logic_error("a rank has failed: " + threads.group.failure);
  threads.start(&work);
  threads.do_work(0);
  while (threads.returned.load(std::memory_order_acquire) + 1 < threads.group.count)
    std::this_thread::yield();
  if (!threads.group.failure.empty()) throw std::runtime_error(threads.group.failure);
}

void on_thread_ranks(int count, const std::function<void(Ranks&)>& work, double wait_limit) {
  RankTeam(count, wait_limit).run(work);
}

}  // namespace cfdmark
