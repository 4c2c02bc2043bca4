// A ring of rows or planes in shared memory. NVRTC reads this file, so it includes no standard header.
#pragma once

namespace cfdmark {

// A ring of rows of `row_bytes` in dynamic shared memory. Tracks the byte offset of a thread's position in
// the current row. The offset is advanced incrementally: a modulus per row would cost as much as updating a
// few cells.
template <int row_bytes>
class SharedRing {
 public:
  // first_row: first row of the ring in shared memory; rows: length of the ring; next: index of the current
  // row in the ring; place: byte offset of the thread within a row.
  __device__ SharedRing(int first_row, int rows, int next, int place)
      : at_((first_row + next) * row_bytes + place),
        end_((first_row + rows) * row_bytes),
        length_(rows * row_bytes) {}
  __device__ __forceinline__ int at() const { return at_; }
  // Returns the offset in the row `rows` earlier; `rows` is less than the length of the ring.
  __device__ __forceinline__ int before(int rows) const {
    const int at = at_ - rows * row_bytes;
    return at < end_ - length_ ? at + length_ : at;
  }
  __device__ __forceinline__ void go_on() {
    at_ += row_bytes;
    if (at_ >= end_) at_ -= length_;
  }

 private:
  int at_;
  const int end_, length_;
};

}  // namespace cfdmark
