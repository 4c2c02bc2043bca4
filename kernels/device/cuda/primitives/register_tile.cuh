// Keeps a grid in the registers of all blocks over many iterations. NVRTC reads this file, so it includes no
// standard header.
//
// Each block has a tile, each warp a patch of its rows, each lane some adjacent cells per row. A cell's
// neighbours belong to the same lane, to an adjacent lane (shuffle), or to an adjacent warp, which shares its
// outermost rows through shared memory:
//
//     |<---------- 32 lanes ---------->|
//     +--------------------------------+
//     |  layers of the tile above      |   warp 2        after each step, in shared memory:
//     |   +------------------------+   |   ------        its lowest and highest row
//     |   | own cells              |   |   warp 1
//     |   +------------------------+   |   ------
//     |  layers of the tile below      |   warp 0
//     +--------------------------------+
//
// Each step invalidates one of the layers that other tiles own. When none is valid, tiles write the edges of
// their own cells to memory, synchronise, and read the layers of their neighbours. Two alternating fields
// make one barrier sufficient.
#pragma once

#include "kernels/device/cuda/primitives/device.cuh"
#include "kernels/device/cuda/primitives/dynamic_shared.cuh"
#include "kernels/device/cuda/primitives/grid_barrier.cuh"
#include "kernels/device/cuda/primitives/register_tile.hpp"
#include "kernels/device/cuda/primitives/strips.cuh"

namespace cfdmark {

template <class S, int cells, int rows, int warps, int layers>
class RegisterTile {
 public:
  using Row = Pack<S, cells>;
  static constexpr TileShape shape{cells, rows, warps, layers};

  // For a grid of nx x ny; first_colour: colour that is updated first (0 or 1).
  __device__ RegisterTile(int nx, int ny, int first_colour)
      : nx_(nx),
        ny_(ny),
        column_((int(blockIdx.x) * shape.own_lanes() - 1 + lane_) * cells),
        row_(shape.first_row(first_colour) + int(blockIdx.y) * shape.own_rows() + warp_ * rows) {}

  // Loads a row of the lane's patch, ghosts included. Values outside the ghosts are 0 and never used.
  __device__ __forceinline__ Row load(const View<const S>& from, int r) const {
    const int y = row_ + r;
    if (y < -1 || y > ny_ || column_ < -cells || column_ > nx_) return {};
    return load_pack<cells>(from.row(y) + column_);
  }
  __device__ __forceinline__ void load(const View<const S>& from) {
#pragma unroll
    for (int r = 0; r < rows; ++r) u_[r] = load(from, r);
  }
  // Stores the tile's own cells.
  __device__ __forceinline__ void store(const View<S>& to) const {
#pragma unroll
    for (int r = 0; r < rows; ++r)
      if (owns_row(r) && owns_lane()) put(to, r);
  }
  // Refreshes the layers that other tiles own, through the field `through`.
  __device__ __forceinline__ void exchange(const View<S>& through, unsigned* arrived) {
    const bool lane_is_near = lane_ < 2 * shape.edge_lanes() || lane_ >= 32 - 2 * shape.edge_lanes();
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const int tile_r = warp_ * rows + r;
      const bool row_is_near = tile_r < 2 * layers || tile_r >= shape.height() - 2 * layers;
      if (owns_row(r) && owns_lane() && (lane_is_near || row_is_near)) put(through, r);
    }
    grid_barrier(arrived);
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      if (!(owns_row(r) && owns_lane()) && holds_row(r) && column_ >= 0 && column_ < nx_) {
        const Row row = load_pack<cells>(through.row(row_ + r) + column_);
#pragma unroll
        for (int m = 0; m < cells; ++m)
          if (column_ + m < nx_) u_[r].value[m] = row.value[m];
      }
      if (r % 4 == 3) __syncwarp();  // limits loads in flight, which need registers
    }
    share();
  }

  // Publishes the outermost rows of the patch for the adjacent warps, and waits for theirs.
  __device__ __forceinline__ void share() {
    Row* const mine = shared() + 2 * warp_ * 32;
    mine[lane_] = u_[0], mine[32 + lane_] = u_[rows - 1];
    __syncthreads();
  }
  // Returns the rows published by the warps below and above. At a tile's edge, whose layers are invalid,
  // returns the lane's own rows. Afterwards share() may be called again.
  struct Beside {
    Row south, north;
  };
  __device__ __forceinline__ Beside beside() {
    const Row* const mine = shared() + 2 * warp_ * 32;
    const Beside out = {mine[(warp_ == 0 ? 0 : -32) + lane_], mine[(warp_ == warps - 1 ? 32 : 64) + lane_]};
    turn_ ^= 1;
    return out;
  }

  __device__ __forceinline__ Row& row(int r) { return u_[r]; }
  // Return true if the row or column is inside the grid.
  __device__ __forceinline__ bool holds_row(int r) const { return row_ + r >= 0 && row_ + r < ny_; }
  __device__ __forceinline__ bool holds_column(int m) const { return column_ + m >= 0 && column_ + m < nx_; }
  __device__ __forceinline__ static bool is_alone() { return gridDim.x * gridDim.y == 1; }

 private:
  // Two buffers: a warp that is one step ahead writes to the other one.
  __device__ __forceinline__ Row* shared() const { return dynamic_shared<Row>() + turn_ * (2 * warps * 32); }
  __device__ __forceinline__ bool owns_lane() const {
    const int first = blockIdx.x == 0 ? 0 : shape.edge_lanes(),
              end = blockIdx.x + 1 == gridDim.x ? 32 : 32 - shape.edge_lanes();
    return lane_ >= first && lane_ < end;
  }
  __device__ __forceinline__ bool owns_row(int r) const {
    const int tile_r = warp_ * rows + r, first = blockIdx.y == 0 ? 0 : layers,
              end = blockIdx.y + 1 == gridDim.y ? shape.height() : shape.height() - layers;
    return tile_r >= first && tile_r < end;
  }
  __device__ __forceinline__ void put(const View<S>& to, int r) const {
    if (holds_row(r)) store_between(to.row(row_ + r) + column_, u_[r], column_, 0, nx_);
  }

  const int lane_ = threadIdx.x, warp_ = threadIdx.y;
  const int nx_, ny_;
  const int column_, row_;  // first column and row of the lane
  int turn_ = 0;
  Row u_[rows];
};

}  // namespace cfdmark
