#include "bench/catalog/cooperative_blocks.hpp"

#include <algorithm>

#include "kernels/device/built.hpp"
#include "kernels/device/cuda/plan/cuda_offline.hpp"

namespace cfdmark {

long long cooperative_blocks([[maybe_unused]] const Row& row, [[maybe_unused]] const Grid& grid,
                             [[maybe_unused]] const Config& config, [[maybe_unused]] const Config& workload) {
  long long most = 0;
  if constexpr (built_with_cuda) {
    if (!row.device_code || !row.prepare_code) return 0;
    CudaOffline offline;
    row.prepare_code(offline, grid, config, workload);
    for (const Launch& launch : offline.launches())
      if (launch.cooperative)
        most = std::max(most, 1ll * launch.blocks.x * launch.blocks.y * launch.blocks.z);
  }
  return most;
}

void check_cooperative_launches([[maybe_unused]] Backend& on,
                                [[maybe_unused]] const std::function<void(Backend&)>& prepare) {
  if constexpr (built_with_cuda) {
    // A backend that only compiles or counts has no co-resident blocks.
    const bool is_of_this_machine = unavailable_reason(on.id()).empty() && &on == &backend(on.id());
    if (!is_of_this_machine) return;
    CudaOffline offline;
    prepare(offline);
    for (const Launch& launch : offline.launches())
      if (launch.cooperative)
        check_all_resident(launch, static_cast<CudaBackend&>(on).resident_blocks(launch));
  }
}

}  // namespace cfdmark
