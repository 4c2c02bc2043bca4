// Features of a launch (shared memory, blocks that wait for each other, streams): emulated, compiled, and run
// on a device if there is one.
#include <numeric>

#include "kernels/device/cuda/jit/cuda_sources.hpp"
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "kernels/device/cuda/plan/stream_call.hpp"
#include "kernels/device/cuda/runtime/cuda.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/cuda_emulation/launches.hpp"
#include "tests/without_device.hpp"

namespace cfdmark {
std::vector<CudaSource> cuda_test_sources();  // generated; the text of launches.cu
}

using namespace cfdmark;

namespace {

[[maybe_unused]] const bool sources_are_known = (add_cuda_sources(cuda_test_sources()), true);

using Values = std::vector<double>;

Values counted(int n) {
  Values values(std::size_t(n), 0);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

Buffer on(Backend& device, const Values& values) {
  Buffer buffer(device, values.size() * sizeof(double));
  device.upload(buffer.data(), values.data(), values.size() * sizeof(double));
  return buffer;
}

Values values_of(Backend& device, const Buffer& buffer, std::size_t n) {
  Values values(n);
  device.download(values.data(), buffer.data(), n * sizeof(double));
  return values;
}

Buffer zeros(Backend& device, std::size_t bytes) {
  Buffer buffer(device, bytes);
  device.set_zero(buffer.data(), bytes);
  return buffer;
}

// 300 values distributed over blocks of 64 threads: block b has those with index / 64 equal to b modulo the
// number of blocks.
Values expected_shares(int blocks) {
  Values shares(std::size_t(blocks), 0);
  for (int i = 0; i < 300; ++i) shares[std::size_t(i / 64 % blocks)] += i + 1;
  for (double& share : shares) share /= 300. * 301 / 2;
  return shares;
}

void check_block_shares(CudaBackend& device, int blocks) {
  const Buffer values = on(device, counted(300)), shares = on(device, Values(std::size_t(blocks), -1)),
               arrived = zeros(device, sizeof(unsigned));
  const Step step = device.prepare(
      Plan{.run = {block_shares_launch(values, 300, shares, arrived, blocks)}, .memory = {arrived}});
  for (int run = 0; run < 3; ++run) {
    step.run();
    CHECK(values_of(device, shares, std::size_t(blocks)) == expected_shares(blocks));
  }
}

void check_transpose(CudaBackend& device) {
  constexpr int nx = 100, ny = 131;
  const Buffer in = on(device, counted(nx * ny)), out = on(device, Values(nx * ny, -1));
  const Step step = device.prepare(Plan{.run = {transpose_launch(in, out, nx, ny)}});
  step.run();
  const Values found = values_of(device, out, nx * ny);
  int wrong = 0;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) wrong += found[std::size_t(i * ny + j)] != j * nx + i + 1;
  CHECK(wrong == 0);
}

// b is overwritten on stream 0 and computed on stream 1; c is computed from it on stream 0.
struct TwoStreams {
  static constexpr int n = 1000;
  CudaBackend& device;
  Buffer a = on(device, counted(n)), b = on(device, Values(n, 0)), c = on(device, Values(n, 0));

  Plan plan(bool first_join, bool second_join) const {
    Plan plan{.run = {affine_launch(b, a, 0, -1, n, 0)}};
    if (first_join) plan.run.emplace_back(Join{0, 1});
    plan.run.emplace_back(affine_launch(b, a, 2, 1, n, 1));
    if (second_join) plan.run.emplace_back(Join{1, 0});
    plan.run.emplace_back(affine_launch(c, b, 2, 1, n, 0));
    return plan;
  }
  bool right() const {
    const Values found = values_of(device, c, n);
    for (int i = 0; i < n; ++i)
      if (found[std::size_t(i)] != 4 * (i + 1) + 3) return false;
    return true;
  }
  // Returns how many of four runs, two direct and two as a graph, gave the right result.
  int right_of_four(const Plan& plan) {
    const Step step = device.prepare(plan);
    int count = 0;
    for (int run = 0; run < 2; ++run) step.run(), count += right();
    const auto graph = device.recorded(step.run);
    for (int run = 0; run < 2; ++run) graph(), count += right();
    return count;
  }
};

CudaBackend& real_device() { return static_cast<CudaBackend&>(cuda_backend()); }

std::vector<std::size_t> order_of(const std::vector<Work>& work, int first) {
  return emulation::order_of(work, first);
}
Launch on_stream(int stream) { return affine_launch({}, {}, 1, 0, 1, stream); }

}  // namespace

