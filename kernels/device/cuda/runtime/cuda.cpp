// The CUDA backend on a device. It links the runtime API alone, so that the program starts without a driver.
#include "kernels/device/cuda/runtime/cuda.hpp"

#include <cublas_v2.h>
#include <fmt/format.h>

#include <limits>
#include <map>
#include <mutex>
#include <optional>

#include "kernels/device/cuda/jit/nvrtc_cache.hpp"
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "kernels/device/cuda/plan/stream_call.hpp"
#include "kernels/device/cuda/runtime/convergence_loop.hpp"
#include "kernels/device/cuda/runtime/cuda_check.hpp"
#include "kernels/device/cuda/runtime/cuda_library.hpp"
#include "kernels/device/cuda/runtime/cuda_loop.hpp"
#include "kernels/device/cuda/runtime/cuda_peers.hpp"
#include "kernels/device/cuda/runtime/cuda_staging.hpp"
#include "kernels/device/cuda/runtime/nvml.hpp"
#include "kernels/device/cuda/runtime/peer_access.hpp"
#include "kernels/device/cuda/runtime/ready_work.hpp"
#include "kernels/device/library/nccl.hpp"

namespace cfdmark {
namespace {

// Returns the UUID in hexadecimal; empty if the driver reports all zeros.
std::string hexadecimal(const cudaUUID_t& uuid) {
  std::string text;
  for (const char byte : uuid.bytes) text += fmt::format("{:02x}", int(static_cast<unsigned char>(byte)));
  return text.find_first_not_of('0') == std::string::npos ? "" : text;
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

// Creates the CUDA context on a device. If other processes leave too little memory for it, CUDA cannot report
// the amount, so NVML is queried for the message.
void start_on(int device) {
  cudaError_t status = cudaSetDevice(device);
  if (status == cudaSuccess) status = cudaFree(nullptr);
  if (status != cudaErrorMemoryAllocation) return check_cuda(status, "start on the device");
  cudaGetLastError();
  const CudaFacts facts = cuda_facts(device);
  const auto nvml = NvmlDevice::find(facts.pci_bus_id);
  const auto used = nvml ? nvml->use().used_bytes : std::nullopt;
  throw std::runtime_error(
      fmt::format("too little free device memory to start CUDA: {} of {:.2f} GB are in use",
                  used ? fmt::format("{:.2f}", double(*used) / 1e9) : "an unknown part",
                  double(facts.memory_bytes) / 1e9));
}

// One device with one queue; a device may have several, each with streams of its own. The runtime keeps a
// current device per host thread, which another CudaDevice may have changed. Each function that works on the
// device therefore begins with use(). Waits cover this queue alone.
class CudaDevice final : public CudaBackend, public LoopRecorder, public PeerBackend {
 public:
  explicit CudaDevice(int index) : index_(index), code_{index, cuda_architecture(index)} {
    start_on(index);
    queue_.stream = stream(0);
    check_cuda(cudaEventCreate(&start_), "create an event");
    check_cuda(cudaEventCreate(&stop_), "create an event");
  }
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;
  ~CudaDevice() override {
    cudaSetDevice(index_);
    code_.streams->wait();
    const DeviceWideTurn turn;
    if (queue_.blas) cublasDestroy(queue_.blas);
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }

  int index() const override { return index_; }
  std::string pci_bus_id() const override { return cuda_facts(index_).pci_bus_id; }

  void* allocate(std::size_t bytes) override {
    use();
    const DeviceWideTurn turn;
    void* p = nullptr;
    const cudaError_t status = cudaMalloc(&p, bytes);
    if (status == cudaErrorMemoryAllocation) {
      cudaGetLastError();
      const DeviceMemory memory = in_use();
      throw std::runtime_error(
          fmt::format("out of device memory: {:.1f} MiB requested, {:.1f} MiB free of {:.1f} MiB",
                      mebi(bytes), mebi(memory.total - memory.used), mebi(memory.total)));
    }
    check_cuda(status, "allocate");
    return p;
  }
  void release(void* p) noexcept override {
    cudaSetDevice(index_);
    const DeviceWideTurn turn;
    cudaFree(p);
  }

  void upload(void* to, const void* from, std::size_t bytes) override {
    if (bytes < CudaStaging::least_bytes) return transfer(to, from, bytes, cudaMemcpyHostToDevice);
    use();
    staging_.upload(to, from, bytes, queue_.stream);
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    if (bytes < CudaStaging::least_bytes) return transfer(to, from, bytes, cudaMemcpyDeviceToHost);
    use();
    staging_.download(to, from, bytes, queue_.stream);
  }
  void copy(void* to, const void* from, std::size_t bytes) override {
    use();
    // Between other memory that the device reaches (peer_access.hpp), too.
    check_cuda(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, queue_.stream), "copy on the device");
  }
  void set_zero(void* to, std::size_t bytes) override {
    use();
    check_cuda(cudaMemsetAsync(to, 0, bytes, queue_.stream), "set to zero");
  }

  void fence() override {
    use();
    check_cuda(cudaStreamSynchronize(queue_.stream), "wait for the device");
    peers_.check();
  }

  // During an outer capture the work itself is captured: graphs are not nested.
  std::function<void()> recorded(std::function<void()> work) override {
    if (is_recording_) return work;
    use();
    const std::shared_ptr<CUgraph_st> graph = capture(work);
    cudaGraphExec_t executable = nullptr;
    check_cuda(cudaGraphInstantiate(&executable, graph.get(), 0), "instantiate a graph");
    const std::shared_ptr<CUgraphExec_st> owner(executable, cudaGraphExecDestroy);
    // `work` owns the code and memory that the graph's nodes use, so it must outlive the graph.
    return [this, work = std::move(work), owner] {
      if (is_recording_) return work();
      use();
      check_cuda(cudaGraphLaunch(owner.get(), queue_.stream), "launch a graph");
    };
  }

  bool record_loop(const double* more, const std::function<void()>& work) override {
    use();
    if (is_recording_)
      loops_.record(queue_.stream, more, work);
    else
      loops_.load();
    return is_recording_;
  }

  double seconds(const std::function<void()>& work) override {
    fence();
    check_cuda(cudaEventRecord(start_, queue_.stream), "record an event");
    work();
    use();
    check_cuda(cudaEventRecord(stop_, queue_.stream), "record an event");
    fence();
    float milliseconds = 0;
    check_cuda(cudaEventElapsedTime(&milliseconds, start_, stop_), "read a time");
    return milliseconds / 1e3;
  }

  std::size_t free_memory() const override {
    const DeviceMemory memory = in_use();
    return memory.total - memory.used;
  }
  std::size_t last_level_cache() const override {
    return std::size_t(device_attribute(cudaDevAttrL2CacheSize, index_));
  }
  std::optional<DeviceMemory> device_memory() const override { return in_use(); }

  int resident_blocks(const Launch& launch) override {
    use();
    return LoadedFunction(launch, code_).resident_blocks(launch);
  }

  std::string group_refusal() override { return nccl_unavailable(); }
  GroupId new_group() override { return NcclRank::new_id(); }
  std::shared_ptr<const PeerGroup> join_group(const GroupId& id, int count, int rank) override {
    use();
    return std::make_shared<const NcclRank>(id, count, rank);
  }
  std::string peer_refusal(Backend& other, PeerWay way) override {
    use();
    return peers_.refusal(other.index(), way);
  }
  std::shared_ptr<void> host_memory(std::size_t bytes) override {
    use();
    return pinned_memory(bytes);
  }
  Step prepare_peers(std::vector<PeerWork> work, int rank) override {
    use();
    Step step;
    step.run = [this, calls = peers_.prepare(work, rank, step.resources.launches)] {
      use();
      peers_.check();
      for (const auto& call : calls) call(queue_);
    };
    return step;
  }

  std::vector<Work> peer_work(const std::vector<PeerWork>& work, int rank, int stream) override {
    use();
    int launches = 0;
    const auto call = [this, calls = peers_.prepare(work, rank, launches)](const CudaQueue& queue) mutable {
      peers_.check();
      for (const auto& one : calls) one(queue);
    };
    return {HostCall{StreamCall{call, stream, launches}}};
  }

  Step prepare(Plan plan) override {
    use();
    Step step;
    step.resources.launches = count_launches(plan.run);
    step.run = part(plan.run, plan, &step.resources);
    if (!plan.load.empty()) step.load = part(plan.load, plan, nullptr);
    if (!plan.store.empty()) step.store = part(plan.store, plan, nullptr);
    return step;
  }

 private:
  static double mebi(std::size_t bytes) { return double(bytes) / (1 << 20); }

  void use() const { check_cuda(cudaSetDevice(index_), "select the device"); }

  cudaStream_t stream(int n) { return code_.streams->at(n); }

  DeviceMemory in_use() const {
    use();
    std::size_t free = 0, total = 0;
    check_cuda(cudaMemGetInfo(&free, &total), "query free memory");
    return {total - free, total};
  }

  void transfer(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    use();
    check_cuda(cudaMemcpyAsync(to, from, bytes, kind, queue_.stream), "copy");
    fence();
  }

  // Captures what `work` submits to the stream as a graph. Ends the capture even if `work` throws: otherwise
  // the stream would be unusable.
  std::shared_ptr<CUgraph_st> capture(const std::function<void()>& work) {
    const DeviceWideTurn turn;
    check_cuda(cudaStreamBeginCapture(queue_.stream, cudaStreamCaptureModeThreadLocal),
               "begin graph capture");
    cudaGraph_t graph = nullptr;
    is_recording_ = true;
    try {
      work();
      is_recording_ = false;
    } catch (...) {
      is_recording_ = false;
      cudaStreamEndCapture(queue_.stream, &graph);
      if (graph) cudaGraphDestroy(graph);
      cudaGetLastError();
      throw;
    }
    check_cuda(cudaStreamEndCapture(queue_.stream, &graph), "capture a graph");
    return {graph, cudaGraphDestroy};
  }

  // Starts cuBLAS on first use, since it takes 0.1 s and device memory.
  void start_blas() {
    if (queue_.blas) return;
    const DeviceWideTurn turn;
    if (const cublasStatus_t status = cublasCreate(&queue_.blas); status != CUBLAS_STATUS_SUCCESS)
      throw std::runtime_error(fmt::format("cuBLAS does not start: {}", cublasGetStatusString(status)));
    cublasSetStream(queue_.blas, queue_.stream);
  }

  // A function of a plan among its resources: those of its first launch, or if that was urgent (the cells at
  // cuts), of the first other one.
  struct NotedFunction {
    std::optional<std::size_t> place;
    bool is_urgent = false;
  };
  void note(Resources& sum, NotedFunction& noted, const Launch& launch, LoadedFunction& function) const {
    if (noted.place && (!noted.is_urgent || launch.stream == urgent_stream)) return;
    if (!noted.place) sum.kernels.emplace_back(), noted.place = sum.kernels.size() - 1;
    sum.kernels[*noted.place] = resources_of(launch, function, index_);
    noted.is_urgent = launch.stream == urgent_stream;
  }

  std::function<void(const CudaQueue&)> on_its_stream(const HostCall& call) {
    if (stream_of(call) == 0) return call.call;
    return [call = call.call, queue = CudaQueue{.stream = stream(stream_of(call))}](const CudaQueue&) {
      call(queue);
    };
  }

  std::function<void()> part(const std::vector<Work>& work, const Plan& plan, Resources* resources) {
    std::vector<std::function<void(const CudaQueue&)>> calls;
    std::map<std::string, LoadedFunction> functions;
    std::map<std::string, NotedFunction> noted;  // by expression
    for (const Work& w : between_joins(work)) {
      if (const auto* call = std::get_if<HostCall>(&w)) {
        if (call->uses_blas) start_blas();
        calls.push_back(on_its_stream(*call));
        continue;
      }
      if (const auto* join = std::get_if<Join>(&w)) {
        calls.push_back(ReadyJoin{stream(join->from), stream(join->to)});
        continue;
      }
      if (const auto* upload = std::get_if<Upload>(&w)) {
        calls.push_back(ReadyUpload{*upload, stream(upload->stream)});
        continue;
      }
      const Launch& launch = std::get<Launch>(w);
      const std::string& expression = launch.function.expression;
      const auto at = functions.try_emplace(expression, launch, code_).first;
      check_all_resident(launch, at->second.resident_blocks(launch));
      if (resources) note(*resources, noted[expression], launch, at->second);
      calls.push_back(ReadyLaunch{launch, at->second, stream(launch.stream)});
    }
    return [this, calls, memory = plan.memory] {
      use();
      for (const auto& call : calls) call(queue_);
    };
  }

  int index_;
  CodeTarget code_;
  CudaPeers peers_{code_};
  bool is_recording_ = false;
  CudaLoops loops_;
  CudaStaging staging_;
  CudaQueue queue_;  // with stream 0
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

std::string why_no_device(cudaError_t status) {
  int driver = 0, toolkit = 0;
  cudaDriverGetVersion(&driver);
  cudaRuntimeGetVersion(&toolkit);
  if (status == cudaErrorInsufficientDriver && driver == 0) return "no NVIDIA driver on this machine";
  if (status == cudaErrorInsufficientDriver)
    return fmt::format(
        "the NVIDIA driver supports CUDA {}, but the program was built with {}: update the driver",
        version_text(driver), version_text(toolkit));
  if (status == cudaErrorNoDevice) return "no NVIDIA device on this machine, or none is visible";
  return fmt::format("CUDA finds no device: {}", cudaGetErrorString(status));
}

struct Found {
  int count = 0;
  std::string why_none;
};

Found look_for_devices() {
  Found found;
  const cudaError_t status = cudaGetDeviceCount(&found.count);
  cudaGetLastError();
  if (status != cudaSuccess) found.count = 0;  // the runtime leaves it unset on failure
  if (found.count == 0) found.why_none = why_no_device(status == cudaSuccess ? cudaErrorNoDevice : status);
  return found;
}

const Found& devices_found() {
  static const Found found = look_for_devices();  // constant while the program runs
  return found;
}

}  // namespace

int cuda_device_count() { return devices_found().count; }

std::string cuda_unavailable(int device) {
  if (devices_found().count == 0) return devices_found().why_none;
  static std::mutex mutex;
  static std::map<int, std::string> reasons;  // cached: a device that is lost later would answer differently
  const std::lock_guard lock(mutex);
  const auto [reason, is_new] = reasons.try_emplace(device);
  try {
    if (is_new) cuda_architecture(device);
  } catch (const std::runtime_error& e) {
    reason->second = e.what();
  }
  return reason->second;
}

// Backends are never destroyed: at exit the CUDA runtime may already be gone.
Backend& cuda_backend(int device) {
  static std::mutex mutex;
  static std::map<int, CudaDevice*>& started = *new std::map<int, CudaDevice*>;
  const std::lock_guard lock(mutex);
  CudaDevice*& instance = started[device];
  if (!instance) instance = new CudaDevice(device);
  return *instance;
}

std::unique_ptr<Backend> new_cuda_backend(int device) { return std::make_unique<CudaDevice>(device); }

std::string cuda_architecture(int device) {
  return architecture_for(device_attribute(cudaDevAttrComputeCapabilityMajor, device),
                          device_attribute(cudaDevAttrComputeCapabilityMinor, device));
}

CudaFacts cuda_facts(int device) {
  if (const std::string reason = cuda_unavailable(device); !reason.empty()) throw std::runtime_error(reason);
  cudaDeviceProp p{};
  check_cuda(cudaGetDeviceProperties(&p, device), "query the device's properties");
  int driver = 0, toolkit = 0;
  check_cuda(cudaDriverGetVersion(&driver), "query the driver's version");
  check_cuda(cudaRuntimeGetVersion(&toolkit), "query the runtime's version");
  char bus[32] = {};
  check_cuda(cudaDeviceGetPCIBusId(bus, sizeof bus, device), "query the device's PCI address");
  return {p.name,
          p.major,
          p.minor,
          p.multiProcessorCount,
          p.totalGlobalMem,
          std::size_t(p.l2CacheSize),
          version_text(driver),
          version_text(toolkit),
          bus,
          hexadecimal(p.uuid),
          "NVRTC " + nvrtc_version(),
          nvrtc_options(architecture_for(p.major, p.minor))};
}

}  // namespace cfdmark
