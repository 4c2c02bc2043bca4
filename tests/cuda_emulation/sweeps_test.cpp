// Several iterations per launch on an emulated device: compared with plain ones bit by bit, and two by hand.
#include <cmath>

#include "bench/catalog/kernel_workload.hpp"
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "kernels/device/cuda/primitives/register_tile_cuda.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/cuda_emulation/sweeps_cases.hpp"

using namespace cfdmark;

namespace {

// Verifies a method's iterations against as many plain ones.
template <class K>
Verification verified(Backend& device, const char* name, const SweepsCase& c) {
  const auto kernel = CellKernel<K>::kernel();
  const auto methods = kernel.methods(BackendKind::cuda);
  const auto& method = find_method(methods, name);
  const ProblemShape shape{c.precision, c.grid, c.op, method.steps_of(c.config)};
  const auto problem = std::make_shared<const KernelProblem>(problem_of(kernel, shape));
  const auto fields = std::make_shared<KernelFields>(device, c.precision, problem);
  return KernelWorkload<CellArgs<K>>(kernel, method, device, shape, c.config, fields).verify();
}

// Two points with 3 to the west and 5 to the east, 7 and 11 south, 13 and 17 north.
HostField two_points() {
  HostField start(Grid{2, 1}, Precision::fp64);
  start.set(-1, 0, 0, 3), start.set(2, 0, 0, 5);
  start.set(0, -1, 0, 7), start.set(1, -1, 0, 11), start.set(0, 1, 0, 13), start.set(1, 1, 0, 17);
  return start;
}
Config two_sweeps(const TuningSpace& space) {
  Config config = space.defaults();
  config.set("sweeps", 2);
  return config;
}

}  // namespace

TEST_CASE("several iterations per launch give the bits of plain ones for any grid and any number",
          "[cuda][sweeps]") {
  EmulatedCuda device;
  int cases = 0;
  for_each_method_of_sweeps([&](auto kernel, const char* name, const std::vector<SweepsCase>& all) {
    for (const SweepsCase& c : all) {
      if (c.grid.ny == 400) continue;  // refused
      INFO(CellKernel<decltype(kernel)>::kernel().name << " " << name << " " << to_string(c.precision) << " "
                                                       << grid_text(c.grid) << " " << c.config.text());
      const Verification v = verified<decltype(kernel)>(device, name, c);
      INFO(v.reason);
      CHECK(v.passed);
      ++cases;
    }
  });
  CHECK(cases > 100);
}

// Starting from 0 and 0:
//   (3 + 0 + 7 + 13) / 4 = 23/4 and (0 + 5 + 11 + 17) / 4 = 33/4, then
//   (3 + 33/4 + 7 + 13) / 4 = 125/16 and (23/4 + 5 + 11 + 17) / 4 = 155/16.
TEST_CASE("two Jacobi iterations of two points match the hand calculation", "[cuda][sweeps]") {
  EmulatedCuda device;
  Field u(device, {2, 1}, Precision::fp64), out(device, {2, 1}, Precision::fp64);
  u.upload(two_points());
  const auto methods = CellKernel<JacobiLaplace>::methods(BackendKind::cuda);
  for (const char* name : {"pipelined", "persistent"}) {
    INFO(name);
    out.upload(two_points());
    const auto& method = find_method(methods, name);
    method.prepare(device, {.fields = {Operator{}, u.view(), out.view()}}, two_sweeps(method.space)).run();
    CHECK(out.download().get(0, 0, 0) == 125 / 16.);
    CHECK(out.download().get(1, 0, 0) == 155 / 16.);
  }
}

