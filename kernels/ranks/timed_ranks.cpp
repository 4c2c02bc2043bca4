#include "kernels/ranks/timed_ranks.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace cfdmark {
namespace {

// Adds its own lifetime to a number of seconds.
class AddSeconds {
 public:
  explicit AddSeconds(double& sum) : sum_(sum) {}
  AddSeconds(const AddSeconds&) = delete;
  AddSeconds& operator=(const AddSeconds&) = delete;
  ~AddSeconds() { sum_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

 private:
  using Clock = std::chrono::steady_clock;
  double& sum_;
  Clock::time_point start_ = Clock::now();
};

void add(Communicated& sum, const ExchangeTraffic& sent) {
  sum.exchange_bytes += sent.bytes;
  sum.messages += sent.messages;
  sum.largest_message = std::max(sum.largest_message, sent.largest);
}

class TimedExchange final : public GhostExchange {
 public:
  TimedExchange(std::unique_ptr<GhostExchange> exchange, Communicated& sum)
      : exchange_(std::move(exchange)), sum_(sum) {}

  void run() override {
    const AddSeconds adding(sum_.exchange_seconds);
    exchange_->run();
    add(sum_, exchange_->traffic());
  }
  const ExchangeTraffic& traffic() const override { return exchange_->traffic(); }

 private:
  std::unique_ptr<GhostExchange> exchange_;
  Communicated& sum_;
};

}  // namespace

void TimedRanks::gather(const char* what, const void* mine, std::size_t bytes, void* of_all) {
  const AddSeconds adding(so_far_.sum_seconds);
  ranks_.gather(what, mine, bytes, of_all);
  so_far_.sum_bytes += double(bytes);
  ++so_far_.sums;
}

void TimedRanks::send(const void* data, std::size_t bytes, int to) {
  const AddSeconds adding(so_far_.sum_seconds);
  ranks_.send(data, bytes, to);
  so_far_.sum_bytes += double(bytes);
}

void TimedRanks::receive(void* data, std::size_t bytes, int from) {
  const AddSeconds adding(so_far_.sum_seconds);
  ranks_.receive(data, bytes, from);
}

void TimedRanks::note_exchange(const ExchangeTraffic& sent) { add(so_far_, sent); }

void TimedRanks::note_sum(double bytes) {
  so_far_.sum_bytes += bytes;
  ++so_far_.sums;
}

std::unique_ptr<GhostExchange> TimedRanks::exchange(const Partition& partition, const AnyView& field) {
  return std::make_unique<TimedExchange>(ranks_.exchange(partition, field), so_far_);
}

}  // namespace cfdmark
