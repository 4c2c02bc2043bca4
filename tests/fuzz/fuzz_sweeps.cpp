// Fuzzes a sweep file, expanded over the small catalog of the sweep tests. Its rows get additional names, the
// ones used most in the shipped sweeps that seed the fuzzer.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

#include "bench/sweep/sweep.hpp"
#include "tests/bench/sweep/sweep_support.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace cfdmark;

namespace {

std::vector<Row> rows_by_more_names() {
  std::vector<Row> rows = small_catalog();
  for (const Row& row : small_catalog())
    for (const char* name :
         {"copy", "triad", "smoothing", "dot", "multigrid", "pcg", "simple", "projection"}) {
      rows.push_back(row);
      rows.back().name = name;
    }
  return rows;
}

// A file that exists only in memory.
class FileOf {
 public:
  explicit FileOf(const std::string& text) : fd_(memfd_create("sweep", 0)) {
    if (fd_ < 0 || write(fd_, text.data(), text.size()) != ssize_t(text.size())) std::abort();
  }
  ~FileOf() { close(fd_); }
  FileOf(const FileOf&) = delete;
  FileOf& operator=(const FileOf&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

 private:
  int fd_;
};

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Row> rows = rows_by_more_names();
  const FileOf file(text_of(data, size));
  SweepOptions options;
  options.host_memory = std::size_t(1) << 30;
  try {
    read_sweep(file.path(), options, rows);
  } catch (const SweepError&) {
  }
  return 0;
}
