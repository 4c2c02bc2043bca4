#include "kernels/device/cuda/plan/peer_plan.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cfdmark {
namespace {

// Kinds of work within a batch, in the order in which it runs.
enum Phase { signals_before, awaits_before, stores, signals_after, awaits_after, copies };

class Batches {
 public:
  void add(const Signal& signal) {
    place<Signal>({{signals_before, &PeerBatch::signals_before}, {signals_after, &PeerBatch::signals_after}},
                  signal);
  }
  void add(const Await& await) {
    place<Await>({{awaits_before, &PeerBatch::awaits_before}, {awaits_after, &PeerBatch::awaits_after}},
                 await);
  }
  void add(const Put& put) {
    if (put.way == PeerWay::store) return place<Put>({{stores, &PeerBatch::stores}}, put);
    place<Put>({{copies, &PeerBatch::copies}}, put);
  }
  std::vector<PeerBatch> take() { return std::move(all_); }

 private:
  template <class Item>
  struct Choice {
    Phase phase;
    std::vector<Item> PeerBatch::*list;
  };

  // Adds to the first list that is not over yet and has room, or else to the first list of a new batch.
  template <class Item>
  void place(const std::vector<Choice<Item>>& choices, const Item& item) {
    for (const auto& [phase, list] : choices) {
      auto& items = all_.back().*list;
      if (phase < phase_ || (phase != copies && int(items.size()) == most_in_a_batch)) continue;
      phase_ = phase;
      return items.push_back(item);
    }
    all_.emplace_back();
    phase_ = choices.front().phase;
    (all_.back().*choices.front().list).push_back(item);
  }

  std::vector<PeerBatch> all_ = std::vector<PeerBatch>(1);
  Phase phase_ = signals_before;  // of the last work of the last batch
};

}  // namespace

std::string_view to_string(PeerWay way) {
  switch (way) {
    case PeerWay::copy: return "copy";
    case PeerWay::store: return "store";
    case PeerWay::host: return "host";
    case PeerWay::nccl: return "nccl";
  }
  return "";
}

PeerWay peer_way_from(std::string_view word) {
  for (const PeerWay way : all_peer_ways)
    if (to_string(way) == word) return way;
  throw std::invalid_argument(
      fmt::format("unknown way '{}' between devices: use copy, store, host or nccl", word));
}

PeerBackend& peers_of(Backend& backend) {
  if (auto* const peers = dynamic_cast<PeerBackend*>(&backend)) return *peers;
  throw std::invalid_argument(fmt::format(
      "ranks on {} exchange no values between devices; use --backend cuda", to_string(backend.id())));
}

std::vector<PeerBatch> batches_of(const std::vector<PeerWork>& work) {
  Batches batches;
  for (const PeerWork& one : work) std::visit([&](const auto& of) { batches.add(of); }, one);
  return batches.take();
}

}  // namespace cfdmark