// With omega = 1 and the first point red: 23/4, then (23/4 + 5 + 11 + 17) / 4 = 155/16; then
//   (3 + 155/16 + 7 + 13) / 4 = 523/64 and (523/64 + 5 + 11 + 17) / 4 = 2635/256.
TEST_CASE("two red-black iterations of two points match the hand calculation", "[cuda][sweeps]") {
  EmulatedCuda device;
  Field u(device, {2, 1}, Precision::fp64), b(device, {2, 1}, Precision::fp64);
  b.upload(HostField(Grid{2, 1}, Precision::fp64));
  const auto methods = CellKernel<RedBlackSor>::methods(BackendKind::cuda);
  const auto& method = find_method(methods, "persistent");
  u.upload(two_points());
  method
      .prepare(device, {.kernel = {.omega = 1}, .fields = {Operator{}, u.view(), b.view()}},
               two_sweeps(method.space))
      .run();
  CHECK(u.download().get(0, 0, 0) == 523 / 64.);
  CHECK(u.download().get(1, 0, 0) == 2635 / 256.);

  const auto without_b = CellKernel<RedBlackLaplace>::methods(BackendKind::cuda);
  for (const char* name : {"pipelined", "staged", "tiled", "persistent", "repeated"}) {
    INFO(name);
    const auto& of_laplace = find_method(without_b, name);
    u.upload(two_points());
    of_laplace
        .prepare(device, {.kernel = {{.omega = 1}}, .fields = {Operator{}, u.view()}},
                 two_sweeps(of_laplace.space))
        .run();
    CHECK(u.download().get(0, 0, 0) == 523 / 64.);
    CHECK(u.download().get(1, 0, 0) == 2635 / 256.);
  }
}

TEST_CASE("strips give the residual's square, and the bits of the iterations alone", "[cuda][sweeps]") {
  EmulatedCuda device;
  const auto plain = CellKernel<ResidualSquare>::methods(BackendKind::cuda).front();
  int cases = 0;
  for_each_residual_case(
      [&]<class K>(const K&, const auto& with_residual, const ProblemShape& shape, const Config& config) {
        const auto kernel = CellKernel<K>::kernel();
        INFO(kernel.name << " " << to_string(shape.precision) << " " << int(shape.op) << " "
                         << grid_text(shape.grid) << " " << config.text());
        const auto sweeps = kernel.methods(BackendKind::cuda);
        const HostProblem problem = kernel.start(shape);
        std::vector<Field> fields;
        std::vector<AnyView> views;
        for (std::size_t n = 0; n < problem.fields.size(); ++n) {
          fields.emplace_back(device, shape.grid, shape.precision);
          views.push_back(fields.back().view());
        }
        const auto args = kernel.bind(shape, views, nullptr);
        std::size_t left = 0;  // the written field, which has the ghosts of u
        for (std::size_t n = 0; n < fields.size(); ++n)
          if (problem.fields[n].is_written) left = n;
        const auto load = [&] {
          for (std::size_t n = 0; n < fields.size(); ++n)
            fields[n].upload(problem.fields[n == left ? 0 : n].initial);
        };
        load();
        find_method(sweeps, "pipelined").prepare(device, args, config).run();
        const HostField alone = fields[left].download();
        DeviceScalar expected(device), square(device);
        plain
            .prepare(device,
                     {.precision = shape.precision,
                      .fields = {.a = args.fields.a, .u = fields[left].view(), .b = args.fields.b},
                      .result = expected.data()},
                     plain.space.defaults())
            .run();

        double error = 0, first = 0;
        for (int n = 0; n < 2; ++n) {
          load();
          with_residual.prepare(device, {args, square.data()}, config).run();
          CHECK(first_difference(fields[left].download(), alone, error) == "");
          if (n == 0) first = square.get();
        }
        CHECK(square.get() == first);  // the same order in every run
        // A single cell has no residual except rounding.
        if (shape.grid.cells() > 1)
          CHECK(first == Approx(expected.get()).epsilon(shape.precision == Precision::fp32 ? 1e-5 : 1e-12));
        ++cases;
      });
  CHECK(cases == 41);
}

// 23/16 and 33/16 after two Jacobi iterations, 155/256 and 0 after two red-black ones: derived in
// tests/kernels/sweeps_and_residual_test.cpp.
TEST_CASE("the residual's square after two iterations of two points matches the hand calculation, emulated",
          "[cuda][sweeps]") {
  EmulatedCuda device;
  Field u(device, {2, 1}, Precision::fp64), b(device, {2, 1}, Precision::fp64),
      out(device, {2, 1}, Precision::fp64);
  u.upload(two_points()), out.upload(two_points()), b.upload(HostField(Grid{2, 1}, Precision::fp64));
  const DeviceScalar square(device);
  const auto jacobi = jacobi_with_residual(BackendKind::cuda).at(0);
  const CellArgs<Jacobi> jacobi_sweeps{.fields = {Operator{}, u.view(), b.view(), out.view()}};
  jacobi.prepare(device, {jacobi_sweeps, square.data()}, two_sweeps(jacobi.space)).run();
  CHECK(square.get() == (23 * 23 + 33 * 33) / 256.);
  const auto red_black = red_black_with_residual(BackendKind::cuda).at(0);
  const CellArgs<RedBlackSor> sweeps{.kernel = {.omega = 1}, .fields = {Operator{}, u.view(), b.view()}};
  red_black.prepare(device, {sweeps, square.data()}, two_sweeps(red_black.space)).run();
  CHECK(square.get() == 155 * 155 / 65536.);
}

