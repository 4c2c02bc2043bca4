#include "kernels/device/cuda/runtime/cuda_loop.hpp"

#include <vector>

#include "kernels/device/cuda/runtime/cuda_check.hpp"

namespace cfdmark {
namespace {

// cudaGraphSetConditional(handle, *more != 0) as PTX. The driver resolves that function when it compiles PTX
// at load time; precompiled code would have to be linked with a library of the toolkit (CUDA C++ Programming
// Guide, conditional graph nodes).
constexpr const char* set_condition_text = R"(
.version 8.0
.target sm_75
.address_size 64

.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);

.visible .entry set_condition(.param .u64 handle, .param .u64 more)
{
  .reg .pred %nonzero;
  .reg .b32 %value;
  .reg .b64 %handle, %address;
  .reg .f64 %more;
  ld.param.u64 %handle, [handle];
  ld.param.u64 %address, [more];
  cvta.to.global.u64 %address, %address;
  ld.global.f64 %more, [%address];
  setp.neu.f64 %nonzero, %more, 0d0000000000000000;
  selp.b32 %value, 1, 0, %nonzero;
  {
    .param .b64 to;
    .param .b32 what;
    st.param.b64 [to], %handle;
    st.param.b32 [what], %value;
    call.uni cudaGraphSetConditional, (to, what);
  }
  ret;
}
)";

// These functions had other names before CUDA 13.
#if CUDART_VERSION >= 13000
constexpr auto get_capture_info = cudaStreamGetCaptureInfo;
constexpr auto add_node = cudaGraphAddNode;
#else
constexpr auto get_capture_info = cudaStreamGetCaptureInfo_v3;
constexpr auto add_node = cudaGraphAddNode_v2;
#endif

constexpr cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;

// The graph being captured on a stream, and the nodes that the next operation depends on.
struct Recording {
  cudaGraph_t graph = nullptr;
  std::vector<cudaGraphNode_t> last;

  explicit Recording(cudaStream_t stream) {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    const cudaGraphNode_t* nodes = nullptr;
    const cudaGraphEdgeData* edges = nullptr;
    std::size_t count = 0;
    check_cuda(get_capture_info(stream, &status, nullptr, &graph, &nodes, &edges, &count),
               "query the graph capture");
    last.assign(nodes, nodes + count);
  }
};

void pause(cudaStream_t stream) {
  cudaGraph_t graph = nullptr;
  check_cuda(cudaStreamEndCapture(stream, &graph), "capture a graph");
}
void go_on(cudaStream_t stream, cudaGraph_t graph, const std::vector<cudaGraphNode_t>& behind) {
  check_cuda(cudaStreamBeginCaptureToGraph(stream, graph, behind.empty() ? nullptr : behind.data(), nullptr,
                                           behind.size(), mode),
             "resume graph capture");
}

}  // namespace

void CudaLoops::load() {
  if (set_condition_) return;
  const DeviceWideTurn turn;
  const char* const doing = "load the loop condition kernel";
  cudaLibrary_t library = nullptr;
  check_cuda(cudaLibraryLoadData(&library, set_condition_text, nullptr, nullptr, 0, nullptr, nullptr, 0),
             doing);
  library_ = {library, cudaLibraryUnload};
  cudaKernel_t kernel = nullptr;
  check_cuda(cudaLibraryGetKernel(&kernel, library, "set_condition"), doing);
  cudaFuncAttributes attributes{};
  check_cuda(cudaFuncGetAttributes(&attributes, kernel), doing);
  set_condition_ = kernel;
}

// A stream captures one graph at a time, so the outer capture pauses while the loop's body is captured.
void CudaLoops::record(cudaStream_t stream, const double* more, const std::function<void()>& work) {
  const cudaGraph_t graph = Recording(stream).graph;
  cudaGraphConditionalHandle handle{};
  check_cuda(cudaGraphConditionalHandleCreate(&handle, graph, 0, 0), "create a loop condition");
  set_condition(stream, handle, more);
  std::vector<cudaGraphNode_t> before = Recording(stream).last;
  pause(stream);

  cudaGraphNodeParams loop{};
  loop.type = cudaGraphNodeTypeConditional;
  loop.conditional.handle = handle;
  loop.conditional.type = cudaGraphCondTypeWhile;
  loop.conditional.size = 1;
  cudaGraphNode_t node = nullptr;
  try {
    check_cuda(add_node(&node, graph, before.data(), nullptr, before.size(), &loop), "add a loop to a graph");
    before = {node};
    go_on(stream, loop.conditional.phGraph_out[0], {});
    try {
      work();
      set_condition(stream, handle, more);
    } catch (...) {
      cudaGraph_t body = nullptr;
      cudaStreamEndCapture(stream, &body);
      cudaGetLastError();
      throw;
    }
    pause(stream);
  } catch (...) {
    go_on(stream, graph, before);
    throw;
  }
  go_on(stream, graph, before);
}

void CudaLoops::set_condition(cudaStream_t stream, cudaGraphConditionalHandle handle,
                              const double* more) const {
  void* arguments[] = {&handle, &more};
  check_cuda(cudaLaunchKernel(set_condition_, {1}, {1}, arguments, 0, stream), "set a loop condition");
}

}  // namespace cfdmark
