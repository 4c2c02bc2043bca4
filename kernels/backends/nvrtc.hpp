// Compiles device code at run time, for any architecture, with or without a GPU.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace cfdmark {

// Device code that does not compile. The text carries the compiler's log.
struct DeviceCodeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Everything that decides what comes out of the compiler.
struct DeviceCodeRequest {
  std::string source;                    // "kernels/smoothing/smoothing.cu"
  std::vector<std::string> expressions;  // instances of its templates
  std::string architecture;              // "sm_90"

  // The request, the compiler's version and options, and the text of the source and of all it includes.
  std::string key() const;

  bool operator==(const DeviceCodeRequest&) const = default;
};

struct DeviceCode {
  std::string cubin;
  std::vector<std::string> symbols;  // the mangled name of each expression
  std::string log;

  bool operator==(const DeviceCode&) const = default;
};

// Throws DeviceCodeError.
DeviceCode compile_device_code(const DeviceCodeRequest&);

// What the assembler says of one function.
struct FunctionReport {
  std::string symbol;
  int registers = 0;     // a thread
  int shared_bytes = 0;  // a block, static
  int stack_bytes = 0;   // a thread
  int spill_bytes = 0;   // a thread, stored
};
std::vector<FunctionReport> function_reports(const DeviceCode&);

// The parameter list of a device function from its mangled name: "cfdmark::View<float const>, double".
std::string parameter_types(const std::string& symbol);

// "sm_90" for compute capability 9.0, or, for a device that is newer than the compiler, the newest
// architecture of the same generation. Throws std::runtime_error if the compiler knows none.
std::string architecture_for(int major, int minor);

std::string nvrtc_version();                                 // "13.0"
std::string nvrtc_options(const std::string& architecture);  // that all device code is compiled with

}  // namespace cfdmark
