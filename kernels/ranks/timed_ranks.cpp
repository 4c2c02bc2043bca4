#include "kernels/ranks/timed_ranks.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace cfdmark {
namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Adds its own lifetime to a number of seconds, and the time that its rank waited to another.
class AddSeconds {
 public:
  AddSeconds(const Ranks& ranks, double& sum, double& waited) : ranks_(ranks), sum_(sum), waited_(waited) {}
  AddSeconds(const AddSeconds&) = delete;
  AddSeconds& operator=(const AddSeconds&) = delete;
  ~AddSeconds() {
    sum_ += now() - start_;
    waited_ += ranks_.waited() - waited_before_;
  }

 private:
  const Ranks& ranks_;
  double &sum_, &waited_;
  double waited_before_ = ranks_.waited(), start_ = now();
};

void add(Communicated& sum, const ExchangeTraffic& sent) {
  sum.exchange_bytes += sent.bytes;
  sum.messages += sent.messages;
  sum.largest_message = std::max(sum.largest_message, sent.largest);
}

class TimedExchange final : public GhostExchange {
 public:
  TimedExchange(const Ranks& ranks, std::unique_ptr<GhostExchange> exchange, Communicated& sum)
      : ranks_(ranks), exchange_(std::move(exchange)), sum_(sum) {}

  void run() override {
    const AddSeconds adding(ranks_, sum_.exchange_seconds, sum_.exchange_waited);
    exchange_->run();
    add(sum_, exchange_->traffic());
  }
  const ExchangeTraffic& traffic() const override { return exchange_->traffic(); }

 private:
  const Ranks& ranks_;
  std::unique_ptr<GhostExchange> exchange_;
  Communicated& sum_;
};

class TimedBuffers final : public BufferExchange {
 public:
  TimedBuffers(const Ranks& ranks, std::unique_ptr<BufferExchange> buffers,
               const std::vector<RankMessage>& sent, Communicated& sum)
      : ranks_(ranks), buffers_(std::move(buffers)), sum_(sum), messages_(int(sent.size())) {
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
    if (!running_) running_.emplace(ranks_, sum_.exchange_seconds, sum_.exchange_waited);
  }

  const Ranks& ranks_;
  std::unique_ptr<BufferExchange> buffers_;
  Communicated& sum_;
  int messages_;
  double bytes_ = 0, largest_ = 0;
  std::optional<AddSeconds> running_;
};

}  // namespace

void TimedRanks::gather(const char* what, const void* mine, std::size_t bytes, void* of_all) {
  const AddSeconds adding(ranks_, so_far_.sum_seconds, so_far_.sum_waited);
  ranks_.gather(what, mine, bytes, of_all);
  so_far_.sum_bytes += double(bytes);
  ++so_far_.sums;
}

void TimedRanks::send(const void* data, std::size_t bytes, int to) {
  const AddSeconds adding(ranks_, so_far_.sum_seconds, so_far_.sum_waited);
  ranks_.send(data, bytes, to);
  so_far_.sum_bytes += double(bytes);
}

void TimedRanks::receive(void* data, std::size_t bytes, int from) {
  const AddSeconds adding(ranks_, so_far_.sum_seconds, so_far_.sum_waited);
  ranks_.receive(data, bytes, from);
}

void TimedRanks::note_exchange(const ExchangeTraffic& sent) { add(so_far_, sent); }

void TimedRanks::note_sum(double bytes) {
  so_far_.sum_bytes += bytes;
  ++so_far_.sums;
}

std::unique_ptr<GhostExchange> TimedRanks::exchange(const Partition& partition, const AnyView& field) {
  return std::make_unique<TimedExchange>(ranks_, ranks_.exchange(partition, field), so_far_);
}

void TimedRanks::mark_repeated(bool begins) {
  if (begins)
    repeated_since_ = now();
  else
    so_far_.repeated_seconds += now() - repeated_since_;
}

std::unique_ptr<BufferExchange> TimedRanks::buffers(const std::vector<RankMessage>& sent,
                                                    const std::vector<RankMessage>& received) {
  return std::make_unique<TimedBuffers>(ranks_, ranks_.buffers(sent, received), sent, so_far_);
}

}  // namespace cfdmark
