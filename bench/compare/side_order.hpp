// The order in which the sides of a round start.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace cfdmark::compare {

// Rounds come in pairs, the second in reverse order of the first (A B, B A), so that linear drift affects all
// sides alike. The first side is drawn at random, so that no periodic disturbance coincides with the order.
class SideOrder {
 public:
  SideOrder(std::size_t sides, std::uint64_t seed) : random_(seed) {
    for (std::size_t n = 0; n < sides; ++n) order_.push_back(n);
  }

  // Returns the sides of the next round, by number.
  const std::vector<std::size_t>& next() {
    if (rounds_++ % 2) {
      std::reverse(order_.begin(), order_.end());
    } else {
      for (std::size_t n = order_.size(); n > 1; --n) std::swap(order_[n - 1], order_[random_() % n]);
    }
    return order_;
  }

 private:
  std::mt19937_64 random_;
  std::vector<std::size_t> order_;
  std::size_t rounds_ = 0;
};

}  // namespace cfdmark::compare
