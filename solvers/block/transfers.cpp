#include "solvers/block/transfers.hpp"

#include "kernels/device/backends/counting.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "solvers/block/pinned_memory.hpp"

namespace cfdmark {
namespace {

// Returns host memory that the device can access directly if `pinned`.
std::shared_ptr<void> host_memory(std::size_t bytes, bool pinned) {
  if (pinned) return pinned_host_memory(bytes);
  return std::shared_ptr<void>(new char[bytes], [](void* p) { delete[] static_cast<char*>(p); });
}

// The relaxation is submitted first: from pageable memory the host itself copies and is not free for other
// work.
std::function<void()> beside(Backend& backend, const std::function<void()>& relax, const Upload& upload) {
  HostCall relaxation{[relax](const CudaQueue&) { relax(); }};
  return static_cast<CudaBackend&>(backend).prepare({.run = {std::move(relaxation), upload}}).run;
}

}  // namespace

BlockTransfers block_transfers(const BlockSystem& system, const Config& config, const Field& r,
                               const Field& dx, const std::function<void()>& relax) {
  if (!config.has("transfers") || config.is("transfers", "none") || only_counts(system.backend)) return {};
  const bool pinned = config.is("transfers", "pinned");
  Backend& backend = system.backend;
  const Field matrices = system.matrices;
  const auto values = host_memory(matrices.bytes(), pinned), vector = host_memory(r.bytes(), pinned);
  backend.download(values.get(), matrices.data(), matrices.bytes());
  BlockTransfers transfers;
  transfers.in = [=, &backend] {
    backend.download(vector.get(), r.data(), r.bytes());
    backend.upload(r.data(), vector.get(), r.bytes());
  };
  transfers.matrices = [=, &backend] { backend.upload(matrices.data(), values.get(), matrices.bytes()); };
  transfers.out = [=, &backend] { backend.download(vector.get(), dx.data(), dx.bytes()); };
  if (overlaps_transfers(config))
    transfers.relax_beside =
        beside(backend, relax, {matrices.data(), values.get(), matrices.bytes(), /*stream=*/1});
  return transfers;
}

void add_transfer_settings(TuningSpace& space) {
  space.settings.push_back(choice_setting(
      "transfers", {"none", "pageable", "pinned"}, "none",
      "host memory for transfers in each step, matrices and residual in and dx out; none: no transfers"));
  space.settings.push_back(choice_setting(
      "overlap", {"none", "matrices"}, "none",
      "overlap of transfers; matrices: the next step's matrices arrive while this step relaxes"));
  space.require([](const Config& config) -> std::string {
    if (!overlaps_transfers(config) || !config.is("transfers", "none")) return "";
    return "overlap=matrices needs transfers: set transfers=pinned or transfers=pageable";
  });
}

}  // namespace cfdmark
