#include "bench/measure/compile_ahead.hpp"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "bench/text/seconds_now.hpp"
#include "kernels/device/cpu/allowed_cpus.hpp"
#include "kernels/device/cuda/jit/nvrtc_cache.hpp"
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "kernels/device/cuda/runtime/cuda.hpp"

namespace cfdmark {
namespace {

// A device that reports no room for any queried launch. A method that chooses its layout by the available
// room, which only compiled code reveals, therefore queries every layout that it could choose anywhere.
class NoRoom final : public CudaOffline {
 public:
  int resident_blocks(const Launch& launch) override {
    asked_.push_back(launch);
    return CudaOffline::resident_blocks(launch);
  }
  const std::vector<Launch>& asked() const { return asked_; }

 private:
  std::vector<Launch> asked_;
};

// Returns the code that preparing the cases will request from the cache, without duplicates.
std::vector<DeviceCodeRequest> requests_of(const std::vector<const Case*>& cases) {
  std::vector<DeviceCodeRequest> requests;
  std::set<std::vector<std::string>> known;
  for (const Case* c : cases) {
    if (!c->row->device_code || !c->row->prepare_code) continue;
    const std::vector<Launch> launches = possible_launches(*c);
    std::string architecture;
    try {
      architecture = cuda_architecture(c->device);
    } catch (const std::exception&) {
      continue;
    }
    for (const Launch& launch : launches) {
      const auto& [source, expression] = launch.function;
      if (known.insert({source, expression, architecture}).second)
        requests.push_back({source, {expression}, architecture});
    }
  }
  return requests;
}

// Returns false if the code cannot be cached; compiling ahead is then useless.
bool compile(const DeviceCodeRequest& request) {
  DeviceCodeCache cache = DeviceCodeCache::of_user();
  try {
    cache.get(request);
  } catch (const std::exception&) {
  }
  return cache.problem().empty();
}

}  // namespace

std::vector<Launch> possible_launches(const Case& c) {
  NoRoom device;
  try {
    c.row->prepare_code(device, c.domain, c.config, c.workload);
  } catch (const std::exception&) {  // preparing the case reports the reason
  }
  std::vector<Launch> launches = device.launches();
  launches.insert(launches.end(), device.asked().begin(), device.asked().end());
  return launches;
}

void compile_ahead(const std::vector<const Case*>& cases, double seconds,
                   const std::function<void()>& alive) {
  const std::vector<DeviceCodeRequest> requests = requests_of(cases);
  if (!requests.empty()) compile_into_cache(requests, seconds, alive);
}

void compile_into_cache(const std::vector<DeviceCodeRequest>& requests, double seconds,
                        const std::function<void()>& alive) {
  const double end = seconds_now() + seconds;
  std::atomic<std::size_t> next = 0;
  const auto work = [&](const std::function<void()>& before_each) {
    for (std::size_t n = next++; n < requests.size() && seconds_now() < end; n = next++) {
      before_each();
      if (!compile(requests[n])) next = requests.size();
    }
  };
  std::vector<std::thread> others;
  const cpu_set_t processors = allowed_cpus();
  const std::size_t cores = std::size_t(CPU_COUNT(&processors));
  for (std::size_t n = 1; n < std::min(cores, requests.size()); ++n)
    others.emplace_back([&] {
      sched_setaffinity(0, sizeof processors, &processors);  // binds this thread
      work([] {});
    });
  work(alive);
  for (std::thread& other : others) other.join();
}

}  // namespace cfdmark
