#include "kernels/ranks/thread_exchange.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace cfdmark {
namespace {

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

// A rank waits for the data of another, not for its whole exchange: a buffer is filled again once it was
// read.
class ThreadBuffers final : public BufferExchange {
 public:
  ThreadBuffers(ThreadGroup& group, int rank, std::vector<SharedBuffer>& buffers,
                const std::vector<RankMessage>& sent, const std::vector<RankMessage>& received)
      : group_(group), rank_(rank) {
    const auto between = [&](int from, int to) {
      return &buffers[std::size_t(from) * std::size_t(group.count) + std::size_t(to)];
    };
    for (const RankMessage& m : sent) {
      SharedBuffer* const buffer = between(rank, m.rank);
      buffer->data.resize(m.bytes);
      sent_.push_back({buffer, m.rank});
    }
    for (const RankMessage& m : received) received_.push_back({between(m.rank, rank), m.rank});
  }

  char* outgoing(int n) override {
    const auto [buffer, to] = sent_[std::size_t(n)];
    group_.wait(
        rank_, [&, b = buffer] { return b->taken.load(std::memory_order_acquire) >= starts_; },
        [&, r = to] { return fmt::format("rank {} to read its buffer (run {})", r, starts_); });
    return buffer->data.data();
  }
  void start() override {
    ++starts_;
    for (const auto& [buffer, to] : sent_) buffer->sent.store(starts_, std::memory_order_release);
  }
  const char* incoming(int n) override {
    const auto [buffer, from] = received_[std::size_t(n)];
    group_.wait(
        rank_, [&, b = buffer] { return b->sent.load(std::memory_order_acquire) >= starts_; },
        [&, r = from] { return fmt::format("the buffer of rank {} (run {})", r, starts_); });
    return buffer->data.data();
  }
  void finish() override {
    for (const auto& [buffer, from] : received_) buffer->taken.store(starts_, std::memory_order_release);
  }

 private:
  struct Place {
    SharedBuffer* buffer;
    int rank;
  };

  ThreadGroup& group_;
  int rank_;
  std::uint64_t starts_ = 0;
  std::vector<Place> sent_, received_;
};

}  // namespace

std::unique_ptr<GhostExchange> thread_exchange(ThreadGroup& group, int rank, std::size_t number,
                                               GhostRounds rounds) {
  return std::make_unique<ThreadExchange>(group, rank, number, std::move(rounds));
}

std::unique_ptr<BufferExchange> thread_buffers(ThreadGroup& group, Ranks& ranks, std::size_t number,
                                               const std::vector<RankMessage>& sent,
                                               const std::vector<RankMessage>& received) {
  auto made = std::make_unique<ThreadBuffers>(group, ranks.rank(), group.buffers_of(number), sent, received);
  check_messages(ranks, sent, received);  // after which the buffers of all have their size
  return made;
}

}  // namespace cfdmark
