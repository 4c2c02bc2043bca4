// Fuzzes a file of tuned tables.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "bench/tuned/tuned_table.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace {

// A folder of this process, reused for one table after the other.
const std::string& folder() {
  static const std::string made =
      (std::filesystem::temp_directory_path() / ("cfdmark-fuzz-" + std::to_string(getpid()))).string();
  std::filesystem::create_directories(made);
  return made;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::ofstream(folder() + "/table.json") << cfdmark::text_of(data, size);
  cfdmark::tuning::read_tuned_tables(folder());
  return 0;
}
