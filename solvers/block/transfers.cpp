#include "solvers/block/transfers.hpp"

#include "kernels/backends/counting.hpp"
#include "solvers/block/pinned_memory.hpp"

namespace cfdmark {
namespace {

// Host memory that a device reaches by itself, if pinned.
std::shared_ptr<void> host_memory(std::size_t bytes, bool pinned) {
  if (pinned) return pinned_host_memory(bytes);
  return std::shared_ptr<void>(new char[bytes], [](void* p) { delete[] static_cast<char*>(p); });
}

}  // namespace

BlockTransfers block_transfers(const BlockSystem& system, const std::string& kind, const Field& r,
                               const Field& dx) {
  if (kind == "none" || only_counts(system.backend)) return {};
  const bool pinned = kind == "pinned";
  Backend& backend = system.backend;
  const Field matrices = system.matrices;
  const auto values = host_memory(matrices.bytes(), pinned), vector = host_memory(r.bytes(), pinned);
  backend.download(values.get(), matrices.data(), matrices.bytes());
  return {[=, &backend] {
            backend.download(vector.get(), r.data(), r.bytes());
            backend.upload(matrices.data(), values.get(), matrices.bytes());
            backend.upload(r.data(), vector.get(), r.bytes());
          },
          [=, &backend] { backend.download(vector.get(), dx.data(), dx.bytes()); }};
}

}  // namespace cfdmark
