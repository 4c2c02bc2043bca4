#include "kernels/device/shared_library.hpp"

#include <fstream>
#include <iterator>

#include "kernels/device/cuda/jit/nvrtc.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

std::string opened_files() {
  std::ifstream maps("/proc/self/maps");
  return {std::istreambuf_iterator<char>(maps), {}};
}

}  // namespace

TEST_CASE("CUDA's large libraries are opened on first use", "[shared_library]") {
  for (const char* large : {"libnvrtc", "libcublas", "libcusparse", "libcufft", "libnvJitLink", "libnccl"})
    CHECK_THAT(opened_files(), !ContainsSubstring(large));
  CHECK(architecture_for(9, 0) == "sm_90");
  CHECK_THAT(opened_files(), ContainsSubstring("libnvrtc") && !ContainsSubstring("libcublas"));
}

TEST_CASE("a library is the first file that exists, with the functions it has", "[shared_library]") {
  const SharedLibrary library({"no_such_library.so", CFDMARK_FAKE_NVML});
  CHECK(library.find<int()>("nvmlInit_v2") != nullptr);
  CHECK(library.find<int()>("no_such_function") == nullptr);
  CHECK_THROWS_WITH(library.function<int()>("no_such_function"),
                    ContainsSubstring(CFDMARK_FAKE_NVML " has no function no_such_function"));
  CHECK_THROWS_WITH(SharedLibrary({"no_such.so", "nor_this.so"}),
                    ContainsSubstring("no_such.so") && ContainsSubstring("nor_this.so"));
  CHECK_THROWS_AS(open_cuda_library("libno.so.1"), LibraryMissing);
}

TEST_CASE("a library with another version than at build time is refused", "[shared_library]") {
  CHECK_NOTHROW(check_version("libcufft.so.12", "12.0.0", "12.0.0"));
  CHECK_THROWS_WITH(check_version("libcufft.so.12", "12.0.0", "12.1.0"),
                    ContainsSubstring("libcufft.so.12 is version 12.1.0") && ContainsSubstring("rebuild it"));
}
