// Rows, or planes, that go around in shared memory. NVRTC reads this file: no standard header here.
#pragma once

namespace cfdmark {

// Rows of `row_bytes` in dynamic shared memory, one behind the other and again from the first: a thread's
// place in the next one, in bytes from where that memory begins. It is counted on: a modulus for each row
// would cost as much as a sweep of a few cells.
template <int row_bytes>
class SharedRing {
 public:
  // first_row: of all in shared memory; rows: in the ring; next: the number there of the next one; place: the
  // thread's in a row.
  __device__ SharedRing(int first_row, int rows, int next, int place)
      : at_((first_row + next) * row_bytes + place),
        end_((first_row + rows) * row_bytes),
        length_(rows * row_bytes) {}
  __device__ __forceinline__ int at() const { return at_; }
  // In the row that was `rows` before, fewer than there are.
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