TEST_CASE(
    "blocks of a cooperative launch see all earlier writes of the others after a grid barrier, emulated",
    "[cuda]") {
  EmulatedCuda device;
  for (int blocks : {1, 2, 5, 8}) check_block_shares(device, blocks);
}
TEST_CASE("blocks of a cooperative launch see all earlier writes of the others after a grid barrier",
          "[cuda][gpu]") {
  if (skipped_without_device()) return;
  const Buffer nothing;
  const int most = real_device().resident_blocks(block_shares_launch(nothing, 0, nothing, nothing, 1));
  for (int blocks : {1, 2, 5, most}) check_block_shares(real_device(), blocks);
}

TEST_CASE("a grid barrier in a launch that is not cooperative is refused on an emulated device", "[cuda]") {
  EmulatedCuda device;
  const Buffer values = on(device, counted(300)), shares = on(device, Values(2, -1)),
               arrived = zeros(device, sizeof(unsigned));
  Launch launch = block_shares_launch(values, 300, shares, arrived, 2);
  launch.cooperative = false;
  const Step step = device.prepare(Plan{.run = {launch}});
  CHECK_THROWS_WITH(step.run(), ContainsSubstring("not cooperative"));
  check_block_shares(device, 2);  // the device stays usable
}

TEST_CASE("a deadlock of blocks is detected on an emulated device", "[cuda]") {
  CHECK_THROWS_WITH(emulation::launch(
                        {3}, {4},
                        [] {
                          while (true) __nanosleep(1);
                        },
                        0, true),
                    ContainsSubstring("wait for each other for ever"));
  CHECK_THROWS_WITH(emulation::launch(
                        {3}, {4},
                        [] {
                          if (blockIdx.x == 1) throw std::runtime_error("block 1");
                          __nanosleep(1);
                        },
                        0, true),
                    ContainsSubstring("block 1"));
}

TEST_CASE("a cooperative launch of more blocks than are resident at once is an error that names both numbers",
          "[cuda]") {
  EmulatedCuda device;
  const Buffer nothing;
  const Launch launch = block_shares_launch(nothing, 0, nothing, nothing, 9);
  CHECK_THROWS_AS(device.prepare(Plan{.run = {launch}}), std::invalid_argument);
  CHECK_THROWS_WITH(device.prepare(Plan{.run = {launch}}), ContainsSubstring("block_shares<double, 64>") &&
                                                               ContainsSubstring("has 9 blocks") &&
                                                               ContainsSubstring("holds 8"));
  if (skipped_without_device()) return;
  const int most = real_device().resident_blocks(launch);
  const Launch too_many = block_shares_launch(nothing, 0, nothing, nothing, most + 1);
  CHECK_THROWS_WITH(real_device().prepare(Plan{.run = {too_many}}),
                    ContainsSubstring(std::to_string(most + 1) + " blocks") &&
                        ContainsSubstring("holds " + std::to_string(most)));
}

