// Fields own values on a grid, in a backend's memory or in plain host memory.
#pragma once

#include "kernels/core/operator.hpp"
#include "kernels/device/backend.hpp"
#include "kernels/device/host_bytes.hpp"

namespace cfdmark {

// A field on the host in 32 or 64 bits. All values, including ghosts and padding, are initially zero.
class HostField {
 public:
  HostField() = default;
  HostField(Grid grid, Precision storage) : HostField(unset(grid, storage)) { bytes_.set_zero(); }
  // Returns a field with uninitialised values.
  static HostField unset(Grid grid, Precision storage) {
    HostField field;
    field.grid_ = grid;
    field.storage_ = storage_of(storage);
    field.bytes_ = HostBytes(Layout(grid).elements * stored_bytes(storage));
    return field;
  }

  const Grid& grid() const { return grid_; }
  Precision storage() const { return storage_; }
  std::size_t bytes() const { return bytes_.size(); }
  void* data() { return bytes_.data(); }
  const void* data() const { return bytes_.data(); }

  AnyView view() const {
    return {bytes_.data() + Layout(grid_).lead * stored_bytes(storage_), grid_, storage_};
  }
  // Gets or sets one value of any storage type; ghosts have indices below 0 or from n up.
  double get(int i, int j, int k = 0) const {
    return storage_ == Precision::fp64 ? view().as<const double>()(i, j, k)
                                       : double(view().as<const float>()(i, j, k));
  }
  void set(int i, int j, int k, double value) {
    if (storage_ == Precision::fp64)
      view().as<double>()(i, j, k) = value;
    else
      view().as<float>()(i, j, k) = float(value);
  }

 private:
  Grid grid_;
  Precision storage_ = Precision::fp64;
  HostBytes bytes_;
};

// Calls f(i, j, k) for every interior cell, and optionally for the ghosts.
template <class F>
void for_each_cell(const Grid& g, bool with_ghosts, F&& f) {
  const int ghost = with_ghosts ? g.halo : 0, ghost_z = with_ghosts ? g.halo_z() : 0;
  for (int k = -ghost_z; k < g.nz + ghost_z; ++k)
    for (int j = -ghost; j < g.ny + ghost; ++j)
      for (int i = -ghost; i < g.nx + ghost; ++i) f(i, j, k);
}

// The same in any order, on all cores if the grid is large; calls of f must be independent.
template <class F>
void for_each_cell_in_parallel(const Grid& g, bool with_ghosts, F&& f) {
  const int ghost = with_ghosts ? g.halo : 0, ghost_z = with_ghosts ? g.halo_z() : 0;
#pragma omp parallel for collapse(2) schedule(static) if (g.cells() > 10000)
  for (int k = -ghost_z; k < g.nz + ghost_z; ++k)
    for (int j = -ghost; j < g.ny + ghost; ++j)
      for (int i = -ghost; i < g.nx + ghost; ++i) f(i, j, k);
}

// A field in a backend's memory. All values are initially zero.
class Field {
 public:
  Field() = default;
  Field(Backend& owner, Grid grid, Precision storage)
      : owner_(&owner), grid_(grid), storage_(storage_of(storage)), buffer_(owner, bytes()) {
    owner.set_zero(buffer_.data(), bytes());
  }

  const Grid& grid() const { return grid_; }
  Precision storage() const { return storage_; }
  std::size_t bytes() const { return Layout(grid_).elements * stored_bytes(storage_); }
  AnyView view() const {
    return {static_cast<char*>(buffer_.data()) + Layout(grid_).lead * stored_bytes(storage_), grid_,
            storage_};
  }
  void* data() const { return buffer_.data(); }
  const Buffer& buffer() const { return buffer_; }
  void upload(const HostField& from) { owner_->upload(buffer_.data(), from.data(), bytes()); }
  // Copies all values, including ghosts and padding. Grid, storage and backend must be equal.
  void copy_from(const Field& from) const { owner_->copy(buffer_.data(), from.data(), bytes()); }
  HostField download() const {
    HostField to = HostField::unset(grid_, storage_);
    owner_->fence();
    owner_->download(to.data(), buffer_.data(), bytes());
    return to;
  }

 private:
  Backend* owner_ = nullptr;
  Grid grid_;
  Precision storage_ = Precision::fp64;
  Buffer buffer_;
};

// One double in a backend's memory: the result of a reduction, or a coefficient that kernels read there. Its
// initial value is undefined.
class DeviceScalar {
 public:
  DeviceScalar() = default;
  explicit DeviceScalar(Backend& owner) : owner_(&owner), buffer_(owner, sizeof(double)) {}
  double* data() const { return static_cast<double*>(buffer_.data()); }
  void set(double value) { owner_->upload(buffer_.data(), &value, sizeof value); }
  double get() const {
    double value = 0;
    owner_->fence();
    owner_->download(&value, buffer_.data(), sizeof value);
    return value;
  }

 private:
  Backend* owner_ = nullptr;
  Buffer buffer_;
};

}  // namespace cfdmark
