// The work of a plan with code, arguments and streams resolved, ready for a queue of a device. Used by
// cuda.cpp.
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>
#include <vector>

#include "kernels/device/cuda/jit/nvrtc_cache.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/cuda/plan/stream_call.hpp"
#include "kernels/device/cuda/runtime/cuda_check.hpp"

namespace cfdmark {

inline int device_attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  check_cuda(cudaDeviceGetAttribute(&value, which, device), "query a device attribute");
  return value;
}

// The streams of a queue, counted from 0 and created on first use. The device must be current.
class Streams {
 public:
  Streams() = default;
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;
  ~Streams() {
    for (const cudaStream_t stream : streams_) cudaStreamDestroy(stream);
  }

  cudaStream_t at(int n) {
    while (int(streams_.size()) <= n) {
      const int priority = int(streams_.size()) == urgent_stream ? greatest_priority() : 0;
      streams_.push_back(nullptr);
      check_cuda(cudaStreamCreateWithPriority(&streams_.back(), cudaStreamNonBlocking, priority),
                 "create a stream");
    }
    return streams_[std::size_t(n)];
  }
  // Waits until the work of all streams is done. The next call on the device reports its errors.
  void wait() const noexcept {
    for (const cudaStream_t stream : streams_) cudaStreamSynchronize(stream);
  }

 private:
  static int greatest_priority() {
    int least = 0, greatest = 0;
    check_cuda(cudaDeviceGetStreamPriorityRange(&least, &greatest), "query the priorities of streams");
    return greatest;
  }

  std::vector<cudaStream_t> streams_;
};

// The device, cache and streams for which code is loaded.
struct CodeTarget {
  int device;
  std::string architecture;
  std::shared_ptr<Streams> streams = std::make_shared<Streams>();
  DeviceCodeCache cache = DeviceCodeCache::of_user();
};

// A device function with its code loaded for one queue. Copies share the code; the last one unloads it.
class LoadedFunction {
 public:
  LoadedFunction(const Launch& launch, CodeTarget& target) : device_(target.device) {
    const auto& [source, expression] = launch.function;
    const DeviceCode code = target.cache.get({source, {expression}, target.architecture});
    check_arguments(launch, code.symbols[0]);
    const DeviceWideTurn turn;
    cudaLibrary_t library = nullptr;
    check_cuda(cudaLibraryLoadData(&library, code.cubin.data(), nullptr, nullptr, 0, nullptr, nullptr, 0),
               expression.c_str());
    library_ = {library, [device = device_, streams = target.streams](cudaLibrary_t l) {
                  cudaSetDevice(device);
                  streams->wait();  // its last launch may still run
                  const DeviceWideTurn while_unloading;
                  cudaLibraryUnload(l);
                }};
    check_cuda(cudaLibraryGetKernel(&kernel_, library, code.symbols[0].c_str()), expression.c_str());
    check_cuda(cudaFuncGetAttributes(&attributes_, kernel_), expression.c_str());
  }

  const void* handle() const { return kernel_; }  // as cudaLaunchKernel expects it
  const cudaFuncAttributes& attributes() const { return attributes_; }

  // Returns the resident blocks per multiprocessor for a launch. Also raises the function's limit of dynamic
  // shared memory, which CUDA requires above 48 KiB.
  int blocks_a_multiprocessor(const Launch& launch) {
    const char* const doing = launch.function.expression.c_str();
    check_shared_memory(launch, int(attributes_.sharedSizeBytes),
                        device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, device_));
    if (launch.shared_bytes > attributes_.maxDynamicSharedSizeBytes) {
      check_cuda(
          cudaFuncSetAttribute(kernel_, cudaFuncAttributeMaxDynamicSharedMemorySize, launch.shared_bytes),
          doing);
      attributes_.maxDynamicSharedSizeBytes = launch.shared_bytes;
    }
    const Extent t = launch.threads;
    int blocks = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel_, t.x * t.y * t.z,
                                                             std::size_t(launch.shared_bytes)),
               doing);
    return blocks;
  }
  int resident_blocks(const Launch& launch) {
    return blocks_a_multiprocessor(launch) * device_attribute(cudaDevAttrMultiProcessorCount, device_);
  }

 private:
  int device_;
  cudaFuncAttributes attributes_{};
  std::shared_ptr<std::remove_pointer_t<cudaLibrary_t>> library_;
  cudaKernel_t kernel_ = nullptr;
};

inline dim3 dim(Extent e) { return {unsigned(e.x), unsigned(e.y), unsigned(e.z)}; }

// Returns the function name without namespace and arguments, such as "smoothing_planes" for
// "cfdmark::smoothing_planes<float, ...>".
inline std::string function_name(const std::string& expression) {
  const auto begin = expression.find("::") + 2;
  return expression.substr(begin, expression.find('<') - begin);
}

inline KernelResources resources_of(const Launch& launch, LoadedFunction& function, int device) {
  const cudaFuncAttributes& a = function.attributes();
  const Extent t = launch.threads;
  const int threads = t.x * t.y * t.z, warp = 32;
  const int blocks = function.blocks_a_multiprocessor(launch);
  const int resident = blocks * ((threads + warp - 1) / warp);
  const double most = device_attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device) / warp;
  return {.name = function_name(launch.function.expression),
          .block = {t.x, t.y, t.z},
          .blocks = 1ll * launch.blocks.x * launch.blocks.y * launch.blocks.z,
          .resident_blocks = blocks,
          .registers = a.numRegs,
          .shared_bytes = int(a.sharedSizeBytes) + launch.shared_bytes,
          .local_bytes = int(a.localSizeBytes),
          .occupancy = resident / most};
}

// A launch with code, arguments and stream resolved.
struct ReadyLaunch {
  Launch launch;
  LoadedFunction function;
  cudaStream_t stream;
  std::vector<void*> arguments = launch.arguments.addresses();

  void operator()(const CudaQueue&) {
    auto* const start = launch.cooperative ? cudaLaunchCooperativeKernel : cudaLaunchKernel;
    check_cuda(start(function.handle(), dim(launch.blocks), dim(launch.threads), arguments.data(),
                     std::size_t(launch.shared_bytes), stream),
               launch.function.expression.c_str());
  }
};

struct ReadyUpload {
  Upload upload;
  cudaStream_t stream;

  void operator()(const CudaQueue&) const {
    check_cuda(cudaMemcpyAsync(upload.to, upload.from, upload.bytes, cudaMemcpyHostToDevice, stream), "copy");
  }
};

struct ReadyJoin {
  cudaStream_t from, to;
  std::shared_ptr<CUevent_st> event = make_event();

  static std::shared_ptr<CUevent_st> make_event() {
    cudaEvent_t event = nullptr;
    check_cuda(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "create an event");
    return {event, cudaEventDestroy};
  }
  void operator()(const CudaQueue&) const {
    check_cuda(cudaEventRecord(event.get(), from), "record an event");
    check_cuda(cudaStreamWaitEvent(to, event.get(), 0), "join two streams");
  }
};

}  // namespace cfdmark