TEST_CASE("a block has the dynamic shared memory of its launch on an emulated device", "[cuda]") {
  EmulatedCuda device;
  check_transpose(device);
}
TEST_CASE("a block has more than 48 KiB of dynamic shared memory, which its step reports", "[cuda][gpu]") {
  if (skipped_without_device()) return;
  check_transpose(real_device());
  const Buffer in = on(real_device(), counted(4)), out = on(real_device(), counted(4));
  Launch small = transpose_launch(in, out, 2, 2);
  small.shared_bytes = 4096;
  const auto resources = [&](const Launch& launch) {
    return real_device().prepare(Plan{.run = {launch}}).resources.kernels.at(0);
  };
  const KernelResources much = resources(transpose_launch(in, out, 2, 2)), little = resources(small);
  CHECK(much.shared_bytes == transposed_bytes);
  CHECK(little.shared_bytes == 4096);
  CHECK(much.resident_blocks < little.resident_blocks);
  CHECK(much.occupancy < little.occupancy);
}

TEST_CASE("more shared memory than a block can have is an error that names both numbers", "[cuda]") {
  EmulatedCuda device;
  const Buffer nothing;
  Launch launch = transpose_launch(nothing, nothing, 1, 1);
  launch.shared_bytes = 300'000;
  const auto refused = [&](CudaBackend& by) {
    CHECK_THROWS_AS(by.prepare(Plan{.run = {launch}}), std::invalid_argument);
    CHECK_THROWS_WITH(by.prepare(Plan{.run = {launch}}),
                      ContainsSubstring("transpose<double, 96> needs 300000 bytes of shared memory"));
  };
  refused(device);
  if (!skipped_without_device()) refused(real_device());
}

TEST_CASE("a write beyond dynamic shared memory is detected on an emulated device", "[cuda]") {
  EmulatedCuda device;
  const Buffer in = on(device, counted(96 * 96)), out = on(device, Values(96 * 96, 0));
  Launch launch = transpose_launch(in, out, 96, 96);
  launch.shared_bytes -= 2 * int(sizeof(double));  // the last one holds no value
  const Step step = device.prepare(Plan{.run = {launch}});
  CHECK_THROWS_WITH(step.run(), ContainsSubstring("beyond its 74480 bytes of dynamic shared memory"));
}

TEST_CASE("joined streams give the right result in every order, directly and as a graph", "[cuda]") {
  EmulatedCuda device;
  TwoStreams two{device};
  CHECK(two.right_of_four(two.plan(true, true)) == 4);
  if (skipped_without_device()) return;
  TwoStreams real{real_device()};
  CHECK(real.right_of_four(real.plan(true, true)) == 4);
}

TEST_CASE("a missing join gives a wrong result on an emulated device", "[cuda]") {
  EmulatedCuda device;
  TwoStreams two{device};
  CHECK(two.right_of_four(two.plan(false, true)) < 4);
  CHECK(two.right_of_four(two.plan(true, false)) < 4);
}

TEST_CASE("a step ends after all its streams, and the next begins after it", "[cuda]") {
  const std::vector<Work> whole = between_joins({on_stream(2), on_stream(0), on_stream(1)});
  REQUIRE(whole.size() == 7);
  const auto join = [&](std::size_t n) {
    return std::pair(std::get<Join>(whole[n]).from, std::get<Join>(whole[n]).to);
  };
  CHECK(join(0) == std::pair(0, 1));
  CHECK(join(1) == std::pair(0, 2));
  CHECK(join(5) == std::pair(1, 0));
  CHECK(join(6) == std::pair(2, 0));
  CHECK(between_joins({on_stream(0), on_stream(0)}).size() == 2);
  CHECK_THROWS_WITH(between_joins({on_stream(-1)}), ContainsSubstring("stream -1"));
}

TEST_CASE("either of two launches without a join between them comes first in one of the orders", "[cuda]") {
  using Order = std::vector<std::size_t>;
  const std::vector<Work> free = {on_stream(1), on_stream(0), on_stream(1), on_stream(0)};
  CHECK(order_of(free, 0) == Order{1, 3, 0, 2});
  CHECK(order_of(free, 1) == Order{0, 2, 1, 3});
  const std::vector<Work> joined = {on_stream(1), on_stream(0), Join{1, 0}, on_stream(0), on_stream(1)};
  CHECK(order_of(joined, 0) == Order{1, 0, 2, 3, 4});
  CHECK(order_of(joined, 1) == Order{0, 4, 1, 2, 3});
}

