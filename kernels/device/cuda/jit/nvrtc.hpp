// Compiles device code at run time, for any architecture, with or without a GPU.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace cfdmark {

// Compilation of device code failed. The message contains the compiler's log.
struct DeviceCodeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// All inputs of a compilation.
struct DeviceCodeRequest {
  std::string source;                    // "kernels/smoothing/smoothing.cu"
  std::vector<std::string> expressions;  // instances of its templates
  std::string architecture;              // "sm_90"

  // Returns a text that identifies the result: the request, compiler version and options, and the source with
  // all its includes.
  std::string key() const;

  bool operator==(const DeviceCodeRequest&) const = default;
};

// Compiled device code.
struct DeviceCode {
  std::string cubin;
  std::vector<std::string> symbols;  // mangled name of each expression
  std::string log;

  bool operator==(const DeviceCode&) const = default;
};

// Compiles a request. Throws DeviceCodeError.
DeviceCode compile_device_code(const DeviceCodeRequest&);

// The assembler's report on one function.
struct FunctionReport {
  std::string symbol;
  int registers = 0;     // per thread
  int shared_bytes = 0;  // per block, static
  int stack_bytes = 0;   // per thread
  int spill_bytes = 0;   // bytes stored per thread
};
std::vector<FunctionReport> function_reports(const DeviceCode&);

// Returns the parameter list in the mangled name of a device function: "cfdmark::View<float const>, double".
std::string parameter_types(const std::string& symbol);

// Returns the target for a compute capability: "sm_90" for 9.0. For a device newer than the compiler, returns
// the newest known architecture of its generation. Throws std::runtime_error if there is none.
std::string architecture_for(int major, int minor);

std::string nvrtc_version();                                 // "13.0"
std::string nvrtc_options(const std::string& architecture);  // options of all device code

}  // namespace cfdmark
