// Every CUDA method against its host problem on an emulated device, for machines without a GPU.
#include <set>

#include "kernels/red_black_sor/red_black_methods.hpp"
#include "kernels/residual/residual.hpp"
#include "solvers/problems/problem.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/cases.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/cuda_emulation/leg_cases.hpp"
#include "tests/kernels/boxes.hpp"

using namespace cfdmark;

TEST_CASE("every cuda method computes its kernel on an emulated device", "[cuda]") {
  EmulatedCuda device;
  int cases = 0;
  for_each_cuda_case(emulated_grids, emulated_configs,
                     [&](const auto& kernel, const auto& method, const ProblemShape& shape, const auto& host,
                         const Config& config) {
                       const auto workload = prepare_case(kernel, method, device, shape, host, config);
                       if (!workload) return;
                       INFO(kernel.name << " " << method.name << " " << to_string(shape.precision) << " "
                                        << int(shape.op) << " " << grid_text(shape.grid) << " "
                                        << config.text());
                       const Verification v = workload->verify();
                       INFO(v.reason);
                       CHECK(v.passed);
                       ++cases;
                     });
  CHECK(cases > 100);
}

TEST_CASE("on a box of larger fields every cuda method changes the box and nothing around it, emulated",
          "[cuda]") {
  EmulatedCuda device;
  CHECK(check_boxes(device, Libraries::no, CellKernels{}) > 100);
}

TEST_CASE("a step that runs twice on an emulated device performs two iterations", "[cuda]") {
  EmulatedCuda device;
  const Grid g{21, 14};
  const auto kernel = CellKernel<RedBlackSor>::kernel();
  const HostProblem problem = kernel.start({Precision::fp64, g});
  auto after_two_steps = [&](const Method<CellArgs<RedBlackSor>>& method) {
    Field u(device, g, Precision::fp64), b(device, g, Precision::fp64);
    u.upload(problem.fields[0].initial);
    b.upload(problem.fields[1].initial);
    const Step step = method.prepare(device, kernel.bind({Precision::fp64, g}, {u.view(), b.view()}, nullptr),
                                     one_step(method));
    if (step.load) step.load();
    step.run();
    step.run();
    if (step.store) step.store();
    return u.download();
  };
  const auto methods = kernel.methods(BackendKind::cuda);
  const HostField expected = after_two_steps(find_method(methods, "plain"));
  const HostField any(g, Precision::fp64);
  for (const auto& method : methods) {
    if (!method.why_unsupported(kernel.bind({Precision::fp64, g}, {any.view(), any.view()}, nullptr)).empty())
      continue;  // a 3-D method
    INFO(method.name);
    double error = 0;
    CHECK(first_difference(after_two_steps(method), expected, error) == "");
  }
}

TEST_CASE("iterations are distributed over launches, also on a box that begins with a black cell", "[cuda]") {
  EmulatedCuda device;
  const auto kernel = CellKernel<RedBlackSor>::kernel();
  const auto methods = kernel.methods(BackendKind::cuda);
  const auto& plain = find_method(methods, "plain");
  std::set<std::string> done;
  for (const Grid& whole : grids_of_shared_sweeps) {
    const HostProblem problem = kernel.start({Precision::fp64, whole});
    Field u(device, whole, Precision::fp64), b(device, whole, Precision::fp64);
    b.upload(problem.fields[1].initial);
    const auto left_by = [&](const auto& method, const auto& args, const Config& config, int times) {
      u.upload(problem.fields[0].initial);
      const Step step = method.prepare(device, args, config);
      for (int n = 0; n < times; ++n) step.run();
      return u.download();
    };
    for_each_sharing_of_sweeps(
        u.view(), b.view(), [&](const auto& method, const auto& args, const Config& config) {
          INFO(method.name << " " << grid_text(whole) << " " << method.steps_of(config));
          double error = 0;
          CHECK(first_difference(left_by(method, args, config, 1),
                                 left_by(plain, args, plain.space.defaults(), method.steps_of(config)),
                                 error) == "");
          done.insert(method.name);
        });
  }
  CHECK(done == std::set<std::string>{"persistent", "pipelined", "planes", "repeated", "staged", "tiled"});
}

