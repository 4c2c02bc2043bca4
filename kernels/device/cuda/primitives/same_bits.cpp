#include "kernels/device/cuda/primitives/same_bits.hpp"

#include <algorithm>

namespace cfdmark {
namespace {

constexpr int threads = 256, most_blocks = 4096;

}  // namespace

Launch SameBits::launch(const AnyView& a, const AnyView& b, const Buffer& differ, int blocks) {
  const Grid& g = a.grid;
  const int words = int(stored_bytes(a.storage) / sizeof(unsigned));
  const auto first_ghost = [&](const AnyView& view) {
    return static_cast<const unsigned*>(view.origin) -
           words * (g.halo + g.halo * view.pitch + g.halo_z() * view.plane);
  };
  return {.function = {"kernels/device/cuda/primitives/same_bits.cu", instance<>("same_bits", {threads})},
          .blocks = {blocks},
          .threads = {threads},
          .arguments = Arguments(first_ghost(a), first_ghost(b), words * (g.nx + 2 * g.halo),
                                 g.ny + 2 * g.halo, g.nz + 2 * g.halo_z(), words * a.pitch, words * a.plane,
                                 static_cast<unsigned*>(differ.data()))};
}

SameBits::SameBits(CudaBackend& backend, const Field& a, const Field& b)
    : backend_(&backend), differ_(backend, sizeof(unsigned)) {
  const Grid& g = a.grid();
  const long rows = long(g.ny + 2 * g.halo) * (g.nz + 2 * g.halo_z());
  const int blocks = int(std::min<long>(rows, most_blocks));
  step_ = backend.prepare({.run = {launch(a.view(), b.view(), differ_, blocks)}});
}

bool SameBits::operator()() const {
  backend_->set_zero(differ_.data(), sizeof(unsigned));
  step_.run();
  unsigned differ = 1;
  backend_->fence();
  backend_->download(&differ, differ_.data(), sizeof differ);
  return differ == 0;
}

}  // namespace cfdmark
