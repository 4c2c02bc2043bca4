#include "kernels/ranks/buffer_exchange.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "kernels/ranks/ranks.hpp"

namespace cfdmark {
namespace {

// Returns the bytes of the message with each rank; 0: none.
std::vector<std::size_t> bytes_by_rank(const Ranks& ranks, const std::vector<RankMessage>& messages) {
  std::vector<std::size_t> bytes(static_cast<std::size_t>(ranks.count()));
  for (const RankMessage& m : messages) {
    if (m.rank < 0 || m.rank >= ranks.count() || m.rank == ranks.rank() || m.bytes == 0)
      throw std::invalid_argument(fmt::format("rank {} has a message of {} bytes with rank {} of {}",
                                              ranks.rank(), m.bytes, m.rank, ranks.count()));
    if (bytes[std::size_t(m.rank)] > 0)
      throw std::invalid_argument(fmt::format("rank {} has two messages with rank {}", ranks.rank(), m.rank));
    bytes[std::size_t(m.rank)] = m.bytes;
  }
  return bytes;
}

}  // namespace

void check_messages(Ranks& ranks, const std::vector<RankMessage>& sent,
                    const std::vector<RankMessage>& received) {
  const std::size_t count = std::size_t(ranks.count()), rank = std::size_t(ranks.rank());
  const std::vector<std::size_t> mine = bytes_by_rank(ranks, sent), expected = bytes_by_rank(ranks, received);
  std::vector<std::size_t> of_all(count * count);
  ranks.gather("preparing messages", mine.data(), count * sizeof mine[0], of_all.data());
  for (std::size_t from = 0; from < count; ++from)
    if (const std::size_t bytes = of_all[from * count + rank]; bytes != expected[from])
      throw std::logic_error(fmt::format("rank {} expects {} bytes from rank {}, which sends {}", rank,
                                         expected[from], from, bytes));
}

}  // namespace cfdmark