namespace {

// Runs `repeated` three times, each from the result of the previous run.
template <class K>
HostField after_three_runs(EmulatedCuda& device, const HostProblem& problem, const ProblemShape& shape,
                           const char* launch_mode, int& graphs) {
  const auto kernel = CellKernel<K>::kernel();
  const auto methods = kernel.methods(BackendKind::cuda);
  const auto& method = find_method(methods, "repeated");
  std::vector<Field> fields;
  std::vector<AnyView> views;
  for (const auto& field : problem.fields) {
    fields.emplace_back(device, shape.grid, shape.precision).upload(field.initial);
    views.push_back(fields.back().view());
  }
  const int before = device.graphs_run();
  Config config = method.space.defaults();
  config.set("sweeps", 3), config.set("launch_mode", launch_mode);
  const Step step = method.prepare(device, kernel.bind(shape, views, nullptr), config);
  if (step.load) step.load();
  for (int n = 0; n < 3; ++n) step.run();
  graphs = device.graphs_run() - before;
  return fields[std::is_same_v<K, RedBlackSor> ? 0 : fields.size() - 1].download();
}

}  // namespace

TEST_CASE("iterations launched as one graph use it from the second run on and give the same bits",
          "[cuda][sweeps]") {
  EmulatedCuda device;
  const auto check = [&]<class K>(const K&, const Grid& g) {
    const ProblemShape shape{Precision::fp64, g, OperatorKind::constant, 3};
    const HostProblem problem = CellKernel<K>::kernel().start(shape);
    int one_by_one = -1, recorded = -1;
    double error = 0;
    CHECK(first_difference(after_three_runs<K>(device, problem, shape, "stream", one_by_one),
                           after_three_runs<K>(device, problem, shape, "graph", recorded), error) == "");
    CHECK(one_by_one == 0);
    CHECK(recorded == 2);
  };
  for (const Grid& g : {Grid{37, 21}, Grid{7, 6, 5}}) check(RedBlackSor{}, g), check(Jacobi{}, g);
}

TEST_CASE("a grid of more tiles than are resident at once is refused with both numbers", "[cuda][sweeps]") {
  EmulatedCuda device;
  const auto methods = CellKernel<RedBlackSor>::methods(BackendKind::cuda);
  const SweepsCase c = persistent_cases(find_method(methods, "persistent").space).back();
  CHECK_THROWS_WITH(verified<RedBlackSor>(device, "persistent", c),
                    ContainsSubstring("has 136 blocks") && ContainsSubstring("holds 8"));
}

TEST_CASE("fit chooses the tile with the shortest estimated iteration, by its cells and exchanges",
          "[sweeps]") {
  const TileScheme scheme{.steps = 1, .values = 2, .fp32 = {1e6, 1}, .fp64 = {1, 1e6}};
  const auto fitting = [&](Precision p, const Grid& g, bool holds_more = true, const Config& given = {}) {
    return tile_that_fits(register_tile_space(scheme).complete(given), scheme, g, p, 0,
                          [&](const DeepTile&) { return holds_more; });
  };
  const auto numbers = [](const DeepTile& t) {
    return std::vector{t.shape.cells, t.shape.rows, t.shape.warps, t.depth};
  };
  // 12 tiles, one per multiprocessor: fewer cells and rarer exchanges are better.
  CHECK(numbers(fitting(Precision::fp64, {100, 100})) == std::vector{2, 4, 8, 8});
  CHECK(numbers(fitting(Precision::fp32, {100, 100})) == std::vector{2, 4, 8, 8});
  // Values that are set stay.
  CHECK(numbers(fitting(Precision::fp64, {100, 100}, true, {{"cells", 4}, {"depth", 2}})) ==
        std::vector{4, 4, 8, 2});
  CHECK(numbers(fitting(Precision::fp64, {100, 100}, true,
                        {{"cells", 8}, {"rows", 2}, {"warps", 10}, {"depth", 1}})) ==
        std::vector{8, 2, 10, 1});
  // Lanes of 8 cells: 247 tiles of 12 warps, two per multiprocessor, take 192 + 2700 / 8 in addition to their
  // lanes' time; 121 tiles of 16 warps that exchange twice as often take 128 + 2700 / 4.
  CHECK(numbers(fitting(Precision::fp32, {600, 600})) == std::vector{2, 4, 12, 8});
  CHECK(numbers(fitting(Precision::fp32, {600, 600}, false)) == std::vector{2, 4, 16, 4});
  // A grid that does not fit gets the fewest tiles.
  CHECK(numbers(fitting(Precision::fp32, {9000, 9000}, false)) == std::vector{4, 8, 12, 1});
}

