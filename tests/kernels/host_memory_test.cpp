// Where fields begin in the memory of a host.
#include "kernels/backends/host_memory.hpp"

#include <cstdint>
#include <set>
#include <vector>

#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("fields that are allocated one after the other begin at lines of a page that differ", "[memory]") {
  std::vector<void*> fields;
  std::set<std::uintptr_t> lines;
  for (int n = 0; n < 16; ++n) {
    fields.push_back(allocate_host(100'000));
    const auto address = reinterpret_cast<std::uintptr_t>(fields.back());
    CHECK(address % 64 == 0);
    lines.insert(address % 4096 / 64);
    static_cast<char*>(fields.back())[99'999] = 1;
  }
  CHECK(lines.size() == 16);
  for (void* field : fields) release_host(field);
  release_host(nullptr);
}
