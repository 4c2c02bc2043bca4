#include "kernels/device/cuda/runtime/cuda_library.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/device/cuda/runtime/cuda_check.hpp"

namespace cfdmark {

void library_failed(const char* library, const char* doing, const char* text, SourcePlace where) {
  const std::string file = where.file;
  const std::string message =
      fmt::format("{}: {}: {} ({}:{})", library, doing, text, file.substr(file.rfind('/') + 1), where.line);
  const DeviceWideTurn turn;
  check_cuda(cudaDeviceSynchronize(), message.c_str());
  throw std::runtime_error(message);
}

DenseField::DenseField(Backend& backend, const Grid& grid, Precision storage)
    : grid_(grid), storage_(storage), buffer_(backend, grid.cells() * stored_bytes(storage)) {}

HostCall DenseField::copy_from(const AnyView& from) const { return copy(from, true); }
HostCall DenseField::copy_to(const AnyView& to) const { return copy(to, false); }

cudaMemcpy3DParms dense_copy(const AnyView& field, void* dense, bool to_dense) {
  const Grid& g = field.grid;
  const std::size_t value = stored_bytes(field.storage), row = g.nx * value;
  const Index rows = field.plane != 0 ? field.plane / field.pitch : g.ny;
  const Index pitch = g.is_flat() ? g.nx : field.pitch;  // a flat field is contiguous
  const cudaPitchedPtr padded{field.origin, std::size_t(pitch) * value, row, std::size_t(rows)};
  const cudaPitchedPtr packed{dense, row, row, std::size_t(g.ny)};
  cudaMemcpy3DParms p{};
  p.srcPtr = to_dense ? padded : packed;
  p.dstPtr = to_dense ? packed : padded;
  p.extent = {row, std::size_t(g.ny), std::size_t(g.nz)};
  p.kind = cudaMemcpyDeviceToDevice;
  return p;
}

HostCall DenseField::copy(AnyView there, bool in) const {
  const cudaMemcpy3DParms p = dense_copy(there, buffer_.data(), in);
  return {[p](const CudaQueue& queue) {
    check_cuda(cudaMemcpy3DAsync(&p, queue.stream), "copy a field's cells");
  }};
}

void DenseField::fill_with_ones(Backend& backend) const {
  constexpr Index most = 1 << 20;  // values per upload
  with_types(storage_, [&]<class S, class C>() {
    const std::vector<S> ones(std::min(grid_.cells(), most), S(1));
    for (Index done = 0; done < grid_.cells(); done += most)
      backend.upload(static_cast<S*>(buffer_.data()) + done, ones.data(),
                     std::min(most, grid_.cells() - done) * sizeof(S));
  });
}

}  // namespace cfdmark
