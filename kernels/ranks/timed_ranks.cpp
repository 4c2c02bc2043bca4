#include "kernels/ranks/timed_ranks.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
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

class TimedExchange final : public GhostExchange {
 public:
  TimedExchange(std::unique_ptr<GhostExchange> exchange, Communicated& sum)
      : exchange_(std::move(exchange)), sum_(sum) {}

  void run() override {
    const AddSeconds adding(sum_.exchange_seconds);
    exchange_->run();
    const ExchangeTraffic& sent = exchange_->traffic();
    sum_.exchange_bytes += sent.bytes;
    sum_.messages += sent.messages;
    sum_.largest_message = std::max(sum_.largest_message, sent.largest);
  }
  const ExchangeTraffic& traffic() const override { return exchange_->traffic(); }

 private:
  std::unique_ptr<GhostExchange> exchange_;
  Communicated& sum_;
};

class TimedBuffers final : public BufferExchange {
 public:
  TimedBuffers(std::unique_ptr<BufferExchange> buffers, const std::vector<RankMessage>& sent,
               Communicated& sum)
      : buffers_(std::move(buffers)), sum_(sum), messages_(int(sent.size())) {
    for (const RankMessage& m : sent)
      bytes_ += double(m.bytes), largest_ = std::max(largest_, double(m.bytes));
  }

  char* outgoing(int n) override {
    begin();
    return buffers_->outgoing(n);
  }
  void start() override {
    begin();
    buffers_->start();
    running_.reset();
    sum_.exchange_bytes += bytes_;
    sum_.messages += messages_;
    sum_.largest_message = std::max(sum_.largest_message, largest_);
  }
  const char* incoming(int n) override {
    begin();
    return buffers_->incoming(n);
  }
  void finish() override {
    begin();
    buffers_->finish();
    running_.reset();
  }

 private:
  void begin() {
    if (!running_) running_.emplace(sum_.exchange_seconds);
  }

  std::unique_ptr<BufferExchange> buffers_;
  Communicated& sum_;
  int messages_;
  double bytes_ = 0, largest_ = 0;
  std::optional<AddSeconds> running_;
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

std::unique_ptr<GhostExchange> TimedRanks::exchange(const Partition& partition, const AnyView& field) {
  return std::make_unique<TimedExchange>(ranks_.exchange(partition, field), so_far_);
}

std::unique_ptr<BufferExchange> TimedRanks::buffers(const std::vector<RankMessage>& sent,
                                                    const std::vector<RankMessage>& received) {
  return std::make_unique<TimedBuffers>(ranks_.buffers(sent, received), sent, so_far_);
}

}  // namespace cfdmark