TEST_CASE("half a multigrid level in one pass gives the results of its separate parts on both grids",
          "[cuda]") {
  EmulatedCuda device;
  const auto kernel = CellKernel<RedBlackSor>::kernel();
  const auto sweeps_methods = kernel.methods(BackendKind::cuda);
  const auto& plain = find_method(sweeps_methods, "plain");
  const auto pass = red_black_passes(BackendKind::cuda).at(0);
  const auto residual = CellKernel<Residual>::methods(BackendKind::cuda).front();
  const auto transfers = grid_transfer_methods(BackendKind::cuda);
  for_each_leg_case([&](Precision p, const Grid& g, const auto& to_boundary, const Config& config) {
    const HostProblem problem = kernel.start({p, g});
    for (const int parity : {0, 1}) {
      INFO(to_string(p) << " " << grid_text(g) << " " << config.text() << ", colour " << parity
                        << ", last column at " << to_boundary[0]);
      const Grid coarse_g = coarse_grid(g, in_both_directions);
      Field u(device, g, p), b(device, g, p), to(device, g, p);
      Field coarse(device, coarse_g, p), coarse_by_leg(device, coarse_g, p), r(device, g, p);
      u.upload(problem.fields[0].initial), b.upload(problem.fields[1].initial);
      auto sweep = kernel.bind({p, g}, {u.view(), b.view()}, nullptr);
      sweep.fields.u.grid.parity = parity;
      std::copy(to_boundary.begin(), to_boundary.end(), sweep.fields.a.to_boundary);
      const Step one = plain.prepare(device, sweep, plain.space.defaults());
      GridTransferArgs args;
      args.precision = p, args.fine_grid = g, args.by = in_both_directions, args.a = sweep.fields.a;
      args.coarse = coarse.view();
      const auto transfer = [&](TransferPass which, const Field& fine) {
        args.pass = which, args.fine = fine.view();
        transfers.front().prepare(device, args, transfers.front().space.defaults()).run();
      };
      double error = 0;

      pass.prepare(device,
                   {.sweep = sweep, .to = to.view(), .leg = CycleLeg::down, .coarse = coarse_by_leg.view()},
                   config)
          .run();
      one.run(), one.run();
      residual
          .prepare(device,
                   {.precision = p,
                    .fields = {.a = sweep.fields.a, .u = u.view(), .b = b.view(), .out = r.view()}},
                   residual.space.defaults())
          .run();
      transfer(TransferPass::restriction, r);
      CHECK(first_difference(to.download(), u.download(), error) == "");
      for (int i = -1; i <= g.nx; ++i) CHECK(to.download().get(i, g.ny, 0) == u.download().get(i, g.ny, 0));
      CHECK(first_difference(coarse_by_leg.download(), coarse.download(), error) == "");

      HostField correction(coarse_g, p);
      for_each_cell(coarse_g, false,
                    [&](int i, int j, int k) { correction.set(i, j, k, noise(i, j, k, 3)); });
      coarse.upload(correction);
      pass.prepare(device, {.sweep = sweep, .to = to.view(), .leg = CycleLeg::up, .coarse = coarse.view()},
                   config)
          .run();
      transfer(TransferPass::prolongation, u);
      one.run(), one.run();
      CHECK(first_difference(to.download(), u.download(), error) == "");
    }
  });
}

TEST_CASE("a pass of several iterations gives the same field as plain iterations, ghosts included",
          "[cuda]") {
  EmulatedCuda device;
  const Grid g{75, 38};
  const auto kernel = CellKernel<RedBlackSor>::kernel();
  const auto methods = kernel.methods(BackendKind::cuda);
  const auto& plain = find_method(methods, "plain");
  const auto passes = red_black_passes(BackendKind::cuda);
  const auto& pass = passes.at(0);
  const HostProblem problem = kernel.start({Precision::fp64, g});
  Field u(device, g, Precision::fp64), b(device, g, Precision::fp64);
  b.upload(problem.fields[1].initial);
  for (int parity : {0, 1})
    for (int sweeps : {1, 2, 3, 4}) {
      INFO(sweeps << " sweeps from colour " << parity);
      u.upload(problem.fields[0].initial);
      const Field to(device, g, Precision::fp64);
      auto sweep = kernel.bind({Precision::fp64, g}, {u.view(), b.view()}, nullptr);
      sweep.fields.u.grid.parity = parity;
      Config config = pass.space.defaults();
      config.set(pass.steps, sweeps);
      pass.prepare(device, {sweep, to.view(), CycleLeg::none, {}}, config).run();
      const Step one = plain.prepare(device, sweep, plain.space.defaults());
      for (int n = 0; n < sweeps; ++n) one.run();
      double error = 0;
      CHECK(first_difference(to.download(), u.download(), error) == "");
      for (int i = -1; i <= g.nx; ++i) CHECK(to.download().get(i, -1, 0) == u.download().get(i, -1, 0));
    }
}

