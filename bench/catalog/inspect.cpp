#include "bench/catalog/inspect.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "bench/case/row_settings.hpp"
#include "bench/case/settings_help.hpp"
#include "bench/catalog/absent_methods.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/text/words.hpp"
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "kernels/device/cuda/runtime/occupancy.hpp"

namespace cfdmark {
namespace {

std::vector<std::string> listed_once(const std::vector<const Row*>& rows, std::string Row::*name) {
  std::set<std::string> words;
  for (const Row* row : rows) words.insert(row->*name);
  return {words.begin(), words.end()};
}

// Returns the CUDA rows of all methods of the kernel. Throws std::invalid_argument if there are none.
std::vector<const Row*> rows_of_kernel(const InspectRequest& q) {
  std::vector<const Row*> rows, of_all;
  for (const Row& row : catalog()) {
    if (!row.device_code || row.precision != precision_from(q.precision)) continue;
    of_all.push_back(&row);
    if (row.name == q.kernel) rows.push_back(&row);
  }
  if (!rows.empty()) return rows;
  if (const auto absent = absent_methods_of(q.kernel, BackendKind::cuda); !absent.empty())
    throw std::invalid_argument(fmt::format("{} has no CUDA method: {}", q.kernel, absent.front().reason));
  const std::vector<std::string> kernels = listed_once(of_all, &Row::name);
  throw std::invalid_argument(fmt::format("unknown kernel '{}'; kernels with CUDA methods: {}{}", q.kernel,
                                          one_of(kernels), did_you_mean(q.kernel, kernels)));
}

// Returns the rows of the requested method, or of all.
std::vector<const Row*> rows_of_method(const InspectRequest& q) {
  std::vector<const Row*> rows = rows_of_kernel(q);
  const std::vector<std::string> methods = listed_once(rows, &Row::method);
  std::erase_if(rows, [&](const Row* row) { return !q.method.empty() && row->method != q.method; });
  if (!rows.empty()) return rows;
  const std::string why = why_absent(q.kernel, BackendKind::cuda, q.method);
  throw std::invalid_argument(fmt::format("{} has no method '{}' on cuda{}; expected {}{}", q.kernel,
                                          q.method, why.empty() ? "" : ": " + why, one_of(methods),
                                          why.empty() ? did_you_mean(q.method, methods) : ""));
}

// Returns the rows for the grid's dimension: 3-D if requested, or if no row supports 2-D. Sets q.in_3d.
std::vector<const Row*> rows_of(InspectRequest& q) {
  std::vector<const Row*> rows = rows_of_method(q);
  const bool any_2d = std::any_of(rows.begin(), rows.end(), [](const Row* row) { return row->in_2d; });
  q.in_3d = q.in_3d || !any_2d;
  std::erase_if(rows, [&](const Row* row) { return !(q.in_3d ? row->in_3d : row->in_2d); });
  if (rows.empty())
    throw std::invalid_argument(fmt::format("{}{}{} exists in 2-D only; remove --3d", q.kernel,
                                            q.method.empty() ? "" : " by ", q.method));
  return rows;
}

struct Line {
  std::string method, config, expression;
};

Domain inspected_domain(const Row& row, bool in_3d) {
  if (row.runs_on == DomainKind::mesh) return domain_from(in_3d ? "tetrahedra-8x8x8" : "triangles-32x32");
  return in_3d ? Grid{256, 64, 32} : Grid{256, 256};
}

// Returns the functions that each config of each method launches.
std::vector<Line> note_launches(InspectRequest& q, CudaOffline& offline) {
  const std::vector<const Row*> rows = rows_of(q);
  std::vector<Line> lines;
  for (const Row* row : rows) {
    const std::vector<Config> configs =
        q.all_configs ? row->space.all() : std::vector<Config>{row->space.defaults()};
    const TuningSpace asked = workload_space(*row);
    const Config workload = asked.complete(q.asked.values(asked.settings, q.kernel));
    for (const Config& config : configs) {
      const std::size_t before = offline.launches().size();
      row->prepare(offline, inspected_domain(*row, q.in_3d), config, workload);
      for (std::size_t n = before; n < offline.launches().size(); ++n)
        lines.push_back({row->method, config.text(), offline.launches()[n].function.expression});
    }
  }
  return lines;
}

std::string short_name(const std::string& expression) {
  const auto begin = expression.rfind("::", expression.find('<')) + 2;
  return expression.substr(begin, expression.find('<') - begin);
}

// Prints the methods that other kernels have but this one lacks.
void print_absent(const std::string& kernel) {
  for (const AbsentMethod& one : absent_methods_of(kernel, BackendKind::cuda))
    fmt::print("no `{}`: {}\n", one.method, one.reason);
}

}  // namespace

std::string inspect_settings_help(const InspectRequest& q) {
  if (q.kernel.empty()) return "";
  const std::vector<const Row*> methods = rows_of_method(q);
  const std::string workload = workload_options_help(methods, "");
  return workload + (workload.empty() ? "" : "\n") + searched_settings_help(methods);
}

void inspect(InspectRequest q) {
  CudaOffline offline;
  const std::vector<Line> lines = note_launches(q, offline);
  std::map<std::string, CompiledFunction> compiled;
  DeviceCodeCache cache = DeviceCodeCache::of_user();
  for (const CompiledFunction& f : offline.compile(q.architecture, &cache)) compiled[f.expression] = f;
  fmt::print("{} in {}, {}-D, compiled for {} by NVRTC {}\n\n", q.kernel, q.precision, q.in_3d ? 3 : 2,
             q.architecture, nvrtc_version());
  fmt::print("{:<18} {:<22} {:>9} {:>8} {:>7} {:>7} {:>9}  {}\n", "METHOD", "FUNCTION", "REGISTERS", "SHARED",
             "SPILLS", "BLOCKS", "OCCUPANCY", "CONFIG");
  std::set<std::string> printed;
  for (const Line& line : lines) {
    if (!printed.insert(line.method + line.config + line.expression).second) continue;
    const CompiledFunction& f = compiled.at(line.expression);
    const int threads = f.threads.x * f.threads.y * f.threads.z;
    const auto resident = resident_blocks(q.architecture, threads, f.report.registers, f.shared_bytes);
    fmt::print("{:<18} {:<22} {:>9} {:>8} {:>7} {:>7} {:>9}  {}\n", line.method, short_name(line.expression),
               f.report.registers, f.shared_bytes, f.report.spill_bytes,
               resident ? std::to_string(resident->blocks) : "?",
               resident ? fmt::format("{:.0f} %", 100 * resident->occupancy) : "?", line.config);
  }
  fmt::print(
      "\nregisters per thread; shared memory in bytes per block; spills in bytes per thread; resident blocks "
      "per multiprocessor\n");
  if (q.method.empty()) print_absent(q.kernel);
}

}  // namespace cfdmark
