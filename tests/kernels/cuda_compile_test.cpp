// Every CUDA method compiles for more than one architecture without a GPU.
#include <fmt/format.h>

#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "kernels/jacobi/jacobi_methods.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/cases.hpp"

using namespace cfdmark;

namespace {

constexpr int registers_of_a_multiprocessor = 65536;
constexpr int static_shared_bytes = 48 * 1024;  // limit for static shared memory
const std::vector<Grid> a_grid_of_each_dimension = {{37, 29}, {37, 29, 11}};

std::vector<Config> default_config(const TuningSpace& space) { return {space.defaults()}; }
std::vector<Config> corners(const TuningSpace& space) { return space.corners(); }

// Compiles the functions of all methods of all kernels, each once.
template <class Configs>
std::vector<CompiledFunction> compile_all(const Configs& configs_of, const std::string& architecture) {
  CudaOffline offline;
  for_each_cuda_case(
      a_grid_of_each_dimension, configs_of,
      [&](const auto& kernel, const auto& method, const ProblemShape& shape, const auto& host,
          const Config& config) { prepare_case(kernel, method, offline, shape, host, config); });
  return offline.compile(architecture);
}

void check_that_it_can_be_launched(const CompiledFunction& f, const std::string& architecture) {
  INFO(fmt::format("{}: {} registers, {} bytes shared", f.expression, f.report.registers, f.shared_bytes));
  CHECK(f.report.registers > 0);
  CHECK(f.report.registers * f.threads.x * f.threads.y * f.threads.z <= registers_of_a_multiprocessor);
  CHECK(f.report.shared_bytes <= static_shared_bytes);
  CHECK(f.shared_bytes <= most_shared_bytes(architecture));
}

void check_defaults(const std::string& architecture) {
  for (const CompiledFunction& f : compile_all(default_config, architecture)) {
    check_that_it_can_be_launched(f, architecture);
    INFO(f.expression);
    // Drag with distances, which runs once per residual check, spills up to 24 bytes on some architectures.
    const bool is_drag = f.expression.find("WallForce") != std::string::npos;
    CHECK(f.report.spill_bytes <= (is_drag ? 24 : 0));
  }
}

// Some layouts are for devices with more shared memory than this one, which refuses them.
void check_corners(const std::string& architecture) {
  for (const CompiledFunction& f : compile_all(corners, architecture))
    check_that_it_can_be_launched(f, "sm_90");
}

}  // namespace

TEST_CASE("strips that compute the residual norm compile and can be launched", "[cuda]") {
  CudaOffline offline;
  const auto add = [&](const auto& kernel, const auto& method, OperatorKind op) {
    for (const Precision p : {Precision::fp64, Precision::mixed}) {
      const ProblemShape shape{p, {37, 29}, op};
      const HostProblem problem = kernel.start(shape);
      double square = 0;
      method.prepare(offline, {kernel.bind(shape, views_of(problem), nullptr), &square},
                     method.space.defaults());
    }
  };
  const auto red_black = red_black_with_residual(BackendKind::cuda).at(0);
  add(CellKernel<RedBlackSor>::kernel(), red_black, OperatorKind::constant);
  add(CellKernel<RedBlackSor>::kernel(), red_black, OperatorKind::arrays);
  add(CellKernel<Jacobi>::kernel(), jacobi_with_residual(BackendKind::cuda).at(0), OperatorKind::constant);
  for (const CompiledFunction& f : offline.compile("sm_90")) check_that_it_can_be_launched(f, "sm_90");
}

TEST_CASE("every cuda method compiles at its default config for sm_80 and spills nothing", "[cuda]") {
  check_defaults("sm_80");
}
TEST_CASE("every cuda method compiles at its default config for sm_90 and spills nothing", "[cuda]") {
  check_defaults("sm_90");
}
TEST_CASE("every cuda method compiles at the corners of its space for sm_80", "[cuda]") {
  check_corners("sm_80");
}
TEST_CASE("every cuda method compiles at the corners of its space for sm_90", "[cuda]") {
  check_corners("sm_90");
}

TEST_CASE("a launch whose arguments do not match the function's parameters is refused before it runs",
          "[cuda]") {
  CudaOffline offline;
  const DeviceFunction function{"kernels/smoothing/smoothing.cu",
                                instance<float, double>("smoothing_planes", {32, 1, 8})};
  const View<float> out;
  const View<const float> u;
  offline.prepare(Plan{.run = {Launch{function, {}, {32}, Arguments(u, out, 0.5f)}}});
  REQUIRE_THROWS_WITH(offline.compile("sm_90"), ContainsSubstring("double") &&
                                                    ContainsSubstring("is launched with") &&
                                                    ContainsSubstring("float"));
}

TEST_CASE("a launch with more shared memory than a block of the device can have is refused", "[cuda]") {
  const int most = most_shared_bytes("sm_80");
  Launch launch{{"kernels/any.cu", "any_function"}, {}, {32}, Arguments()};
  launch.shared_bytes = most - 1000;
  CHECK_NOTHROW(check_shared_memory(launch, 1000, most));
  CHECK_THROWS_WITH(
      check_shared_memory(launch, 1001, most),
      ContainsSubstring("any_function needs 166913 bytes") && ContainsSubstring("the device has 166912"));
}

TEST_CASE("device code that does not compile reports the reason", "[cuda]") {
  const DeviceCodeRequest request{"generated/jacobi_cells.cu", {"cfdmark::jacobi_sideways<float>"}, "sm_90"};
  REQUIRE_THROWS_AS(compile_device_code(request), DeviceCodeError);
  REQUIRE_THROWS_WITH(compile_device_code(request), ContainsSubstring("generated/jacobi_cells.cu") &&
                                                        ContainsSubstring("jacobi_sideways") &&
                                                        ContainsSubstring("error:"));
}

TEST_CASE("a device newer than the compiler gets the newest architecture of its generation", "[cuda]") {
  CHECK(architecture_for(8, 0) == "sm_80");
  CHECK(architecture_for(9, 0) == "sm_90");
  CHECK(architecture_for(9, 9) == "sm_90");
  CHECK_THROWS_WITH(architecture_for(2, 0),
                    ContainsSubstring("sm_20") && ContainsSubstring("does not support"));
}
