#include <fmt/format.h>

#include "kernels/ranks/device_links.hpp"

namespace cfdmark {
namespace {

// A message as its receiver expects it.
struct Target {
  char* at;  // in memory of the receiver's device
  std::size_t bytes;
};

GhostCopy copy_of(const char* from, char* to, std::size_t bytes) {
  return {.from = from, .to = to, .row_bytes = bytes, .ny = 1, .nz = 1};
}

}  // namespace

DeviceLinks::Exchange DeviceLinks::send_spans(const char* out, const std::vector<Span>& sent, char* in,
                                              const std::vector<Span>& received) const {
  const std::size_t count = counts_of_.size(), rank = std::size_t(ranks_->rank());
  std::vector<Target> mine(count), of_all(count * count);  // by sender
  DeviceRound round;
  for (const Span& span : received) {
    mine[std::size_t(span.rank)] = {in + span.offset, span.bytes};
    round.received.push_back(copy_of(nullptr, in + span.offset, span.bytes));
    round.received.back().from_rank = span.rank;
  }
  ranks_->gather("preparing messages of devices", mine.data(), count * sizeof mine[0], of_all.data());
  std::vector<std::size_t> bytes_to(count);
  for (const Span& span : sent) {
    char* const to = of_all[std::size_t(span.rank) * count + rank].at;
    bytes_to[std::size_t(span.rank)] = span.bytes;
    round.sent.push_back({copy_of(out + span.offset, to, span.bytes), span.rank});
  }
  std::string failure;
  for (std::size_t r = 0; r < count && failure.empty(); ++r)
    if (const std::size_t expected = of_all[r * count + rank].bytes; expected != bytes_to[r])
      failure = fmt::format("rank {} expects {} bytes from rank {}, which sends {}", r, expected, rank,
                            bytes_to[r]);
  ranks_->agree(failure);
  return prepared({round});
}

}  // namespace cfdmark
