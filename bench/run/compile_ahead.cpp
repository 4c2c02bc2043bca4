#include "bench/run/compile_ahead.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "kernels/backends/cuda.hpp"
#include "kernels/backends/cuda_offline.hpp"
#include "kernels/backends/nvrtc_cache.hpp"

namespace cfdmark {
namespace {

// What preparing the cases will ask the cache for, each once.
std::vector<DeviceCodeRequest> requests_of(const std::vector<const Case*>& cases) {
  std::vector<DeviceCodeRequest> requests;
  for (const Case* c : cases) {
    if (!c->row->device_code || !c->row->prepare_code) continue;
    CudaOffline offline;
    std::string architecture;
    try {
      architecture = cuda_architecture(c->device);
      c->row->prepare_code(offline, c->grid, c->config, c->question);
    } catch (const std::exception&) {
    }
    for (const Launch& launch : offline.launches()) {
      DeviceCodeRequest request{launch.function.source, {launch.function.expression}, architecture};
      if (std::find(requests.begin(), requests.end(), request) == requests.end())
        requests.push_back(std::move(request));
    }
  }
  return requests;
}

// False where code cannot be kept: then nobody finds it.
bool compile(const DeviceCodeRequest& request) {
  DeviceCodeCache cache = DeviceCodeCache::of_user();
  try {
    cache.get(request);
  } catch (const std::exception&) {
  }
  return cache.problem().empty();
}

}  // namespace

void compile_ahead(const std::vector<const Case*>& cases) {
  const std::vector<DeviceCodeRequest> requests = requests_of(cases);
  if (requests.size() > 1) compile_into_cache(requests);
}

void compile_into_cache(const std::vector<DeviceCodeRequest>& requests) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t n = next++; n < requests.size(); n = next++)
      if (!compile(requests[n])) next = requests.size();
  };
  std::vector<std::thread> others;
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t n = 1; n < std::min(cores, requests.size()); ++n) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
}

}  // namespace cfdmark
