// Random choices that are equal on every machine. The engine is the standard's. The standard's distributions
// are not used, because they differ between libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace cfdmark::tuning {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // Returns a uniform integer from 0 to n-1, n >= 1.
  std::size_t below(std::size_t n) {
    const std::uint64_t all = std::mt19937_64::max(), most = all - (all % n + 1) % n;
    std::uint64_t drawn = engine_();
    while (drawn > most) drawn = engine_();  // rejection sampling: the remainder would favour small numbers
    return std::size_t(drawn % n);
  }

  // Shuffles by the algorithm of Fisher and Yates.
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t n = values.size(); n > 1; --n) std::swap(values[n - 1], values[below(n)]);
  }

 private:
  std::mt19937_64 engine_;
};

// Returns the numbers 0 to count-1 in random order.
inline std::vector<std::size_t> in_random_order(std::size_t count, Random& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t(0));
  random.shuffle(order);
  return order;
}

}  // namespace cfdmark::tuning
