#include "kernels/ranks/thread_ranks.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "kernels/device/cpu/allowed_cpus.hpp"
#include "kernels/ranks/thread_exchange.hpp"

namespace cfdmark {
namespace {

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
    return thread_exchange(group_, rank_, exchanges_++, ghost_rounds(partition, rank_, fields));
  }

  std::unique_ptr<BufferExchange> buffers(const std::vector<RankMessage>& sent,
                                          const std::vector<RankMessage>& received) override {
    return thread_buffers(group_, *this, buffers_++, sent, received);
  }

 private:
  Mailbox& mailbox(int from, int to) {
    return group_.mailboxes[std::size_t(from) * std::size_t(group_.count) + std::size_t(to)];
  }

  ThreadGroup& group_;
  int rank_;
  std::size_t exchanges_ = 0, buffers_ = 0, gathers_ = 0;
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
    // OpenMP may have bound the thread that started this one to some processors, which both would share.
    const cpu_set_t processors = allowed_cpus();
    sched_setaffinity(0, sizeof processors, &processors);
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
