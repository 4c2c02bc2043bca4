#include "kernels/device/cuda/runtime/peer_launch.hpp"

#include <algorithm>
#include <cstdint>

namespace cfdmark {
namespace {

static_assert(most_in_a_batch == PeerLaunch::most);

constexpr int threads = 256, most_blocks = 64;

// Returns the widest word of which all addresses and strides of the puts are multiples.
int word_of(const std::vector<Put>& puts) {
  std::uintptr_t all = 0;
  for (const Put& p : puts) {
    all |= reinterpret_cast<std::uintptr_t>(p.from) | reinterpret_cast<std::uintptr_t>(p.to) | p.row_bytes;
    for (const std::ptrdiff_t stride : {p.from_pitch, p.from_plane, p.to_pitch, p.to_plane})
      all |= std::uintptr_t(stride);
  }
  return all % 16 == 0 ? 16 : all % 8 == 0 ? 8 : 4;
}

PeerBox box_of(const Put& p, int word) {
  return {p.from,
          p.to,
          p.from_pitch / word,
          p.from_plane / word,
          p.to_pitch / word,
          p.to_plane / word,
          int(p.row_bytes) / word,
          p.ny,
          p.nz};
}

int fill(PeerFlag* to, const std::vector<Signal>& signals) {
  for (const Signal& s : signals) *to++ = {s.flag, s.count, -1};
  return int(signals.size());
}
int fill(PeerFlag* to, const std::vector<Await>& awaits, int number) {
  for (const Await& a : awaits) *to++ = {a.flag, a.count, number++};
  return int(awaits.size());
}

}  // namespace

Launch peer_launch(const PeerBatch& batch, unsigned* arrived, PeerFailure* failure, int first_await,
                   double most_seconds) {
  PeerLaunch of{};
  of.count_signals_before = fill(of.signals_before, batch.signals_before);
  of.count_awaits_before = fill(of.awaits_before, batch.awaits_before, first_await);
  of.count_signals_after = fill(of.signals_after, batch.signals_after);
  of.count_awaits_after = fill(of.awaits_after, batch.awaits_after, first_await + of.count_awaits_before);
  const int word = word_of(batch.stores);
  long long words = 0;
  for (const Put& put : batch.stores) {
    of.boxes[of.count_boxes++] = box_of(put, word);
    words += (long long)(put.bytes()) / word;
  }
  of.limit = static_cast<unsigned long long>(most_seconds * 1e9);
  of.arrived = arrived, of.failure = failure;
  const int blocks = int(std::clamp<long long>((words + threads - 1) / threads, 1, most_blocks));
  return {.function = {"kernels/device/cuda/runtime/peer_exchange.cu",
                       instance<>("peer_exchange", {word, threads})},
          .blocks = {blocks},
          .threads = {threads},
          .arguments = Arguments(of)};
}

}  // namespace cfdmark
