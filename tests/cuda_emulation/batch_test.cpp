// Batches of flows on an emulated device.
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/solvers/flow/batch_solve.hpp"

using namespace cfdmark;

namespace {

FlowBatchSettings tiny_tunnel(int slots, Precision precision) {
  FlowBatchSettings settings = small_tunnel(slots, 0.16);
  settings.grid = {48, 20};
  settings.precision = precision;
  settings.solver = {{"pressure_sweeps", 5}, {"check_interval", 2}, {"graph_iterations", 2}};
  settings.max_iterations = 4;
  return settings;
}
std::vector<Outline> some_bodies(std::size_t number) {
  std::vector<Outline> some = bodies(0.16);
  some.resize(number);
  return some;
}

}  // namespace

TEST_CASE("on an emulated device the bits of a flow do not depend on its slot and its neighbours",
          "[cuda][flow][batch]") {
  EmulatedCuda device;
  for (const Precision precision : {Precision::fp64, Precision::fp32}) {
    INFO(to_string(precision));
    check_batch_bits(device, tiny_tunnel(1, precision), some_bodies(3), {2, 3});
  }
  CHECK(device.graphs_run() > 0);
}

TEST_CASE("on an emulated device the same holds with multigrid for the pressure", "[cuda][flow][batch]") {
  EmulatedCuda device;
  FlowBatchSettings settings = tiny_tunnel(1, Precision::fp64);
  settings.coarsenings = 2;
  settings.solver.set("pressure_solver", "multigrid"), settings.solver.set("pressure_sweeps", 1);
  settings.max_iterations = 2;
  check_batch_bits(device, settings, some_bodies(2), {3});
}

TEST_CASE("a batch on an emulated device has the fields and the drag of serial", "[cuda][flow][batch]") {
  EmulatedCuda device;
  const FlowBatchSettings settings = tiny_tunnel(2, Precision::fp64);
  FlowBatchSettings on_host = settings;
  on_host.solver = {{"pressure_sweeps", 5}, {"check_interval", 2}};
  const std::vector<EndedFlow> emulated = evaluated(device, settings, some_bodies(2)),
                               serial = evaluated(backend(BackendKind::serial), on_host, some_bodies(2));
  for (std::size_t n = 0; n < serial.size(); ++n) check_same(emulated[n], serial[n]);
}

TEST_CASE("on an emulated device a diverging neighbour changes no bit of the others", "[cuda][flow][batch]") {
  EmulatedCuda device;
  FlowBatchSettings settings = tiny_tunnel(3, Precision::fp32);
  settings.solver.set("pressure_sweeps", 20);
  check_diverging_neighbour(device, settings, some_bodies(3), std::numeric_limits<double>::quiet_NaN());
}
