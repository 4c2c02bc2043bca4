// A device that goes wrong, for trials on a real one: comes before the CUDA runtime by LD_PRELOAD. Launches
// of each device function in whose name $CFDMARK_FAULT_IN occurs are as they should be $CFDMARK_FAULT_AFTER
// times; from then on another function runs in its place, which by $CFDMARK_FAULT
//   hang     never ends
//   astray   writes to memory that is nobody's, so that the device is lost to the process
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string>

namespace {

constexpr const char* source = R"(
extern "C" __global__ void hang() { while (true) __nanosleep(1000); }
extern "C" __global__ void astray() { *reinterpret_cast<volatile int*>(4096) = 1; }
)";

[[noreturn]] void give_up(const char* what) {
  std::fprintf(stderr, "device_faults: %s\n", what);
  std::abort();
}

const char* wish(const char* variable) {
  const char* value = std::getenv(variable);
  if (!value) give_up(variable);
  return value;
}

template <class F>
F* next(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_NEXT, name));
}

std::string compiled() {
  int device = 0, major = 0, minor = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
  cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
  const std::string option = "--gpu-architecture=sm_" + std::to_string(major) + std::to_string(minor);
  const char* const options[] = {option.c_str()};
  nvrtcProgram program;
  if (nvrtcCreateProgram(&program, source, "faults.cu", 0, nullptr, nullptr) != NVRTC_SUCCESS ||
      nvrtcCompileProgram(program, 1, options) != NVRTC_SUCCESS)
    give_up("NVRTC does not compile the faults");
  std::size_t bytes = 0;
  nvrtcGetCUBINSize(program, &bytes);
  std::string code(bytes, '\0');
  nvrtcGetCUBIN(program, code.data());
  return code;
}

const void* fault() {
  static const std::string code = compiled();
  static const void* const function = [] {
    cudaLibrary_t library = nullptr;
    cudaKernel_t kernel = nullptr;
    if (cudaLibraryLoadData(&library, code.data(), nullptr, nullptr, 0, nullptr, nullptr, 0) != cudaSuccess ||
        next<decltype(cudaLibraryGetKernel)>("cudaLibraryGetKernel")(&kernel, library,
                                                                     wish("CFDMARK_FAULT")) != cudaSuccess)
      give_up("the device does not load the faults");
    return static_cast<const void*>(kernel);
  }();
  return function;
}

std::set<const void*> victims;

// Whether this launch is to go wrong.
bool goes_wrong(const void* function) {
  static int left = std::atoi(wish("CFDMARK_FAULT_AFTER"));
  return victims.contains(function) && left-- <= 0;
}

}  // namespace

extern "C" {

cudaError_t cudaLibraryGetKernel(cudaKernel_t* kernel, cudaLibrary_t library, const char* name) {
  const cudaError_t status =
      next<decltype(cudaLibraryGetKernel)>("cudaLibraryGetKernel")(kernel, library, name);
  if (status == cudaSuccess && std::strstr(name, wish("CFDMARK_FAULT_IN"))) victims.insert(*kernel);
  return status;
}

cudaError_t cudaLaunchKernel(const void* function, dim3 blocks, dim3 threads, void** arguments,
                             std::size_t shared, cudaStream_t stream) {
  static auto* const launch = next<decltype(cudaLaunchKernel)>("cudaLaunchKernel");
  if (goes_wrong(function)) return launch(fault(), {1, 1, 1}, {1, 1, 1}, nullptr, 0, stream);
  return launch(function, blocks, threads, arguments, shared, stream);
}
}
