// The values that a level of Menon's two reductions combines, worked by hand, and the number of levels.
#include <vector>

#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "kernels/device/field.hpp"
#include "kernels/reduction/reduction_methods.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_device.hpp"

#include "kernels/reduction/reduction_levels.cu"

using namespace cfdmark;

namespace {

// Reduces a dense rectangle by one level.
template <int quarter>
std::vector<double> next_level(const std::vector<double>& in, int width, int height) {
  std::vector<double> out(std::size_t((width + 1) / 2) * ((height + 1) / 2), -1);
  emulation::launch({1, 1, 1}, {4, 4}, [&] {
    reduction_next_level<SumOperation, double, quarter, 256>(in.data(), width, height, out.data());
  });
  return out;
}

// Returns the device functions that a reduction of a field launches, by name without arguments.
std::vector<std::string> launches(const std::string& method_name, const Grid& g, int rmin) {
  CudaOffline device;
  const Field x(device, g, Precision::fp32);
  const CellArgs<Sum> args{Precision::fp32, {}, {x.view()}};
  const auto methods = reduction_cuda<Sum>();
  const auto& method = find_method(methods, method_name);
  method.prepare(device, args, method.space.complete({{"rmin", rmin}}));
  std::vector<std::string> names;
  for (const Launch& l : device.launches())
    names.push_back(l.function.expression.substr(0, l.function.expression.find('<')));
  return names;
}

constexpr const char *first = "cfdmark::reduction_first_level", *next = "cfdmark::reduction_next_level";

}  // namespace

TEST_CASE("a local level combines blocks of two by two, a quarter level values half the rectangle apart",
          "[cuda]") {
  const std::vector<double> in = {1,    2,    4,     8,                                    // row 0
                                  16,   32,   64,    128,                                  //
                                  256,  512,  1024,  2048,                                 //
                                  4096, 8192, 16384, 32768};                               // row 3
  CHECK(next_level<0>(in, 4, 4) == std::vector<double>{1 + 2 + 16 + 32, 4 + 8 + 64 + 128,  //
                                                       256 + 512 + 4096 + 8192, 1024 + 2048 + 16384 + 32768});
  CHECK(next_level<1>(in, 4, 4) == std::vector<double>{1 + 4 + 256 + 1024, 2 + 8 + 512 + 2048,  //
                                                       16 + 64 + 4096 + 16384, 32 + 128 + 8192 + 32768});
}

TEST_CASE("a level of odd width or height skips values outside the rectangle", "[cuda]") {
  const std::vector<double> in = {1,  2,   4,   //
                                  8,  16,  32,  //
                                  64, 128, 256};
  CHECK(next_level<0>(in, 3, 3) == std::vector<double>{1 + 2 + 8 + 16, 4 + 32, 64 + 128, 256});
  CHECK(next_level<1>(in, 3, 3) == std::vector<double>{1 + 4 + 64 + 256, 2 + 128, 8 + 32, 16});
  CHECK(next_level<0>({1, 2, 4}, 3, 1) == std::vector<double>{3, 4});
  CHECK(next_level<1>({1, 2, 4}, 1, 3) == std::vector<double>{5, 2});
}

TEST_CASE(
    "the number of levels is Menon's in figure 4.5: with rmin 128 none to 13k values, one to 49k, two to "
    "197k",
    "[cuda]") {
  using Names = std::vector<std::string>;
  for (const char* method : {"local", "quarter"}) {
    CHECK(launches(method, {110, 110}, 128) == Names{});             // 12 100 < 0.75 128^2 = 12 288
    CHECK(launches(method, {112, 112}, 128) == Names{first});        // 12 544
    CHECK(launches(method, {220, 220}, 128) == Names{first});        // 48 400
    CHECK(launches(method, {224, 224}, 128) == Names{first, next});  // 50 176
    CHECK(launches(method, {440, 440}, 128) == Names{first, next});  // 193 600
    CHECK(launches(method, {448, 448}, 128) == Names{first, next, next});
    CHECK(launches(method, {112, 112}, 32) == Names{first, next, next});  // 56 x 56, 28 x 28 = 784, 14 x 14
  }
}

TEST_CASE("the declared cost of the levels reads and writes a third more values than the field has",
          "[cuda]") {
  const Grid g{4096, 4096};
  const CellArgs<Sum> args = args_without_values<Sum>(Precision::fp32, g, true);
  const auto methods = reduction_cuda<Sum>();
  const double field = double(g.cells()) * 4;
  for (const char* name : {"local", "quarter"}) {
    const auto& method = find_method(methods, name);
    CHECK(declared_cost(method, cell_cost<Sum>, args, {{"rmin", 32}}).bytes / field ==
          Approx(1 + 2. / 3).epsilon(1e-4));
    // One level only: a quarter is written and read.
    CHECK(declared_cost(method, cell_cost<Sum>, args, {{"rmin", 4096}}).bytes / field ==
          Approx(1 + 2. / 4).epsilon(1e-12));
  }
}

TEST_CASE("a dot product in two passes moves four values per cell where the fused one moves two", "[cuda]") {
  const Grid g{64, 64};
  const HostField x(g, Precision::fp64), y(g, Precision::fp64);
  const CellArgs<Dot> args{Precision::fp64, {}, {x.view(), y.view()}};
  for (BackendKind kind : all_backends) {
    const auto methods = CellKernel<Dot>::methods(kind);
    if (methods.empty()) continue;
    INFO(to_string(kind));
    const Cost two = declared_cost(find_method(methods, "two_pass"), cell_cost<Dot>, args, {});
    CHECK(two.bytes == 2 * cell_cost(args).bytes);
    CHECK(two.bytes == 4 * 8 * double(g.cells()));
  }
}
