// Fuzzes one line of a records file, and the upgrade of a record from an older schema.
#include "bench/record/record_check.hpp"
#include "bench/record/records.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace cfdmark;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const Json line = checked_line(text_of(data, size));
    if (line.at("type") == "record") record_from_earlier(line);
  } catch (const UnknownSchema&) {
  } catch (const BadLine&) {
  }
  return 0;
}