// 600x600 in lanes of 2x4 cells and 12 warps: 247 tiles, two per multiprocessor, so 24 warps. A lane holds 16
// values, which are 16 registers in fp32 and 32 in fp64, and 40 more.
TEST_CASE("residency of tiles is queried only if the registers can suffice", "[sweeps]") {
  const auto asked = [](int values, Precision p) {
    const TileScheme scheme{.steps = 1, .values = values, .fp32 = {1, 1}, .fp64 = {1, 1}};
    int count = 0;
    tile_that_fits(register_tile_space(scheme).complete({{"cells", 2}, {"rows", 4}, {"depth", 8}}), scheme,
                   {600, 600}, p, 0, [&](const DeepTile& tile) {
                     count += tile.shape.warps == 12;
                     return false;
                   });
    return count;
  };
  CHECK(asked(2, Precision::fp32) == 1);  // 24 x 56 is below 2048
  CHECK(asked(2, Precision::fp64) == 1);  // 24 x 72
  CHECK(asked(3, Precision::fp64) == 0);  // 24 x 88
}

TEST_CASE("every tile that fit can choose compiles for sm_90", "[cuda]") {
  const auto methods = CellKernel<Jacobi>::methods(BackendKind::cuda);
  const auto& method = find_method(methods, "persistent");
  const auto kernel = CellKernel<Jacobi>::kernel();
  const ProblemShape shape{Precision::fp64, {37, 29}, OperatorKind::constant, 1};
  const HostProblem problem = kernel.start(shape);
  CudaOffline offline;
  int tiles = 0;
  for (const int cells : {2, 4, 8})
    for (const int rows : {4, 8})
      for (const int warps : {8, 12, 16}) try {
          const Config config = method.space.complete({{"cells", cells}, {"rows", rows}, {"warps", warps}});
          method.prepare(offline, kernel.bind(shape, views_of(problem), nullptr), config);
          ++tiles;
        } catch (const std::invalid_argument&) {
        }
  CHECK(tiles == 13);
  for (const CompiledFunction& f : offline.compile("sm_90")) {
    INFO(f.expression);
    CHECK(f.report.registers * 32 * f.threads.y <= 65536);
  }
}

TEST_CASE("methods of several iterations give a reason for each unsupported case", "[sweeps]") {
  for_each_method_of_sweeps([&](auto kernel, const char* name, const std::vector<SweepsCase>&) {
    using K = decltype(kernel);
    const auto methods = CellKernel<K>::methods(BackendKind::cuda);
    const auto& method = find_method(methods, name);
    const auto why = [&](const Grid& g, bool constant) {
      return method.why_unsupported(args_without_values<K>(Precision::fp64, g, constant));
    };
    const bool of_constants =
        !(std::string_view(name) == "persistent_arrays" || std::string_view(name) == "wavefront");
    CHECK(why({8, 8}, of_constants) == "");
    CHECK_THAT(why({8, 8, 8}, of_constants), ContainsSubstring("2-D"));
    CHECK_THAT(why({8, 8}, !of_constants), ContainsSubstring("coefficients"));
  });
  const auto methods = CellKernel<Jacobi>::methods(BackendKind::cuda);
  const TuningSpace &strips = find_method(methods, "pipelined").space,
                    &tiles = find_method(methods, "persistent").space;
  const auto refuses = [](const TuningSpace& space, const Config& config, const char* reason) {
    CHECK_THROWS_WITH(space.complete(config), ContainsSubstring(reason));
  };
  refuses(strips, {{"sweeps_a_warp", 4}, {"packs", 6}, {"warps", 2}, {"min_blocks_per_sm", 1}}, "registers");
  refuses(strips, {{"packs", 6}, {"min_blocks_per_sm", 3}}, "shared memory");
  refuses(strips, {{"warps", 32}, {"packs", 2}}, "strips overlap");
  refuses(tiles, {{"cells", 8}, {"rows", 8}}, "registers");
  refuses(tiles, {{"cells", 2}, {"rows", 4}, {"warps", 8}, {"depth", 16}}, "no cells of their own");
}

