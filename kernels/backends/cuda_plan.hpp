// What a CUDA method is: a function from args and config to a plan. A plan names the device functions it
// needs and how they are launched, as data, so that the same plan can be run on a device or only be compiled,
// on a machine that has none. No CUDA header is needed to write one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <typeinfo>
#include <variant>
#include <vector>

#include "kernels/backends/backend.hpp"
#include "kernels/core/method.hpp"

struct CUstream_st;
struct cublasContext;

namespace cfdmark {

// An instance of a template in a .cu file.
struct DeviceFunction {
  std::string source;      // "kernels/smoothing/smoothing.cu"
  std::string expression;  // "cfdmark::smoothing_planes<float, double, 64, 4, 32>"
};

// A type as C++ spells it: "cfdmark::View<float const>".
std::string type_name(const std::type_info&);

// instance<float, double>("smoothing_planes", {2, 64}) is "cfdmark::smoothing_planes<float, double, 2, 64>":
// the templates in .cu files take their types first, then their numbers.
template <class... Types>
std::string instance(std::string_view name, const std::vector<int>& numbers) {
  std::string arguments;
  auto add = [&](const std::string& text) { arguments += (arguments.empty() ? "" : ", ") + text; };
  (add(type_name(typeid(Types))), ...);
  for (int n : numbers) add(std::to_string(n));
  return "cfdmark::" + std::string(name) + "<" + arguments + ">";
}

// Values for the parameters of a device function. One given as a shared_ptr is read anew at each launch.
class Arguments {
 public:
  template <class... Values>
  explicit Arguments(const Values&... values) {
    (add(values), ...);
  }
  // What the device function's parameter list must be: "cfdmark::View<float const>, double".
  std::string types() const;
  // Addresses of the values, as a launch takes them.
  std::vector<void*> addresses() const;

 private:
  struct Argument {
    std::shared_ptr<void> value;
    const std::type_info* type;
  };
  template <class T>
  void add(const std::shared_ptr<T>& value) {
    arguments_.push_back({value, &typeid(T)});
  }
  template <class T>
  void add(const T& value) {
    add(std::make_shared<T>(value));
  }
  std::vector<Argument> arguments_;
};

struct Extent {
  int x = 1, y = 1, z = 1;
};

struct Launch {
  DeviceFunction function;
  Extent blocks, threads;
  Arguments arguments;
  int shared_bytes = 0;      // a block, dynamic (dynamic_shared.cuh), beside what the function declares
  bool cooperative = false;  // all blocks are resident at once, so that they may wait for each other
                             // (grid_barrier.cuh); CudaBackend::resident_blocks says how many there can be
  int stream = 0;            // work on one stream is in order; streams run beside each other but for Joins
};

// What host code needs to put a library's work on the backend's stream.
struct CudaQueue {
  CUstream_st* stream = nullptr;
  cublasContext* blas = nullptr;
};

// Host code in the order of the launches of stream 0.
struct HostCall {
  std::function<void(const CudaQueue&)> call;
  bool uses_blas = false;  // it then counts as a launch, and queue.blas is there
};

// Values of the host's to the device; beside the work of other streams if they lie in pinned memory.
struct Upload {
  void* to = nullptr;
  const void* from = nullptr;
  std::size_t bytes = 0;
  int stream = 0;
};

// What is given to stream `to` from here on waits for all that was given to stream `from` before.
struct Join {
  int from = 0, to = 0;
};

using Work = std::variant<Launch, HostCall, Upload, Join>;

// The work with the joins that every part has unsaid: its streams begin after what stream 0 had before, and
// stream 0 ends after them. So clocks, graphs and copies need to look at stream 0 only. Throws
// std::invalid_argument for a stream below 0.
std::vector<Work> between_joins(std::vector<Work>);
// Launches, and calls of a library that are one.
int count_launches(const std::vector<Work>&);

// The parts of a step, see step.hpp, each in the order of its streams.
struct Plan {
  std::vector<Work> run = {}, load = {}, store = {};
  std::vector<Buffer> memory = {};  // what the plan needs beside the args' own
};

// Where CUDA methods are prepared: a device (cuda.hpp), or a compiler without one (cuda_offline.hpp).
class CudaBackend : public Backend {
 public:
  BackendKind kind() const final { return BackendKind::cuda; }
  bool host_accessible() const final { return false; }
  virtual Step prepare(Plan) = 0;
  // Blocks of such a launch that are resident at once; its own number of blocks is not looked at.
  virtual int resident_blocks(const Launch&) = 0;
};

// Throws std::invalid_argument with both numbers if a block needs more than `most` bytes of shared memory;
// `declared`: what its function has beside the dynamic.
void check_shared_memory(const Launch&, int declared, int most);
// The same if a cooperative launch has more blocks than are resident at once.
void check_all_resident(const Launch&, int resident);

// A Method's `prepare` from a plan function. The backend given must be a CudaBackend.
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
