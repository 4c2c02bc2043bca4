#include "kernels/device/cuda/plan/cuda_offline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace cfdmark {
namespace {

[[noreturn]] void no_device() {
  throw std::logic_error("steps prepared on CudaOffline can be compiled but not run");
}

const FunctionReport& report_of(const std::vector<FunctionReport>& reports, const std::string& symbol) {
  auto found =
      std::find_if(reports.begin(), reports.end(), [&](const auto& r) { return r.symbol == symbol; });
  if (found == reports.end())
    throw std::logic_error(fmt::format("the assembler's log has no entry for {}", symbol));
  return *found;
}

}  // namespace

int most_shared_bytes(const std::string& architecture) {
  static const std::map<std::string, int> kibibytes = {
      {"sm_75", 64},  {"sm_80", 163},  {"sm_86", 99},   {"sm_87", 163},  {"sm_88", 163}, {"sm_89", 99},
      {"sm_90", 227}, {"sm_100", 227}, {"sm_103", 227}, {"sm_110", 227}, {"sm_120", 99}, {"sm_121", 99}};
  const auto found = kibibytes.find(architecture);
  if (found == kibibytes.end())
    throw std::invalid_argument(fmt::format("unknown shared memory limit of architecture {}", architecture));
  return found->second * 1024;
}

void check_arguments(const Launch& launch, const std::string& symbol) {
  const std::string given = launch.arguments.types(), wanted = parameter_types(symbol);
  if (given != wanted)
    throw std::logic_error(
        fmt::format("{} takes ({}) but is launched with ({})", launch.function.expression, wanted, given));
}

Step CudaOffline::prepare(Plan plan) {
  for (const auto* part : {&plan.load, &plan.run, &plan.store})
    for (const Work& work : *part)
      if (const auto* launch = std::get_if<Launch>(&work)) launches_.push_back(*launch);
  Step step;
  step.run = no_device;
  step.resources.launches = count_launches(plan.run);
  return step;
}

void CudaOffline::download(void*, const void*, std::size_t) { no_device(); }

std::vector<CompiledFunction> CudaOffline::compile(const std::string& architecture,
                                                   DeviceCodeCache* cache) const {
  // Each function once, by source and expression, with the launch that has most shared memory.
  std::map<std::string, std::map<std::string, const Launch*>> functions;
  for (const auto& launch : launches_) {
    const Launch*& most = functions[launch.function.source][launch.function.expression];
    if (!most || launch.shared_bytes >= most->shared_bytes) most = &launch;
  }

  std::vector<CompiledFunction> all;
  for (const auto& [source, launches] : functions) {
    DeviceCodeRequest request{source, {}, architecture};
    for (const auto& [expression, launch] : launches) request.expressions.push_back(expression);
    const DeviceCode code = cache ? cache->get(request) : compile_device_code(request);
    const auto reports = function_reports(code);
    for (std::size_t n = 0; n < code.symbols.size(); ++n) {
      const Launch& launch = *launches.at(request.expressions[n]);
      check_arguments(launch, code.symbols[n]);
      const FunctionReport& report = report_of(reports, code.symbols[n]);
      all.push_back(
          {request.expressions[n], launch.threads, report, report.shared_bytes + launch.shared_bytes});
    }
  }
  return all;
}

}  // namespace cfdmark
