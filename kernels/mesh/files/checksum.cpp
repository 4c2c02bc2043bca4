#include "kernels/mesh/files/checksum.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>

#include "kernels/mesh/files/file_bytes.hpp"

namespace cfdmark {

namespace {

// Invertible in both arguments. The shift carries high bits down, which the product alone never does.
constexpr std::uint64_t mix(std::uint64_t state, std::uint64_t word) {
  state = (state ^ word) * 0x9e3779b97f4a7c15ull;  // 2^64 divided by the golden ratio, made odd
  return state ^ (state >> 32);
}

}  // namespace

std::uint64_t checksum(std::string_view bytes) {
  std::array<std::uint64_t, 4> lanes{1, 2, 3, 4};  // independent, so that their products overlap in time
  std::array<std::uint64_t, 4> words;
  std::size_t at = 0;
  for (; at + sizeof words <= bytes.size(); at += sizeof words) {
    std::memcpy(words.data(), bytes.data() + at, sizeof words);
    for (std::size_t k = 0; k < 4; ++k) lanes[k] = mix(lanes[k], words[k]);
  }
  words = {};
  if (at < bytes.size()) std::memcpy(words.data(), bytes.data() + at, bytes.size() - at);
  for (std::size_t k = 0; k < 4; ++k) lanes[k] = mix(lanes[k], words[k]);
  std::uint64_t sum = mix(0, bytes.size());  // so zeros at the end differ from the padding
  for (const std::uint64_t lane : lanes) sum = mix(sum, lane);
  return sum;
}

std::string checksum_of_file(const std::string& path) {
  return fmt::format("{:016x}", checksum(FileBytes(path).view()));
}

}  // namespace cfdmark
