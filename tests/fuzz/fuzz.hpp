// The entry point that libFuzzer calls with each generated input. A reader may reject an input by the
// exception that its header names. Any other exception ends the program, and libFuzzer keeps the input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace cfdmark {

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

}  // namespace cfdmark
