#include "bench/record/environment.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <CLI/Version.hpp>

#include <cstdlib>
#include <ctime>

#include "bench/device_facts/build_host.hpp"
#include "bench/device_facts/device_state.hpp"
#include "bench/device_facts/host_facts.hpp"
#include "bench/device_facts/machine.hpp"
#include "bench/record/record_check.hpp"
#include "bench/text/hash.hpp"
#include "kernels/device/built.hpp"
#include "kernels/device/cpu/control_group.hpp"
#include "kernels/device/cpu/openmp.hpp"
#include "kernels/device/cuda/runtime/cuda.hpp"
#include "kernels/device/kokkos/kokkos.hpp"
#include "kernels/device/library/nccl.hpp"
#include "solvers/linear/direct/direct.hpp"
#include "solvers/linear/krylov/cg.hpp"
#include "solvers/linear/libraries/ginkgo.hpp"
#include "solvers/linear/libraries/hypre.hpp"

namespace cfdmark {
namespace {

// Leaves out a value that could not be read.
template <class Value>
void set_if_known(Json& json, const char* key, const Value& value) {
  if (value != Value()) json[key] = value;
}

Json program() {
  const BuildInfo& b = build_info();
  Json json = {{"version", b.version}, {"fingerprint", b.fingerprint}};
  if (!b.commit.empty()) json["commit"] = b.commit, json["dirty"] = b.dirty;
  set_if_known(json, "build_type", b.build_type);
  json["compiler"] = b.compiler;
  json["flags"] = b.flags;
  json["instruction_set"] = b.instruction_set;
  set_if_known(json, "built_on", build_host_name(b.build_host));
  if (built_for_another_processor(b, processor())) json["built_for_another_processor"] = true;
  return json;
}

Json host() {
  Json json = {{"name_hash", fingerprint(host_name()).substr(0, 12)}};
  set_if_known(json, "cpu", cpu_name());
  const Processor p = processor();
  Json& ids = json["processor"] = Json::object();
  set_if_known(ids, "vendor", p.vendor);
  set_if_known(ids, "family", p.family);
  set_if_known(ids, "model", p.model);
  set_if_known(ids, "stepping", p.stepping);
  json["cores"] = cores();
  set_if_known(json, "cpu_quota", control_group_processors());
  for (const Cache& c : caches())
    json["caches"].push_back({{"level", c.level}, {"bytes", c.bytes}, {"shared_by", c.shared_by}});
  set_if_known(json, "memory_bytes", memory_bytes());
  set_if_known(json, "board", board());
  json["machine"] = host_key(json);
  set_if_known(json, "numa_nodes", numa_nodes());
  if (const auto threads_share = smt()) json["smt"] = *threads_share;
  set_if_known(json, "governor", governor());
  set_if_known(json, "os", os_name());
  set_if_known(json, "kernel", kernel_release());
  return json;
}

Json openmp() {
  if (const std::string reason = openmp_unavailable(); !reason.empty()) return {{"reason", reason}};
  const auto setting = [](const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "not set";
  };
  return {{"max_threads", openmp_max_threads()},
          {"proc_bind", setting("OMP_PROC_BIND")},
          {"places", setting("OMP_PLACES")}};
}

std::vector<CudaFacts> gpus() {
  std::vector<CudaFacts> all;
  for (int n = 0; n < cuda_device_count() && cuda_unavailable(n).empty(); ++n) all.push_back(cuda_facts(n));
  return all;
}

// Returns a hash that identifies a GPU among others of its kind, from its UUID if the driver reports one.
std::string identity(const CudaFacts& facts) {
  return fingerprint(facts.uuid.empty() ? fmt::format("{} {}", facts.name, facts.memory_bytes) : facts.uuid)
      .substr(0, 12);
}

Json gpu_json(const CudaFacts& facts) {
  Json json = {{"name", facts.name},
               {"identity", identity(facts)},
               {"compute_capability", fmt::format("{}.{}", facts.major, facts.minor)},
               {"memory_bytes", facts.memory_bytes},
               {"l2_bytes", facts.l2_bytes},
               {"multiprocessors", facts.multiprocessors},
               {"driver", driver_version(facts.pci_bus_id).value_or("serves CUDA " + facts.driver)},
               {"cuda", facts.toolkit}};
  if (const Json load = device_load(facts.pci_bus_id); !load.is_null()) json["load"] = load;
  set_if_known(json, "compiler", facts.compiler);
  set_if_known(json, "compiler_options", facts.compiler_options);
  return json;
}

Json libraries() {
  const BuildInfo& b = build_info();
  Json json = {
      {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"nlohmann_json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                    NLOHMANN_JSON_VERSION_PATCH)},
      {"CLI11", CLI11_VERSION}};
  set_if_known(json, "yaml-cpp", b.yaml_cpp);
  set_if_known(json, "Google Benchmark", b.google_benchmark);
  set_if_known(json, "OpenBLAS", openblas_version());
  set_if_known(json, "cuBLAS", cublas_version());
  set_if_known(json, "cuSPARSE", cusparse_version());
  if constexpr (built_with_cuda) set_if_known(json, "NCCL", nccl_header_version());
  set_if_known(json, "FFTW", fftw_library_version());
  set_if_known(json, "cuFFT", cufft_library_version());
  set_if_known(json, "hypre", hypre_version());
  set_if_known(json, "Ginkgo", ginkgo_version());
  set_if_known(json, "Kokkos", kokkos_version());
  set_if_known(json, "Kokkos device", kokkos_device());
  return json;
}

}  // namespace

void describe_gpus(Json& environment, const std::vector<CudaFacts>& gpus, const std::string& why_none) {
  environment["gpu"] = gpus.empty() ? Json{{"reason", why_none}} : gpu_json(gpus.front());
  for (std::size_t n = 0; gpus.size() > 1 && n < gpus.size(); ++n) {
    Json gpu = {{"index", n}, {"pci_bus_id", gpus[n].pci_bus_id}};
    gpu.update(gpu_json(gpus[n]));
    environment["gpus"].push_back(gpu);
  }
}

std::vector<std::string> environment_warnings(const Json& environment) {
  const auto fact = [&](const char* path) { return environment.value(Json::json_pointer(path), Json()); };
  std::vector<std::string> warnings;
  const Json quota = fact("/host/cpu_quota"), threads = fact("/openmp/max_threads");
  if (quota.is_number() && threads.is_number() && quota.get<double>() < threads.get<double>())
    warnings.push_back(
        fmt::format("a control group limits this program to the time of {:.3g} processors, and it uses {} "
                    "threads: the system pauses them, and times include the pauses",
                    quota.get<double>(), one_line(threads)));
  if (fact("/program/built_for_another_processor") == true)
    warnings.push_back(fmt::format(
        "this program was compiled with -march=native on another processor ({}) than this one ({}): "
        "rebuild it here, or set CFDMARK_ARCH to an instruction set of both",
        environment.value("/program/built_on"_json_pointer, "unknown"),
        environment.value("/host/cpu"_json_pointer, "unknown")));
  return warnings;
}

Json describe_program_and_host() {
  return cleaned({{"type", "environment"}, {"program", program()}, {"host", host()}});
}

Json describe_environment() {
  Json json = describe_program_and_host();
  json["openmp"] = openmp();
  if (const int threads = kokkos_threads(); threads > 0) json["kokkos"] = {{"threads", threads}};
  describe_gpus(json, gpus(), cuda_unavailable());
  json["libraries"] = libraries();
  return cleaned(json);
}

Json environment_line(Json description, Json roofs) {
  description["roofs"] = std::move(roofs);
  Json line = {{"type", "environment"}, {"id", fingerprint(one_line(description))}};
  line["time"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  line.update(description);
  return line;
}

}  // namespace cfdmark
