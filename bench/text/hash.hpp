// A short fingerprint of a text (FNV-1a, 64 bits), not for security.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace cfdmark {

inline std::string fingerprint(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3ull;
  return fmt::format("{:016x}", hash);
}

}  // namespace cfdmark
