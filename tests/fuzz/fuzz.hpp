// What libFuzzer calls with each input that it makes up. An input may be refused, by the exception that the
// reader names in its header and with words of ours; whatever else leaves a reader ends the program, and
// libFuzzer keeps the input.
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
