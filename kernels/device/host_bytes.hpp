// Large host buffers. Gigabytes are first touched and copied on all cores.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace cfdmark {

// A buffer whose bytes are uninitialised.
class HostBytes {
 public:
  HostBytes() = default;
  explicit HostBytes(std::size_t size) : size_(size), bytes_(new char[size]) {}
  HostBytes(const HostBytes& from) : HostBytes(from.size_) {
    for_each_piece(
        [&](std::size_t at, std::size_t n) { std::memcpy(bytes_.get() + at, from.bytes_.get() + at, n); });
  }
  HostBytes(HostBytes&& from) noexcept { swap(from); }
  HostBytes& operator=(HostBytes from) noexcept {
    swap(from);
    return *this;
  }

  std::size_t size() const { return size_; }
  char* data() const { return bytes_.get(); }
  void set_zero() {
    for_each_piece([&](std::size_t at, std::size_t n) { std::memset(bytes_.get() + at, 0, n); });
  }

 private:
  void swap(HostBytes& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(bytes_, other.bytes_);
  }
  template <class F>
  void for_each_piece(F&& f) const {
    constexpr std::size_t piece = 1 << 20;
#pragma omp parallel for schedule(static) if (size_ > 4 * piece)
    for (std::size_t at = 0; at < size_; at += piece) f(at, std::min(piece, size_ - at));
  }

  std::size_t size_ = 0;
  std::unique_ptr<char[]> bytes_;
};

}  // namespace cfdmark
