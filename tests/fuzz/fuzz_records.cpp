// Fuzzes one line of a records file.
#include "bench/record/record_check.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace cfdmark;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    checked_line(text_of(data, size));
  } catch (const UnknownSchema&) {
  } catch (const BadLine&) {
  }
  return 0;
}
