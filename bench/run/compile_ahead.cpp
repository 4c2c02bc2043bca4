#include "bench/run/compile_ahead.hpp"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include "bench/measure/seconds_now.hpp"
#include "bench/run/unbound_processors.hpp"
#include "kernels/backends/cuda.hpp"
#include "kernels/backends/cuda_offline.hpp"
#include "kernels/backends/nvrtc_cache.hpp"

namespace cfdmark {
namespace {

// A device with room for all blocks of a launch.
class RoomForAll final : public CudaOffline {
 public:
  int resident_blocks(const Launch&) override { return 1 << 16; }
};

// What a case launches on a device with little room and, where blocks wait for each other, on one with much:
// a layout that is chosen by the room, which only code tells that is compiled, is one of these as a rule.
std::vector<Launch> launches_of(const Case& c) {
  CudaOffline little;
  RoomForAll much;
  std::vector<Launch> launches;
  try {
    c.row->prepare_code(little, c.grid, c.config, c.question);
    launches = little.launches();
    if (std::any_of(launches.begin(), launches.end(),
                    [](const Launch& launch) { return launch.cooperative; }))
      c.row->prepare_code(much, c.grid, c.config, c.question);
  } catch (const std::exception&) {  // preparing says why
  }
  launches.insert(launches.end(), much.launches().begin(), much.launches().end());
  return launches;
}

// What preparing the cases will ask the cache for, each once.
std::vector<DeviceCodeRequest> requests_of(const std::vector<const Case*>& cases) {
  std::vector<DeviceCodeRequest> requests;
  std::set<std::vector<std::string>> known;
  for (const Case* c : cases) {
    if (!c->row->device_code || !c->row->prepare_code) continue;
    const std::vector<Launch> launches = launches_of(*c);
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
  const cpu_set_t processors = unbound_processors();
  const std::size_t cores = std::size_t(CPU_COUNT(&processors));
  for (std::size_t n = 1; n < std::min(cores, requests.size()); ++n)
    others.emplace_back([&] {
      sched_setaffinity(0, sizeof processors, &processors);  // this thread's
      work([] {});
    });
  work(alive);
  for (std::thread& other : others) other.join();
}

}  // namespace cfdmark
