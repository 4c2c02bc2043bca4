// Ranks that measure the time of their own communication.
#pragma once

#include <memory>

#include "kernels/ranks/ranks.hpp"

namespace cfdmark {

// Amount and time of a rank's communication since reset(). Times include the time that this
// rank waited for others.
struct Communicated {
  double exchange_seconds = 0, sum_seconds = 0;
  double exchange_bytes = 0, largest_message = 0;  // sent to other ranks
  double sum_bytes = 0;
  int messages = 0;  // of exchanges
  int sums = 0;      // gathers
  // Parts of the times above and of a rank's work.
  double exchange_waited = 0, sum_waited = 0;  // for other ranks
  double repeated_seconds = 0;                 // in work that every rank repeats
};

// Passes everything to other ranks. What it prepares must not outlive it.
class TimedRanks final : public Ranks {
 public:
  explicit TimedRanks(Ranks& ranks) : ranks_(ranks) {}

  int rank() const override { return ranks_.rank(); }
  int count() const override { return ranks_.count(); }
  void gather(const char* what, const void* mine, std::size_t bytes, void* of_all) override;
  void send(const void* data, std::size_t bytes, int to) override;
  void receive(void* data, std::size_t bytes, int from) override;
  std::unique_ptr<GhostExchange> exchange(const Partition&, const AnyView& field) override;
  // The time of a run is that from the first call to the return of start(), and from the first message read
  // to finish(): with packing, without work in between.
  std::unique_ptr<BufferExchange> buffers(const std::vector<RankMessage>& sent,
                                          const std::vector<RankMessage>& received) override;
  double waited() const override { return ranks_.waited(); }
  void mark_repeated(bool begins) override;

  void note_exchange(const ExchangeTraffic&) override;
  void note_sum(double bytes) override;

  const Communicated& communicated() const { return so_far_; }
  void reset() { so_far_ = {}; }

 private:
  Ranks& ranks_;
  Communicated so_far_;
  double repeated_since_ = 0;  // seconds of the clock
};

}  // namespace cfdmark
