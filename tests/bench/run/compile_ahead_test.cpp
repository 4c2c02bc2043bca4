#include "bench/run/compile_ahead.hpp"

#include <cstdlib>
#include <set>

#include "bench/catalog/row_settings.hpp"
#include "kernels/backends/cuda_offline.hpp"
#include "kernels/backends/nvrtc_cache.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("what is compiled ahead is what preparing asks for", "[cuda]") {
  for (const Row& row : catalog()) {
    if (row.kind != RowKind::kernel || !row.device_code || row.precision != Precision::fp64) continue;
    const Grid grid = row.in_2d ? Grid{209, 70} : Grid{9, 7, 5};  // of several register tiles
    INFO(row_name(row));
    CudaOffline ahead, whole;
    row.prepare_code(ahead, grid, row.space.defaults(), question_of(row));
    row.prepare(whole, grid, row.space.defaults(), question_of(row));
    std::set<std::string> expressions, wanted;
    for (const Launch& launch : ahead.launches()) expressions.insert(launch.function.expression);
    for (const Launch& launch : whole.launches()) wanted.insert(launch.function.expression);
    CHECK(expressions == wanted);
  }
}

TEST_CASE("code that is compiled on several threads is in the cache, and is what one thread makes",
          "[cuda]") {
  const TemporaryFolder folder;
  setenv("CFDMARK_CACHE_DIR", folder.path.c_str(), 1);
  std::vector<DeviceCodeRequest> requests;
  for (const Row& row : catalog())
    if (row.kind == RowKind::kernel && row.name == "jacobi" && row.backend == BackendKind::cuda &&
        row.precision == Precision::fp32 && row.method == "column")
      for (const Config& config : row.space.corners()) {
        CudaOffline offline;
        row.prepare_code(offline, {64, 64}, config, question_of(row));
        for (const Launch& launch : offline.launches())
          requests.push_back({launch.function.source, {launch.function.expression}, "sm_90"});
      }
  REQUIRE(requests.size() >= 4);
  DeviceCodeRequest broken = requests.front();
  broken.expressions = {"cfdmark::there_is_none<1>"};
  requests.insert(requests.begin(), broken);

  compile_into_cache(requests, 0);  // no time: nothing is begun
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
