#include "kernels/device/cuda/jit/nvrtc.hpp"

#include <cuda_runtime_api.h>
#include <cxxabi.h>
#include <fmt/format.h>
#include <nvrtc.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <regex>
#include <sstream>

#include "kernels/device/cuda/jit/cuda_sources.hpp"

namespace cfdmark {
namespace {

void check(nvrtcResult result, const char* what) {
  if (result != NVRTC_SUCCESS)
    throw std::runtime_error(fmt::format("NVRTC: {}: {}", what, nvrtcGetErrorString(result)));
}

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const auto& w : words) text.append(text.empty() ? "" : separator).append(w);
  return text;
}

bool switched_on(const char* variable) {
  const char* value = std::getenv(variable);
  return value && std::string_view(value) == "1";
}

// Contraction is off, as in all compilers here: formulas state each fused multiply-add.
std::vector<std::string> options_for(const std::string& architecture) {
  std::vector<std::string> options = {"--gpu-architecture=" + architecture, "--std=c++20", "--fmad=false",
                                      "--device-as-default-execution-space", "--ptxas-options=-v"};
  if (switched_on("CFDMARK_NVRTC_LINEINFO")) options.push_back("--generate-line-info");
  if (switched_on("CFDMARK_NVRTC_DEBUG")) options.push_back("--device-debug");
  return options;
}

const CudaSource& source_named(std::string_view path) {
  for (const auto& s : cuda_sources())
    if (s.path == path) return s;
  throw std::logic_error(fmt::format("the library holds no device code named {}", path));
}

// Collects the source and everything it includes, once each, by reading its #include "..." lines.
void collect(std::string_view path, std::vector<CudaSource>& found) {
  if (std::any_of(found.begin(), found.end(), [&](const auto& s) { return s.path == path; })) return;
  const CudaSource source = source_named(path);
  found.push_back(source);
  std::istringstream lines{std::string(source.text)};
  constexpr std::string_view include = "#include \"";
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(include))
      collect(line.substr(include.size(), line.rfind('"') - include.size()), found);
}

std::vector<CudaSource> with_includes(std::string_view path) {
  std::vector<CudaSource> found;
  collect(path, found);
  return found;
}

class Program {
 public:
  explicit Program(const DeviceCodeRequest& request) : request_(request) {
    const auto sources = with_includes(request.source);
    // The embedded texts are string literals, so they are null-terminated as NVRTC requires.
    std::vector<std::string> paths;
    std::vector<const char*> texts, names;
    for (std::size_t n = 1; n < sources.size(); ++n) {
      texts.push_back(sources[n].text.data());
      names.push_back(sources[n].path.data());
    }
    check(nvrtcCreateProgram(&program_, sources[0].text.data(), request.source.c_str(), int(texts.size()),
                             texts.data(), names.data()),
          "create program");
    for (const auto& e : request.expressions) check(nvrtcAddNameExpression(program_, e.c_str()), e.c_str());
  }
  Program(const Program&) = delete;
  ~Program() { nvrtcDestroyProgram(&program_); }

  void compile() {
    auto options = options_for(request_.architecture);
    // With a driver present, NVRTC caches compiled code but not the assembler's log. nvrtc_cache.hpp stores
    // both.
#if CUDART_VERSION >= 13000
    options.push_back("--no-cache");
#endif
    std::vector<const char*> pointers;
    for (const auto& o : options) pointers.push_back(o.c_str());
    const nvrtcResult result = nvrtcCompileProgram(program_, int(pointers.size()), pointers.data());
    if (result != NVRTC_SUCCESS)
      throw DeviceCodeError(fmt::format("{} does not compile for {} ({}): {}\n{}", request_.source,
                                        request_.architecture, nvrtcGetErrorString(result),
                                        joined(request_.expressions, " and "), log()));
  }
  std::string log() const { return text(nvrtcGetProgramLogSize, nvrtcGetProgramLog, "log"); }
  std::string cubin() const { return text(nvrtcGetCUBINSize, nvrtcGetCUBIN, "cubin"); }
  std::string symbol(const std::string& expression) const {
    const char* name = nullptr;
    check(nvrtcGetLoweredName(program_, expression.c_str(), &name), expression.c_str());
    return name;
  }

 private:
  std::string text(nvrtcResult (*size_of)(nvrtcProgram, std::size_t*),
                   nvrtcResult (*get)(nvrtcProgram, char*), const char* what) const {
    std::size_t size = 0;
    check(size_of(program_, &size), what);
    std::string out(size, '\0');
    check(get(program_, out.data()), what);
    return out;
  }

  const DeviceCodeRequest& request_;
  nvrtcProgram program_ = nullptr;
};

}  // namespace

std::string DeviceCodeRequest::key() const {
  std::string key = fmt::format("NVRTC {}\n{}\n{}\n", nvrtc_version(), nvrtc_options(architecture),
                                joined(expressions, "\n"));
  for (const auto& s : with_includes(source)) key += fmt::format("// {}\n{}", s.path, s.text);
  return key;
}

DeviceCode compile_device_code(const DeviceCodeRequest& request) {
  Program program(request);
  program.compile();
  DeviceCode code;
  code.cubin = program.cubin();
  for (const auto& e : request.expressions) code.symbols.push_back(program.symbol(e));
  code.log = program.log().c_str();  // without the terminating zero
  return code;
}

std::vector<FunctionReport> function_reports(const DeviceCode& code) {
  static const std::regex entry("Compiling entry function '(\\w+)'"), stack("(\\d+) bytes stack frame"),
      spills("(\\d+) bytes spill stores"), registers("Used (\\d+) registers"), shared("(\\d+) bytes smem");
  std::vector<FunctionReport> reports;
  std::istringstream lines(code.log);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    auto number = [&](const std::regex& what, int& to) {
      if (!reports.empty() && std::regex_search(line, match, what)) to = std::stoi(match[1]);
    };
    if (std::regex_search(line, match, entry)) reports.push_back({.symbol = match[1]});
    if (reports.empty()) continue;
    number(stack, reports.back().stack_bytes);
    number(spills, reports.back().spill_bytes);
    number(registers, reports.back().registers);
    number(shared, reports.back().shared_bytes);
  }
  return reports;
}

std::string parameter_types(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  if (status != 0) throw std::logic_error(fmt::format("'{}' is not a mangled name", symbol));
  // The text is "void cfdmark::f<...>(parameters)". The first parenthesis starts the parameters, because
  // template arguments are types and numbers.
  const std::string_view text = name.get();
  const auto begin = text.find('(') + 1;
  return std::string(text.substr(begin, text.rfind(')') - begin));
}

std::string architecture_for(int major, int minor) {
  int count = 0;
  check(nvrtcGetNumSupportedArchs(&count), "architectures");
  std::vector<int> known(count);
  check(nvrtcGetSupportedArchs(known.data()), "architectures");
  const int wanted = 10 * major + minor;
  int best = 0;
  std::vector<std::string> names;
  for (int a : known) {
    names.push_back(fmt::format("sm_{}", a));
    if (a <= wanted && a / 10 == major) best = std::max(best, a);
  }
  if (best == 0)
    throw std::runtime_error(fmt::format("NVRTC {1} does not support the device's sm_{0}; it supports {2}",
                                         wanted, nvrtc_version(), joined(names, ", ")));
  return fmt::format("sm_{}", best);
}

std::string nvrtc_options(const std::string& architecture) { return joined(options_for(architecture), " "); }

}  // namespace cfdmark
