// Transfer of planes between memory and the threads of red_black_planes.cu. NVRTC reads this file, so it
// includes no standard header.
#pragma once

#include "kernels/core/grid.hpp"
#include "kernels/device/cuda/primitives/async_copy.cuh"
#include "kernels/device/cuda/primitives/dynamic_shared.cuh"
#include "kernels/device/cuda/primitives/shared_ring.cuh"
#include "kernels/device/cuda/primitives/strips.cuh"
#include "kernels/device/cuda/primitives/zero_rhs.hpp"
#include "kernels/red_black_sor/red_black_planes.hpp"

namespace cfdmark {

// A PlaneColumn as compile-time constants.
template <int rows, int lane_rows, int depth>
struct PlaneColumnOf {
  static constexpr PlaneColumn shape{rows, lane_rows, depth};
};

template <class T>
__device__ __forceinline__ T* plane_shared(int at) {
  return reinterpret_cast<T*>(dynamic_shared<unsigned char>() + at);
}

// A thread's cells of a column: their position, and their copies to shared memory and back.
template <class S, class B, class Of>
class PlaneTransfer {
 public:
  static constexpr PlaneColumn shape = Of::shape;
  static constexpr int bytes = int(sizeof(S)), width = shape.cells(bytes), lane_rows = shape.lane_rows;
  using Cells = Pack<S, width>;
  static constexpr int row_bytes = 32 * int(sizeof(Cells));

  // Blocks tile x and y, where the first includes ghosts; parts of `planes` planes tile z.
  __device__ PlaneTransfer(const View<const S>& from, const B& b, const View<S>& to, int planes, int ghosts)
      : nx_(from.nx),
        nz_(from.nz),
        ghosts_(ghosts),
        i_((int(blockIdx.x) * shape.own_lanes(bytes) + int(threadIdx.x) - shape.lead(bytes)) * width),
        j_(int(blockIdx.y) * shape.own_rows() + int(threadIdx.y) * lane_rows - halves - 1),
        begin_(int(blockIdx.z) * planes),
        at_((int(threadIdx.y) * lane_rows * 32 + int(threadIdx.x)) * int(sizeof(Cells))),
        asked_for_(0, shape.planes(), 0, at_),
        from_pitch_(from.pitch),
        to_pitch_(to.pitch),
        from_plane_(from.plane),
        to_plane_(to.plane),
        next_(from.row(j_, begin_ - halves) + i_),
        done_(to.row(j_, begin_ - 2 * halves) + i_) {
    if constexpr (has_source<B>)
      next_b_ = b.row(j_, begin_ - halves) + i_, b_pitch_ = b.pitch, b_plane_ = b.plane;
    end_ = min(begin_ + planes, nz_);
    if (end_ == nz_) end_ += ghosts;
    constexpr int edge = shape.edge_lanes(bytes);
#pragma unroll
    for (int r = 0; r < lane_rows; ++r) {
      const int row = int(threadIdx.y) * lane_rows + r, j = j_ + r;
      copies_[r] = j >= -1 && j <= from.ny && i_ + width >= 0 && i_ <= nx_;
      stores_[r] = threadIdx.x >= edge && threadIdx.x < 32 - edge && row >= halves &&
                   row < shape.rows - halves && j >= -ghosts && j < to.ny + ghosts;
    }
  }

  // The thread's first cell, and the planes that it stores, apart from ghosts before the first.
  __device__ __forceinline__ int i() const { return i_; }
  __device__ __forceinline__ int j() const { return j_; }
  __device__ __forceinline__ int begin() const { return begin_; }
  __device__ __forceinline__ int end() const { return end_; }
  // Offsets of that cell in a plane in shared memory, and of its right-hand side in a slot.
  __device__ __forceinline__ int at() const { return at_; }
  __device__ __forceinline__ int source_at(int slot) const {
    return at_ + (shape.sources_begin() + slot) * shape.plane_bytes();
  }

  // Starts the copy of plane k and of its right-hand sides to a slot; planes come in order.
  __device__ __forceinline__ void fetch(int k, int slot) {
    const bool in_z = k >= -1 && k <= nz_;
#pragma unroll
    for (int r = 0; r < lane_rows; ++r) {
      const bool wanted = copies_[r] && in_z;
      copy_async(plane_shared<Cells>(asked_for_.at() + r * row_bytes), next_ + r * from_pitch_, wanted);
      if constexpr (has_source<B>)
        copy_async(plane_shared<Cells>(source_at(slot) + r * row_bytes), next_b_ + r * b_pitch_, wanted);
    }
    asked_for_.go_on();
    next_ += from_plane_;
    if constexpr (has_source<B>) next_b_ += b_plane_;
    end_group_of_copies();
  }
  // Stores plane k to memory, with cells(r) for each row; planes come in order.
  template <class F>
  __device__ __forceinline__ void put_back(int k, const F& cells) {
    if (k >= (begin_ == 0 ? -ghosts_ : begin_))
#pragma unroll
      for (int r = 0; r < lane_rows; ++r)
        if (stores_[r]) store_between(done_ + r * to_pitch_, cells(r), i_, -ghosts_, nx_ + ghosts_);
    done_ += to_plane_;
  }

 private:
  static constexpr int halves = shape.halves();

  const int nx_, nz_, ghosts_, i_, j_, begin_, at_;
  int end_;
  bool copies_[lane_rows], stores_[lane_rows];
  SharedRing<shape.plane_bytes()> asked_for_;
  const Index from_pitch_, to_pitch_, from_plane_, to_plane_;
  Index b_pitch_ = 0, b_plane_ = 0;
  const S *next_, *next_b_ = nullptr;  // cells that are copied next
  S* done_;
};

}  // namespace cfdmark
