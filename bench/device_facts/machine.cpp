#include "bench/device_facts/machine.hpp"

#include <algorithm>
#include <bit>

#include "bench/text/hash.hpp"

namespace cfdmark {
namespace {

// Returns the installed memory from what the kernel reports, which varies by a few percent between its
// versions: rounded up to an eighth of the power of two below.
std::size_t nominal_memory(std::size_t bytes) {
  const std::size_t step = std::max<std::size_t>(1, std::bit_floor(bytes) / 8);
  return (bytes + step - 1) / step * step;
}

}  // namespace

std::string host_key(const Json& host) {
  Json parts = {nominal_memory(host.value("memory_bytes", std::size_t(0)))};
  for (const char* key : {"cpu", "processor", "cores", "caches", "board", "name_hash"})
    parts.push_back(host.value(key, Json()));
  return fingerprint(one_line(parts)).substr(0, 12);
}

bool on_gpu(const Json& environment, std::string_view backend) {
  return backend == "cuda" ||
         (backend == "kokkos" &&
          environment.value("libraries", Json::object()).value("Kokkos device", "") == "Cuda");
}

const Json* gpu_of(const Json& environment, int index) {
  const auto gpus = environment.find("gpus");
  if (gpus != environment.end())
    return std::size_t(index) < gpus->size() ? &(*gpus)[std::size_t(index)] : nullptr;
  const auto gpu = environment.find("gpu");
  return index == 0 && gpu != environment.end() && gpu->contains("name") ? &*gpu : nullptr;
}

Json threads_of(const Json& environment, std::string_view backend) {
  if (on_gpu(environment, backend)) return nullptr;
  const auto fact = [&](const char* path) { return environment.value(Json::json_pointer(path), Json()); };
  const Json count = backend == "serial"   ? Json()
                     : backend == "kokkos" ? fact("/kokkos/threads")
                                           : fact("/openmp/max_threads");
  return {count, fact("/openmp/proc_bind"), fact("/openmp/places"), fact("/host/cpu_quota")};
}

std::string machine_of(const Json& environment, const std::string& backend, int index) {
  const std::string host = environment.value("host", Json::object()).value("machine", "");
  if (!on_gpu(environment, backend)) return host;
  const Json* gpu = gpu_of(environment, index);
  return host + "+" + (gpu ? gpu->value("identity", "") : "");
}

}  // namespace cfdmark