TEST_CASE("the iterations of a launch move u, b and the written field once", "[sweeps]") {
  const auto bytes_a_cell = [](auto kernel, const char* name, const Config& config) {
    using K = decltype(kernel);
    const auto methods = CellKernel<K>::methods(BackendKind::cuda);
    const auto& method = find_method(methods, name);
    const Grid g{64, 32};
    const auto args = args_without_values<K>(Precision::fp64, g, true);
    return declared_cost(method, cell_cost<K>, args, method.space.complete(config)).bytes / double(g.cells());
  };
  CHECK(bytes_a_cell(Jacobi{}, "pipelined", {{"sweeps", 24}}) == 2 * 3 * 8 / 24.0);  // 12 per launch
  CHECK(bytes_a_cell(JacobiLaplace{}, "pipelined", {{"sweeps", 24}}) == 2 * 2 * 8 / 24.0);
  CHECK(bytes_a_cell(JacobiLaplace{}, "pipelined", {{"sweeps", 32}, {"warps", 2}}) == 8 * 2 * 8 / 32.0);
  CHECK(bytes_a_cell(Jacobi{}, "persistent", {{"sweeps", 32}}) == 3 * 8 / 32.0);
  CHECK(bytes_a_cell(RedBlackSor{}, "persistent", {{"sweeps", 32}}) == 3 * 8 / 32.0);
  CHECK(bytes_a_cell(RedBlackLaplace{}, "persistent", {{"sweeps", 32}}) == 2 * 8 / 32.0);
  CHECK(bytes_a_cell(RedBlackLaplace{}, "pipelined", {{"sweeps", 16}}) == 4 * 2 * 8 / 16.0);
  CHECK(bytes_a_cell(RedBlackLaplace{}, "staged", {{"sweeps", 12}}) == 2 * 2 * 8 / 12.0);  // 6 per launch
  CHECK(bytes_a_cell(RedBlackSor{}, "staged", {{"sweeps", 24}}) == 4 * 3 * 8 / 24.0);  // back and forth twice
  CHECK(bytes_a_cell(RedBlackLaplace{}, "streamed", {}) == 2 * 8);
}

TEST_CASE("a cell whose diagonal has no finite reciprocal is divided, not multiplied", "[cuda][sweeps]") {
  EmulatedCuda device;
  const Grid g{37, 29};
  const auto kernel = CellKernel<RedBlackSor>::kernel();
  const auto methods = kernel.methods(BackendKind::cuda);
  // The field after an iteration with one subnormal diagonal, by which the quotient overflows.
  const auto left_by = [&](const char* name, Precision precision) {
    const ProblemShape shape{precision, g, OperatorKind::arrays, 1};
    const HostProblem problem = kernel.start(shape);
    std::vector<Field> fields;
    std::vector<AnyView> views;
    while (fields.size() < problem.fields.size()) {
      fields.emplace_back(device, g, precision);
      views.push_back(fields.back().view());
    }
    const auto args = kernel.bind(shape, views, nullptr);
    for (std::size_t n = 0; n < fields.size(); ++n) {
      HostField start = problem.fields[n].initial;
      if (views[n].origin == args.fields.a.centre_a.origin)
        start.set(20, 11, 0, precision == Precision::fp32 ? 0x1p-135 : 0x1p-1035);
      fields[n].upload(start);
    }
    const auto& method = find_method(methods, name);
    Config config = method.space.defaults();
    if (std::string_view(name) != "plain") config.set("sweeps", 1);
    method.prepare(device, args, config).run();
    for (std::size_t n = 0; n < fields.size(); ++n)
      if (problem.fields[n].is_written) return fields[n].download();
    return HostField();
  };
  for (const Precision precision : {Precision::fp64, Precision::fp32}) {
    const HostField plain = left_by("plain", precision);
    CHECK(std::isinf(plain.get(20, 11)));
    for (const char* name : {"persistent_arrays", "wavefront"}) {
      INFO(name << " " << to_string(precision));
      double error = 0;
      CHECK(first_difference(left_by(name, precision), plain, error) == "");
    }
  }
}
