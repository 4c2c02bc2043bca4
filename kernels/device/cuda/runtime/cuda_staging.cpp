#include "kernels/device/cuda/runtime/cuda_staging.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/device/cuda/runtime/cuda_check.hpp"

namespace cfdmark {
namespace {

void copy_by_all_cores(void* to, const void* from, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t(1) << 20;
  const auto pieces = std::ptrdiff_t((bytes + piece - 1) / piece);
#pragma omp parallel for schedule(static)
  for (std::ptrdiff_t n = 0; n < pieces; ++n) {
    const std::size_t begin = std::size_t(n) * piece;
    std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin,
                std::min(piece, bytes - begin));
  }
}

}  // namespace

// The bytes that pass through a buffer in one turn.
struct CudaStaging::Part {
  int buffer;
  std::size_t begin, bytes;
};

CudaStaging::~CudaStaging() {
  const DeviceWideTurn turn;
  for (const int n : {0, 1}) {
    if (buffers_[n]) cudaFreeHost(buffers_[n]);
    if (copied_[n]) cudaEventDestroy(copied_[n]);
  }
}

void CudaStaging::start() {
  for (const int n : {0, 1}) {
    if (!buffers_[n]) {
      const DeviceWideTurn turn;
      check_cuda(cudaMallocHost(&buffers_[n], buffer_bytes), "allocate pinned memory");
    }
    if (!copied_[n])
      check_cuda(cudaEventCreateWithFlags(&copied_[n], cudaEventDisableTiming), "create an event");
  }
}

CudaStaging::Part CudaStaging::part(int n, std::size_t bytes) const {
  const std::size_t begin = std::size_t(n) * buffer_bytes;
  return {n % 2, begin, begin < bytes ? std::min(buffer_bytes, bytes - begin) : 0};
}

void CudaStaging::wait(int buffer) const {
  check_cuda(cudaEventSynchronize(copied_[buffer]), "wait for a copy");
}

void CudaStaging::upload(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  start();
  for (int n = 0;; ++n) {
    const Part p = part(n, bytes);
    if (n >= 2) wait(p.buffer);  // its copy from two turns ago has finished
    if (p.bytes == 0) break;
    copy_by_all_cores(buffers_[p.buffer], static_cast<const char*>(from) + p.begin, p.bytes);
    check_cuda(cudaMemcpyAsync(static_cast<char*>(to) + p.begin, buffers_[p.buffer], p.bytes,
                               cudaMemcpyHostToDevice, stream),
               "copy to the device");
    check_cuda(cudaEventRecord(copied_[p.buffer], stream), "record an event");
  }
  check_cuda(cudaStreamSynchronize(stream), "wait for the device");
}

void CudaStaging::download(void* to, const void* from, std::size_t bytes, cudaStream_t stream) {
  start();
  for (int n = 0;; ++n) {
    const Part ahead = part(n, bytes);
    if (ahead.bytes > 0) {
      check_cuda(cudaMemcpyAsync(buffers_[ahead.buffer], static_cast<const char*>(from) + ahead.begin,
                                 ahead.bytes, cudaMemcpyDeviceToHost, stream),
                 "copy to the host");
      check_cuda(cudaEventRecord(copied_[ahead.buffer], stream), "record an event");
    }
    if (n == 0) continue;
    const Part arrived = part(n - 1, bytes);
    if (arrived.bytes == 0) break;
    wait(arrived.buffer);
    copy_by_all_cores(static_cast<char*>(to) + arrived.begin, buffers_[arrived.buffer], arrived.bytes);
  }
}

}  // namespace cfdmark
