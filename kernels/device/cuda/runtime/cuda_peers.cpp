#include "kernels/device/cuda/runtime/cuda_peers.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <tuple>

#include "kernels/device/cuda/runtime/peer_access.hpp"
#include "kernels/device/cuda/runtime/peer_launch.hpp"

namespace cfdmark {
namespace {

// Memory of a device; the device is current afterwards.
std::shared_ptr<void> memory_of(int device, std::size_t bytes) {
  check_cuda(cudaSetDevice(device), "select the device");
  const DeviceWideTurn turn;
  void* p = nullptr;
  check_cuda(cudaMalloc(&p, bytes), "allocate");
  check_cuda(cudaMemset(p, 0, bytes), "set to zero");
  check_cuda(cudaDeviceSynchronize(), "set to zero");
  return {p, [device](void* q) {
            cudaSetDevice(device);
            const DeviceWideTurn while_freeing;
            cudaFree(q);
          }};
}

// A box of a Put, copied by the copy engines.
struct ReadyCopy {
  Put put;

  void operator()(const CudaQueue& queue) const {
    for (int k = 0; k < put.nz; ++k)
      check_cuda(cudaMemcpy2DAsync(put.to + k * put.to_plane, pitch(put.to_pitch),
                                   put.from + k * put.from_plane, pitch(put.from_pitch), put.row_bytes,
                                   std::size_t(put.ny), cudaMemcpyDefault, queue.stream),
                 "copy between devices");
  }
  // CUDA refuses a pitch below the length of a row, even for a single row.
  std::size_t pitch(std::ptrdiff_t given) const { return std::max(std::size_t(given), put.row_bytes); }
};

// Launches keep the word that counts their blocks.
struct ReadyPeerLaunch {
  ReadyLaunch launch;
  std::shared_ptr<void> arrived;

  void operator()(const CudaQueue& queue) {
    launch.stream = queue.stream;
    launch(queue);
  }
};

}  // namespace

PeerFailure* CudaPeers::failure() {
  if (!failure_) {
    const std::shared_ptr<void> memory = pinned_memory(sizeof(PeerFailure));
    failure_ = {memory, static_cast<PeerFailure*>(memory.get())};
    *failure_ = {-1, 0};
  }
  return failure_.get();
}

std::vector<std::function<void(const CudaQueue&)>> CudaPeers::prepare(const std::vector<PeerWork>& work,
                                                                      int rank, int& launches) {
  std::vector<std::function<void(const CudaQueue&)>> calls;
  launches = 0;
  for (const PeerBatch& batch : batches_of(work)) {
    if (batch.has_launch()) {
      const std::shared_ptr<void> arrived = memory_of(code_->device, sizeof(unsigned));
      const Launch launch =
          peer_launch(batch, static_cast<unsigned*>(arrived.get()), failure(), int(awaits_.size()));
      for (const auto* awaits : {&batch.awaits_before, &batch.awaits_after})
        for (const Await& await : *awaits)
          awaits_.push_back(fmt::format("rank {} waited {} s for rank {}: {}", rank, most_seconds_of_an_await,
                                        await.from, await.what));
      calls.push_back(
          ReadyPeerLaunch{{launch, LoadedFunction(launch, *code_), code_->streams->at(0)}, arrived});
      ++launches;
    }
    for (const Put& put : batch.copies) calls.push_back(ReadyCopy{put});
  }
  return calls;
}

void CudaPeers::check() {
  if (!failure_) return;
  volatile PeerFailure& failed = *failure_;
  const int number = failed.number;
  if (number < 0) return;
  const auto round = std::size_t(failed.round);
  code_->streams->wait();  // what was submitted before waits no longer
  failed.number = -1;      // so that the next solve can wait
  throw std::runtime_error(fmt::format("{} (round {})", awaits_.at(std::size_t(number)), round));
}

std::string CudaPeers::refusal(int other, PeerWay way) {
  if (other == code_->device) return "";
  static std::mutex mutex;
  static std::map<std::tuple<int, int, PeerWay>, std::string> tried;
  const std::lock_guard lock(mutex);
  const auto [reason, is_new] = tried.try_emplace({code_->device, other, way});
  if (is_new) {
    reason->second = enable_peer_access(code_->device, other);
    if (reason->second.empty()) reason->second = trial(other, way);
  }
  return reason->second;
}

// Sends a pattern that differs in every word, by the code that exchanges use, with a signal behind it. Then
// the other device reads its own memory.
std::string CudaPeers::trial(int other, PeerWay way) {
  constexpr std::size_t words = 1 << 18, bytes = words * sizeof(unsigned);
  const int device = code_->device;
  const std::shared_ptr<void> flag = memory_of(other, sizeof(PeerCount)), there = memory_of(other, bytes),
                              count = memory_of(device, sizeof(PeerCount)), here = memory_of(device, bytes);
  Put put{.from = static_cast<const char*>(here.get()),
          .to = static_cast<char*>(there.get()),
          .row_bytes = bytes,
          .way = way};
  int launches = 0;
  const auto calls = prepare(
      {put, Signal{static_cast<PeerCount*>(flag.get()), static_cast<PeerCount*>(count.get())}}, 0, launches);
  const cudaStream_t stream = code_->streams->at(0);
  std::vector<unsigned> sent(words), received(words);
  for (unsigned round = 1; round <= 3; ++round) {
    for (unsigned n = 0; n < words; ++n) sent[n] = (n + 1) * 2654435761u + round;
    check_cuda(cudaSetDevice(device), "select the device");
    check_cuda(cudaMemcpyAsync(here.get(), sent.data(), bytes, cudaMemcpyHostToDevice, stream), "copy");
    for (const auto& call : calls) call({.stream = stream});
    check_cuda(cudaStreamSynchronize(stream), "try peer access");
    PeerCount signals = 0;
    check_cuda(cudaSetDevice(other), "select the device");
    check_cuda(cudaMemcpy(received.data(), there.get(), bytes, cudaMemcpyDeviceToHost), "copy");
    check_cuda(cudaMemcpy(&signals, flag.get(), sizeof signals, cudaMemcpyDeviceToHost), "copy");
    check_cuda(cudaSetDevice(device), "select the device");
    if (received != sent || signals != round)
      return fmt::format("device {} does not see what device {} {}", other, device,
                         way == PeerWay::store ? "stores" : "copies");
  }
  return "";
}

}  // namespace cfdmark
