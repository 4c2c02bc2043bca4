// Random numbers that are the same with every compiler, library and number of threads.
#pragma once

#include <cstdint>

namespace cfdmark {

// splitmix64 (G. Steele, D. Lea, C. Flood: Fast splittable pseudorandom number generators, OOPSLA 2014): a
// counter that grows by a constant, and a hash of it. So the n-th number is known without those before it.
class SplitMix64 {
 public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return hash(state_ += step); }
  // Returns an integer in [0, n), by multiplication: its bias is below n / 2^64.
  std::uint64_t below(std::uint64_t n) { return std::uint64_t((Product(next()) * n) >> 64); }

  // Returns the number of index n, counted from 0, of the generator with this seed.
  static std::uint64_t at(std::uint64_t seed, std::uint64_t n) { return hash(seed + (n + 1) * step); }
  // Returns a real number in [-1, 1) from an integer.
  static double signed_unit(std::uint64_t bits) { return double(bits >> 11) * 0x1p-52 - 1; }

 private:
  __extension__ using Product = unsigned __int128;
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15;

  static std::uint64_t hash(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace cfdmark
