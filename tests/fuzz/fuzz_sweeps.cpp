// A sweep file, expanded over rows of each kind that a machine without a device has.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <set>

#include "bench/catalog/catalog.hpp"
#include "bench/sweep/sweep.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace cfdmark;

namespace {

std::vector<Row> some_rows() {
  const std::set<std::string> names = {"copy", "jacobi", "smoothing", "cg", "multigrid", "simple", "projection"};
  std::vector<Row> rows;
  for (const Row& row : catalog())
    if (names.count(row.name) && (row.backend == BackendKind::serial || row.backend == BackendKind::cuda))
      rows.push_back(row);
  return rows;
}

// A file that is nowhere but in memory.
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
  static const std::vector<Row> rows = some_rows();
  const FileOf file(text_of(data, size));
  SweepOptions options;
  options.host_memory = std::size_t(1) << 30;
  try {
    read_sweep(file.path(), options, rows);
  } catch (const SweepError&) {
  }
  return 0;
}
