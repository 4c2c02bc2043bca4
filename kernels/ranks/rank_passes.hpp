// The passes of a kernel on ranks.
#pragma once

#include <type_traits>
#include <vector>

namespace cfdmark {

// Returns the kernels of the passes between which ranks exchange ghosts: one for each colour.
template <class K>
std::vector<K> passes_of(const K& kernel) {
  if constexpr (requires { kernel.order; }) {
    using Order = std::decay_t<decltype(kernel.order)>;
    std::vector<K> colours(2, kernel);
    colours[0].order = Order::red, colours[1].order = Order::black;
    return colours;
  } else {
    return {kernel};
  }
}

}  // namespace cfdmark
