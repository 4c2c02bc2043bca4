// Placement of fields in host memory.
#include "kernels/device/cpu/host_memory.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "kernels/device/backend.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("consecutive fields begin at different cache lines of a page", "[memory]") {
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

TEST_CASE("Kokkos fields on a host begin five lines further into a page each, independent of the heap",
          "[memory][kokkos]") {
  const std::string reason = unavailable_reason(BackendKind::kokkos);
  if (!reason.empty() || !backend(BackendKind::kokkos).host_accessible()) {
    WARN("skipped: " << (reason.empty() ? "this Kokkos has its fields on a device" : reason));
    return;
  }
  std::vector<Buffer> fields;
  std::vector<std::vector<char>> others;
  std::vector<std::uintptr_t> lines;
  for (int n = 0; n < 16; ++n) {
    others.emplace_back(1000 + 7777 * n);  // changes the heap before each allocation
    fields.emplace_back(backend(BackendKind::kokkos), 100'000);
    const auto address = reinterpret_cast<std::uintptr_t>(fields.back().data());
    CHECK(address % 64 == 0);
    lines.push_back(address % 4096 / 64);
    static_cast<char*>(fields.back().data())[99'999] = 1;
  }
  for (std::size_t n = 1; n < lines.size(); ++n) CHECK((lines[n] + 63 - lines[n - 1]) % 63 == 5);
}