namespace {

// Runs CG to the tenth iteration with the passes of a backend. Returns r . r after each iteration.
std::vector<double> squared_residuals(Backend& device, const LinearProblem& problem, const Config& config) {
  const Grid& g = problem.grid;
  Field r(device, g, Precision::fp64), u(device, g, Precision::fp64);
  const Field p[2] = {Field(device, g, Precision::fp64), Field(device, g, Precision::fp64)};
  const Field q(device, g, Precision::fp64);
  r.upload(problem.b);
  std::vector<Field> coefficients;
  std::vector<AnyView> views;
  for (const HostField& c : problem.coefficients) {
    coefficients.emplace_back(device, g, Precision::fp64);
    coefficients.back().upload(c);
    views.push_back(coefficients.back().view());
  }
  DeviceScalar pq(device), rho[2] = {DeviceScalar(device), DeviceScalar(device)};
  double start = 0;
  for_each_cell(g, false,
                [&](int i, int j, int k) { start += problem.b.get(i, j, k) * problem.b.get(i, j, k); });
  rho[0].set(start), rho[1].set(std::numeric_limits<double>::infinity());

  auto pass = [&](CgPass which, int now) {
    const auto method = cg_iteration_methods(device.kind(), which, views.empty()).front();
    CgIterationArgs args;
    args.grid = g, args.pass = which;
    args.a = views.empty() ? problem.constant : operator_over(views, 0, g);
    args.r = r.view(), args.u = u.view(), args.p = p[now].view(), args.p_before = p[1 - now].view();
    if (!views.empty()) args.q = q.view();
    const bool direction = which == CgPass::direction;
    args.factor =
        direction ? Scalar{1, rho[now].data(), rho[1 - now].data()} : Scalar{1, rho[now].data(), pq.data()};
    args.result = direction ? pq.data() : rho[1 - now].data();
    return method.prepare(device, args, method.space.complete(config));
  };
  const Step direction[2] = {pass(CgPass::direction, 0), pass(CgPass::direction, 1)};
  const Step update[2] = {pass(CgPass::update, 0), pass(CgPass::update, 1)};
  std::vector<double> squares;
  for (int n = 0, now = 0; n < 10; ++n, now = 1 - now) {
    direction[now].run();
    update[now].run();
    squares.push_back(rho[1 - now].get());
  }
  return squares;
}

}  // namespace

TEST_CASE("CG's passes on an emulated device follow the serial ones for any number of blocks", "[cuda]") {
  EmulatedCuda device;
  for (const auto& [name, grid] : {std::pair{"manufactured", Grid{75, 38}},
                                   {"jump", {75, 38}},
                                   {"manufactured", {37, 9, 11}},
                                   {"jump", {37, 9, 11}}}) {
    const LinearProblem problem = make_problem(name, grid);
    const std::vector<double> serial = squared_residuals(backend(BackendKind::serial), problem, {});
    REQUIRE(serial.back() > 0);
    for (int blocks : {1, 3, 4096}) {  // one block for all tiles, several tiles per block, one block per tile
      INFO(name << " " << grid_text(grid) << " blocks " << blocks);
      const std::vector<double> emulated = squared_residuals(device, problem, {{"blocks", blocks}});
      for (std::size_t n = 0; n < serial.size(); ++n) CHECK(emulated[n] == Approx(serial[n]).epsilon(1e-9));
      CHECK(emulated == squared_residuals(device, problem, {{"blocks", blocks}}));
    }
  }
}
