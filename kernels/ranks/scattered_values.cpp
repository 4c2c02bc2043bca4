#include "kernels/ranks/scattered_values.hpp"

#include <stdexcept>

#include "kernels/device/built.hpp"

namespace cfdmark {
namespace {

constexpr int threads = 128;
constexpr const char* no_cuda = "this program was built without CUDA; configure again with a CUDA toolkit";

template <class W>
Launch launch_of(const char* function, const Arguments& arguments, int count) {
  return {.function = {"kernels/ranks/scattered_values.cu", instance<W>(function, {threads})},
          .blocks = {(count + threads - 1) / threads},
          .threads = {threads},
          .arguments = arguments};
}
template <class W>
Launch pack(const Buffer& places, const Buffer& message, int count) {
  return launch_of<W>(
      "pack_values", Arguments(static_cast<W* const*>(places.data()), static_cast<W*>(message.data()), count),
      count);
}
template <class W>
Launch unpack(const Buffer& message, const Buffer& places, int count) {
  return launch_of<W>(
      "unpack_values",
      Arguments(static_cast<const W*>(message.data()), static_cast<W* const*>(places.data()), count), count);
}

}  // namespace

Launch pack_launch(const Buffer& places, const Buffer& message, int count, std::size_t bytes) {
  if constexpr (built_with_cuda)
    return bytes == 4 ? pack<unsigned>(places, message, count)
                      : pack<unsigned long long>(places, message, count);
  throw std::logic_error(no_cuda);
}

Launch unpack_launch(const Buffer& message, const Buffer& places, int count, std::size_t bytes) {
  if constexpr (built_with_cuda)
    return bytes == 4 ? unpack<unsigned>(message, places, count)
                      : unpack<unsigned long long>(message, places, count);
  throw std::logic_error(no_cuda);
}

}  // namespace cfdmark
