#include "bench/measure/compile_ahead.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/mesh_problem.hpp"
#include "kernels/device/cpu/allowed_cpus.hpp"
#include "kernels/device/cuda/jit/nvrtc_cache.hpp"
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"
#include "tests/domains.hpp"

using namespace cfdmark;

namespace {

std::vector<DeviceCodeRequest> some_requests() {
  std::vector<DeviceCodeRequest> requests;
  for (const Row& row : catalog())
    if (row.kind == RowKind::kernel && row.name == "jacobi" && row.backend == BackendKind::cuda &&
        row.precision == Precision::fp32 && row.method == "column")
      for (const Config& config : row.space.corners()) {
        CudaOffline offline;
        row.prepare_code(offline, Grid{64, 64}, config, workload_of(row));
        for (const Launch& launch : offline.launches())
          requests.push_back({launch.function.source, {launch.function.expression}, "sm_90"});
      }
  return requests;
}

}  // namespace

TEST_CASE("the code compiled ahead is the code that preparing requests", "[cuda]") {
  for (const Row& row : catalog()) {
    if (row.kind != RowKind::kernel || !row.device_code || row.precision != Precision::fp64) continue;
    const Domain domain = domain_for(row, {209, 70}, {9, 7, 5});  // grids of several register tiles
    INFO(row_name(row));
    CudaOffline ahead, whole;
    Config workload = workload_of(row);
    if (row.unsupported && !row.unsupported(domain, workload).empty()) workload.set("operator", "arrays");
    row.prepare_code(ahead, domain, row.space.defaults(), workload);
    row.prepare(whole, domain, row.space.defaults(), workload);
    std::set<std::string> expressions, wanted;
    for (const Launch& launch : ahead.launches()) expressions.insert(launch.function.expression);
    for (const Launch& launch : whole.launches()) wanted.insert(launch.function.expression);
    CHECK(expressions == wanted);
  }
}

// In fp32 several tiles of red-black SOR on 1197x1197 may share a multiprocessor, which depends on the
// compiled code.
TEST_CASE("code for devices with more or less room is compiled ahead, too", "[cuda]") {
  class Room final : public CudaOffline {
   public:
    explicit Room(int asked_until_there_is) : left_(asked_until_there_is) {}
    int resident_blocks(const Launch& launch) override {
      asked.insert(launch.function.expression);
      return left_-- == 1 ? 1 << 16 : 1;
    }
    std::set<std::string> asked;

   private:
    int left_;
  };
  const std::vector<Row>& rows = catalog();
  const auto row = std::find_if(rows.begin(), rows.end(), [](const Row& r) {
    return row_name(r) == "red_black_sor/cuda/fp32/persistent";
  });
  REQUIRE(row != rows.end());
  const Case c{&*row, Grid{1197, 1197}, row->space.defaults(), workload_of(*row), ""};
  std::set<std::string> ahead, chosen;
  for (const Launch& launch : possible_launches(c)) ahead.insert(launch.function.expression);
  REQUIRE(ahead.size() > 1);
  for (std::size_t asked = 0; asked < ahead.size(); ++asked) {
    Room device(static_cast<int>(asked));
    row->prepare_code(device, c.domain, c.config, c.workload);
    for (const Launch& launch : device.launches()) chosen.insert(launch.function.expression);
    chosen.insert(device.asked.begin(), device.asked.end());
  }
  CHECK(chosen == ahead);
}

TEST_CASE("compiling ahead leaves the mesh that the cases share", "[cuda][meshes]") {
  const std::vector<Row>& rows = catalog();
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [](const Row& r) { return row_name(r) == "mesh_gradient/cuda/fp32/plain"; });
  REQUIRE(row != rows.end());
  const Case c{&*row, domain_from("tetrahedra-2x2x2"), row->space.defaults(), workload_of(*row), ""};
  const auto mesh = case_mesh(c.domain.mesh(), Numbering::stored);
  CHECK_FALSE(possible_launches(c).empty());
  CHECK(case_mesh(c.domain.mesh(), Numbering::stored) == mesh);
}

// In a separate process with OMP_PROC_BIND, since OpenMP binds the first thread at start-up.
TEST_CASE("code is compiled on all processors even if this thread is bound to some", "[.][bound]") {
  const auto processors_of = [](pid_t thread) {
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(thread, sizeof set, &set);
    return CPU_COUNT(&set);
  };
  const cpu_set_t unbound = allowed_cpus();
  const int all = CPU_COUNT(&unbound);
  if (all == 1) return;
  REQUIRE(processors_of(0) < all);  // otherwise this test shows nothing
  const TemporaryFolder folder;
  setenv("CFDMARK_CACHE_DIR", folder.path.c_str(), 1);
  const auto unbound_threads = [&] {  // a library may have started some before
    int count = 0;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task"))
      count += processors_of(std::stoi(thread.path().filename())) == all;
    return count;
  };
  const int before = unbound_threads();
  int most = 0;
  compile_into_cache(some_requests(), 60, [&] {
    for (int looks = 0; looks < 20 && most <= before; ++looks) {  // the others start on this processor
      usleep(2000);
      most = std::max(most, unbound_threads());
    }
  });
  unsetenv("CFDMARK_CACHE_DIR");
  CHECK(most > before);
}

TEST_CASE("code compiled on several threads is in the cache and equals that of one thread", "[cuda]") {
  const TemporaryFolder folder;
  setenv("CFDMARK_CACHE_DIR", folder.path.c_str(), 1);
  std::vector<DeviceCodeRequest> requests = some_requests();
  REQUIRE(requests.size() >= 4);
  DeviceCodeRequest broken = requests.front();
  broken.expressions = {"cfdmark::there_is_none<1>"};
  requests.insert(requests.begin(), broken);

  compile_into_cache(requests, 0);  // no time: nothing is started
  for (const DeviceCodeRequest& request : requests)
    CHECK_FALSE(DeviceCodeCache::of_user().find(request.key()));
  compile_into_cache(requests);
  const DeviceCodeCache cache = DeviceCodeCache::of_user();
  CHECK_FALSE(cache.find(broken.key()));
  for (std::size_t n = 1; n < requests.size(); ++n) {
    const auto code = cache.find(requests[n].key());
    REQUIRE(code);
    if (n < 4) CHECK(code->cubin == compile_device_code(requests[n]).cubin);
  }
  unsetenv("CFDMARK_CACHE_DIR");
}