namespace {

// Uploads 7 to b while a launch computes c from it.
int right_of_four_uploads(CudaBackend& device, bool joined) {
  constexpr int n = 100;
  const Values sevens(n, 7);
  const Buffer b = on(device, Values(n, 7)), c = on(device, Values(n, 0));
  Plan plan{.run = {Upload{b.data(), sevens.data(), n * sizeof(double), 1}}};
  if (joined) plan.run.emplace_back(Join{1, 0});
  plan.run.emplace_back(affine_launch(c, b, 2, 1, n, 0));
  const Step step = device.prepare(plan);
  int right = 0;
  for (int run = 0; run < 4; ++run) step.run(), right += values_of(device, c, n) == Values(n, 15);
  return right;
}

}  // namespace

TEST_CASE("an uploaded value is there after a join, and reads before it find NaN", "[cuda]") {
  EmulatedCuda device;
  CHECK(right_of_four_uploads(device, true) == 4);
  CHECK(right_of_four_uploads(device, false) < 4);
  CHECK_THROWS_WITH(between_joins({Upload{nullptr, nullptr, 0, -1}}), ContainsSubstring("stream -1"));
  if (!skipped_without_device()) CHECK(right_of_four_uploads(real_device(), true) == 4);
}

TEST_CASE("host code on a stream is in the order of that stream, and its launches count", "[cuda]") {
  const HostCall call{StreamCall{[](const CudaQueue&) {}, 1, 3}};
  CHECK(stream_of(call) == 1);
  CHECK(stream_of(HostCall{[](const CudaQueue&) {}}) == 0);
  CHECK(count_launches({on_stream(0), call}) == 4);
  CHECK(between_joins({call}).size() == 3);
  using Order = std::vector<std::size_t>;
  CHECK(order_of({on_stream(0), call}, 1) == Order{1, 0});
}

TEST_CASE("a plan is taken from a method without being prepared, unless it needs memory", "[cuda]") {
  EmulatedCuda device;
  const Plan taken = plan_of(device, [](Backend& on) {
    static_cast<CudaBackend&>(on).prepare({.run = {on_stream(0), on_stream(0)}});
  });
  CHECK(taken.run.size() == 2);
  CHECK_THROWS_WITH(plan_of(device, [](Backend& on) { Buffer(on, 8); }),
                    ContainsSubstring("a method with memory of its own"));
  CHECK_THROWS_WITH(plan_of(device, [](Backend&) {}), ContainsSubstring("nothing was prepared"));
}

TEST_CASE("library calls and launches count as launches, joins do not", "[cuda]") {
  CHECK(count_launches({on_stream(0), Join{0, 1}, HostCall{nullptr, true}, HostCall{nullptr, false}}) == 2);
}

TEST_CASE("device code of tests compiles with the library's headers and the shared memory of its launches",
          "[cuda]") {
  for (const std::string architecture : {"sm_80", "sm_90"}) {
    CudaOffline offline;
    for (const Launch& launch : one_of_each_launch()) offline.prepare(Plan{.run = {launch}});
    const std::vector<CompiledFunction> functions = offline.compile(architecture);
    REQUIRE(functions.size() == 3);
    for (const CompiledFunction& f : functions) {
      INFO(f.expression);
      CHECK(f.report.registers > 0);
      CHECK(f.report.spill_bytes == 0);
      CHECK(f.shared_bytes <= most_shared_bytes(architecture));
      if (f.expression.find("transpose") != std::string::npos) CHECK(f.shared_bytes == transposed_bytes);
      if (f.expression.find("block_shares") != std::string::npos) CHECK(f.shared_bytes >= 64 * 8);
    }
  }
  CHECK_THROWS_WITH(most_shared_bytes("sm_12"), ContainsSubstring("sm_12"));
}
