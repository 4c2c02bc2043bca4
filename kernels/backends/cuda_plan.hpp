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
  std::string source;  // "kernels/jacobi/jacobi.cu"
  std::string
      expression;  // "cfdmark::jacobi_plain<float, double, cfdmark::ConstantStencil<double>, 2, 64, 4, 1>"
};

// A type as C++ spells it: "cfdmark::View<float const>".
std::string type_name(const std::type_info&);

// instance<float, double>("jacobi_plain", {2, 64}) is "cfdmark::jacobi_plain<float, double, 2, 64>": the
// templates in .cu files take their types first, then their numbers.
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
};

// What host code needs to put a library's work on the backend's stream.
struct CudaQueue {
  CUstream_st* stream = nullptr;
  cublasContext* blas = nullptr;
};

// Host code in the order of the launches.
struct HostCall {
  std::function<void(const CudaQueue&)> call;
  bool uses_blas = false;  // it then counts as a launch, and queue.blas is there
};

using Work = std::variant<Launch, HostCall>;

// The parts of a step, see step.hpp, each in the order of the stream.
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
};

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
