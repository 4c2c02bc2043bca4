// Stable sort of integers by key, in parallel and in linear time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace cfdmark {

template <class Key>
struct Keyed {
  Key key;
  int value;
};

namespace radix {

inline constexpr int digit_bits = 8, digits = 1 << digit_bits;
using Histogram = std::array<std::size_t, digits>;

// Moves the items of `from` to `to`, ordered by the digit that begins at bit `shift`. Part p of `parts` moves
// a range of its own, behind the items of the same digit of the parts before it. Returns false, moving
// nothing, if all items have the same digit.
template <class Key>
bool pass(const std::vector<Keyed<Key>>& from, std::vector<Keyed<Key>>& to, int shift, int parts) {
  const auto digit = [shift](Key key) { return std::size_t(key >> shift) & (digits - 1); };
  const auto begin = [&](int part) { return from.size() * part / parts; };
  std::vector<Histogram> places(parts, Histogram{});
#pragma omp parallel for schedule(static)
  for (int p = 0; p < parts; ++p)
    for (std::size_t i = begin(p); i < begin(p + 1); ++i) ++places[p][digit(from[i].key)];
  std::size_t next = 0, largest = 0;
  for (int d = 0; d < digits; ++d) {
    const std::size_t first = next;
    for (Histogram& h : places) {
      const std::size_t count = h[d];
      h[d] = next;
      next += count;
    }
    largest = std::max(largest, next - first);
  }
  if (largest == from.size()) return false;
#pragma omp parallel for schedule(static)
  for (int p = 0; p < parts; ++p)
    for (std::size_t i = begin(p); i < begin(p + 1); ++i) to[places[p][digit(from[i].key)]++] = from[i];
  return true;
}

}  // namespace radix

// Sorts by the lowest `bits` bits of the keys; items with equal keys keep their order. Needs a second copy.
template <class Key>
void radix_sort(std::vector<Keyed<Key>>& items, int bits = 8 * sizeof(Key)) {
#ifdef _OPENMP
  const int parts = omp_get_max_threads();
#else
  const int parts = 1;
#endif
  std::vector<Keyed<Key>> other(items.size());
  for (int shift = 0; shift < bits; shift += radix::digit_bits)
    if (radix::pass(items, other, shift, parts)) items.swap(other);
}

}  // namespace cfdmark
