// A CUDA method is a function from args and config to a plan. A plan names device functions and their
// launches as data: the same plan runs on a device, or is only compiled on a machine without one. Writing a
// plan needs no CUDA header.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <variant>
#include <vector>

#include "kernels/core/method.hpp"
#include "kernels/device/backend.hpp"

struct CUstream_st;
struct cublasContext;

namespace cfdmark {

// An instance of a template in a .cu file.
struct DeviceFunction {
  std::string source;      // "kernels/smoothing/smoothing.cu"
  std::string expression;  // "cfdmark::smoothing_planes<float, double, 64, 4, 32>"
};

// Returns a type as C++ spells it: "cfdmark::View<float const>".
std::string type_name(const std::type_info&);

// Returns the name of a template instance: instance<float, double>("smoothing_planes", {2, 64}) is
// "cfdmark::smoothing_planes<float, double, 2, 64>". Templates in .cu files take types first, then numbers.
std::string instance(std::string_view name, const std::vector<const std::type_info*>& types,
                     const std::vector<int>& numbers);
template <class... Types>
std::string instance(std::string_view name, const std::vector<int>& numbers) {
  return instance(name, {&typeid(Types)...}, numbers);
}

// One argument of a device function: its bytes, and its type, which the function's parameter must have.
class Argument {
 public:
  template <class T>
  Argument(const T& value) : Argument(&value, sizeof(T), typeid(T)) {
    static_assert(std::is_trivially_copyable_v<T>, "a launch copies the bytes of its arguments");
    static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
  }
  // Read each time the launch is submitted, so that host code can change it in between. A recorded graph
  // keeps the value at its capture.
  template <class T>
  Argument(const std::shared_ptr<T>& value) : value_(value), type_(&typeid(T)) {}

  void* address() const { return value_.get(); }
  const std::type_info& type() const { return *type_; }

 private:
  Argument(const void* value, std::size_t bytes, const std::type_info& type);

  std::shared_ptr<void> value_;
  const std::type_info* type_;
};

// Arguments of a device function.
class Arguments {
 public:
  template <class... Values>
  explicit Arguments(const Values&... values) : arguments_{Argument(values)...} {}
  // Returns the parameter list that the device function must have: "cfdmark::View<float const>, double".
  std::string types() const;
  // Returns the addresses of the values, as a launch expects them.
  std::vector<void*> addresses() const;

 private:
  std::vector<Argument> arguments_;
};

// A size in three dimensions: threads of a block, blocks of a launch, cells of a thread.
struct Extent {
  int x = 1, y = 1, z = 1;
};

// One launch of a device function.
struct Launch {
  DeviceFunction function;
  Extent blocks, threads;
  Arguments arguments;
  int shared_bytes = 0;  // dynamic shared memory per block (dynamic_shared.cuh), in addition to the static
  bool cooperative = false;  // all blocks are resident together, so they can wait for each other
                             // (grid_barrier.cuh); CudaBackend::resident_blocks() returns the limit
  int stream = 0;  // work on a stream is in order; different streams run concurrently except for Joins
};

// Handles with which host code submits a library's work to stream 0. `blas` may be null unless
// HostCall::uses_blas is set.
struct CudaQueue {
  CUstream_st* stream = nullptr;
  cublasContext* blas = nullptr;
};

// Host code that is called between the submissions of the work before and after it. It starts without waiting
// for the earlier work. What it submits to stream 0 runs there in order. A recorded graph repeats that
// without the call.
struct HostCall {
  std::function<void(const CudaQueue&)> call;
  bool uses_blas = false;  // calls cuBLAS: queue.blas is set, and count_launches() counts one launch
};

// Copies host values to the device. Overlaps with work on other streams if `from` is pinned memory.
struct Upload {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
  int stream = 0;
};

// Work submitted to stream `to` from here on waits for all work submitted to stream `from` before.
struct Join {
  int from = 0, to = 0;
};

using Work = std::variant<Launch, HostCall, Upload, Join>;

// Returns the work with implicit joins added: at the start every stream waits for stream 0, at the end stream
// 0 waits for every stream. Work on stream 0 before and after the list is therefore ordered with all of it,
// and the backend's clock, graph capture and copies use stream 0 alone. Throws std::invalid_argument for a
// negative stream.
std::vector<Work> between_joins(std::vector<Work>);
// Returns the number of launches, including library calls that count as one.
int count_launches(const std::vector<Work>&);

// The parts of a step (step.hpp). Each list is submitted from first to last. Within a stream work also runs
// in this order; different streams run concurrently except for Joins.
struct Plan {
  std::vector<Work> run = {}, load = {}, store = {};
  std::vector<Buffer> memory = {};  // allocations in addition to those of the args
};

// The interface for preparing CUDA methods: on a device (cuda.hpp), or with a compiler alone
// (cuda_offline.hpp).
class CudaBackend : public Backend {
 public:
  BackendKind kind() const final { return BackendKind::cuda; }
  bool host_accessible() const final { return false; }
  virtual Step prepare(Plan) = 0;
  // Returns the number of blocks of this function and block shape that the device holds at once; ignores
  // launch.blocks.
  virtual int resident_blocks(const Launch&) = 0;
};

// Throws std::invalid_argument with both numbers if a block needs more than `most` bytes of shared memory.
// `declared`: static shared memory of the function.
void check_shared_memory(const Launch&, int declared, int most);
// Throws std::invalid_argument if a cooperative launch has more blocks than fit on the device at once.
void check_all_resident(const Launch&, int resident);

// Makes a Method's `prepare` from a plan function. The backend must be a CudaBackend.
template <auto plan>
struct PrepareFrom;
template <class Args, Plan (*plan)(Backend&, const Args&, const Config&)>
struct PrepareFrom<plan> {
  static Step prepare(Backend& backend, const Args& args, const Config& config) {
    return static_cast<CudaBackend&>(backend).prepare(plan(backend, args, config));
  }
};
template <auto plan>
inline constexpr auto prepare_cuda = &PrepareFrom<plan>::prepare;

}  // namespace cfdmark
