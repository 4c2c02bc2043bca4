#include "bench/device_facts/nccl_latency.hpp"

#include <chrono>

#include "kernels/core/statistics.hpp"

namespace cfdmark {
namespace {

constexpr std::size_t bytes = 8;
constexpr int batches = 5, exchanges = 200;

// One side of an exchange with another rank: a message each way.
struct NcclPartner {
  NcclPartner(const NcclRanks& ranks, CudaBackend& on, std::size_t mine, std::size_t other)
      : memory(on, 2 * bytes), on(&on) {
    char* const data = static_cast<char*>(memory.data());
    const GroupMessage out{.other = int(other), .send = data, .bytes = bytes},
        in{.other = int(other), .receive = data + bytes, .bytes = bytes};
    step = on.prepare({.run = {HostCall{ranks.messages(int(mine), {out, in})}}});
  }
  Buffer memory;
  CudaBackend* on;
  Step step;
};

double batch_seconds(const std::vector<NcclPartner>& sides, int count) {
  const auto start = std::chrono::steady_clock::now();
  for (int n = 0; n < count; ++n)
    together([&] {
      for (const NcclPartner& side : sides) side.step.run();
    });
  for (const NcclPartner& side : sides) side.on->fence();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / count;
}

}  // namespace

double NcclLatency::measured(std::size_t first, std::size_t second) {
  if (!ranks_) {
    std::vector<int> indices;
    for (const CudaBackend* device : devices_) indices.push_back(device->index());
    ranks_.emplace(indices);
  }
  std::vector<NcclPartner> sides;
  sides.emplace_back(*ranks_, *devices_.at(first), first, second);
  sides.emplace_back(*ranks_, *devices_.at(second), second, first);
  batch_seconds(sides, 1);  // connects the two
  std::vector<double> found;
  for (int n = 0; n < batches; ++n) found.push_back(batch_seconds(sides, exchanges));
  return median(found);
}

std::optional<double> NcclLatency::seconds(std::size_t first, std::size_t second) {
  if (!reason_.empty()) return std::nullopt;
  try {
    return measured(first, second);
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::runtime_error& e) {
    reason_ = e.what();
    return std::nullopt;
  }
}

}  // namespace cfdmark
