// Flows on ranks of CUDA devices: emulated, and on real ones where there are two.
#include <algorithm>

#include "solvers/flow/ranked_flow.hpp"
#include "tests/cuda_emulation/ranked_devices.hpp"
#include "tests/ranks/same_flow.hpp"

using namespace cfdmark;

namespace {

struct FlowOnDevices {
  const char *solver, *method;
  const char* problem;
  Grid grid;
  Config config = {}, settings = {};
  int iterations = 4;
  Precision precision = Precision::fp64;
  int gather_cells = 4;
};

std::string name_of(const FlowOnDevices& c) {
  return fmt::format("{}/{} {} {} {} {}", c.solver, c.method, c.problem, name(c.grid), to_string(c.precision),
                     c.config.text());
}

SolvedFlow solved(const FlowOnDevices& c, const FlowMethod& method, Backend& on, const Config& config) {
  return solve_flow_on(on, method, posed_flow(c.problem, c.grid, c.settings),
                       {.solver = c.solver,
                        .method = c.method,
                        .precision = c.precision,
                        .tolerance = 1e-30,
                        .max_iterations = c.iterations,
                        .config = config});
}

// Solves on several devices, from that of `on` on.
SolvedFlow solved_on(const FlowOnDevices& c, int ranks, PeerWay way, Backend& on) {
  const FlowMethod of_one =
      on_flow_ranks_of(BackendKind::cuda, flow_method(c.solver, BackendKind::cuda, c.method), {});
  Config config = c.config;
  config.set("check_interval", 2);
  config.set("gather_cells", c.gather_cells);
  config.set("exchange", std::string(to_string(way)));
  return solved(c, on_flow_ranks(of_one, ranks, PartShape::from("slabs")), on, config);
}

SolvedFlow solved_on_a_core(const FlowOnDevices& c) {
  Config config = c.config;
  config.set("check_interval", 2);
  return solved(c, flow_method(c.solver, BackendKind::serial, c.method), backend(BackendKind::serial),
                config);
}

// Compares flows on 2 and 3 devices with one. Without inner sums their fields are also those of one core.
constexpr bool has_inner_sums = true;
void check_flow(const FlowOnDevices& c, EmulatedDevices& machine, bool has_sums = false) {
  INFO(name_of(c));
  const SolvedFlow one = solved_on(c, 1, PeerWay::store, machine.devices[0]);
  CHECK(std::isfinite(one.outcome.relative_residual));
  if (!has_sums) CHECK(difference_of(one.flow, solved_on_a_core(c).flow) == "");
  for (int ranks : {2, 3}) {
    const PeerWay way = ranks == 2 ? PeerWay::copy : PeerWay::store;
    INFO("on " << ranks << " by " << to_string(way));
    CHECK(difference_of(solved_on(c, ranks, way, machine.devices[0]), one) == "");
  }
}

}  // namespace

TEST_CASE("projection on 2 and 3 emulated devices computes every bit that it computes on one",
          "[cuda][ranks]") {
  EmulatedDevices machine(3);
  for (const char* method : {"plain", "fused"})
    check_flow({"projection", method, "cavity", {22, 25}, {{"pressure_solver", "sor"}}}, machine);
  check_flow({"projection", "plain", "taylor_green", {20, 24}, {{"pressure_solver", "sor"}}}, machine);
  check_flow({"projection", "plain", "cavity", {23, 25}, {{"pressure_solver", "jacobi"}}}, machine);
  for (const char* solver : {"cg", "pcg"})
    check_flow({"projection", "plain", "cavity", {23, 25}, {{"pressure_solver", solver}}}, machine,
               has_inner_sums);
  check_flow({"projection",
              "plain",
              "taylor_green",
              {20, 24},
              {{"pressure_solver", "cg"}, {"pressure_tolerance", 1e-3}}},
             machine, has_inner_sums);
}

TEST_CASE("projection with multigrid on 2 and 3 emulated devices computes every bit that it computes on one",
          "[cuda][ranks]") {
  EmulatedDevices machine(3);
  for (const char* problem : {"cavity", "taylor_green"})
    for (const int gather : {4, 100000}) {
      FlowOnDevices c{"projection", "plain", problem, {24, 24}};
      c.gather_cells = gather;
      check_flow(c, machine);
    }
  check_flow({"projection", "plain", "cavity", {24, 24}, {{"coarse", "gathered"}}}, machine, has_inner_sums);
  check_flow({"projection", "plain", "taylor_green_3d", {8, 8, 12}, {}, {}, 2}, machine);
  check_flow({"projection", "fused", "cavity", {9, 8, 11}, {{"pressure_solver", "sor"}}, {}, 2}, machine);
}

TEST_CASE("projection with heat, eddies and changing steps on emulated devices computes every bit of one",
          "[cuda][ranks]") {
  EmulatedDevices machine(3);
  const auto with_sor = [](Config more) {
    more.set("pressure_solver", "sor");
    return more;
  };
  check_flow({"projection", "plain", "natural_convection", {20, 24}, with_sor({})}, machine);
  check_flow({"projection", "plain", "cavity", {20, 24}, with_sor({{"eddy_viscosity", "smagorinsky"}})},
             machine);
  check_flow({"projection",
              "plain",
              "mixing_length_channel",
              {12, 24},
              with_sor({{"eddy_viscosity", "mixing_length"}, {"wall_damping", "van_driest"}})},
             machine);
  check_flow({"projection",
              "plain",
              "cavity",
              {20, 24},
              with_sor({{"time_steps", "stable"}, {"convection", "upwind"}})},
             machine);
}

TEST_CASE("SIMPLE on 2 and 3 emulated devices computes every bit that it computes on one", "[cuda][ranks]") {
  EmulatedDevices machine(3);
  for (const char* method : {"rhie_chow", "paper"})
    check_flow({"simple", method, "cavity", {22, 25}}, machine);
  check_flow({"simple", "rhie_chow", "channel", {24, 24}, {}, {{"ends", "periodic"}}}, machine);
  check_flow({"simple", "rhie_chow", "taylor_green", {20, 24}}, machine);
  check_flow({"simple", "rhie_chow", "tunnel", {64, 24}, {}, {{"diameter", 0.4}}, 2}, machine);
  check_flow({"simple", "rhie_chow", "tunnel", {64, 24}, {}, {{"diameter", 0.4}, {"outlet", "velocity"}}, 2},
             machine, has_inner_sums);
  check_flow({"simple",
              "rhie_chow",
              "cavity",
              {22, 25},
              {{"momentum_solver", "bicgstab"},
               {"momentum_method", "textbook"},
               {"momentum_tolerance", 1e-3},
               {"pressure_solver", "cg"},
               {"pressure_tolerance", 1e-2}}},
             machine, has_inner_sums);
}

TEST_CASE("PISO on 2 and 3 emulated devices computes every bit that it computes on one", "[cuda][ranks]") {
  EmulatedDevices machine(3);
  check_flow({"piso", "rhie_chow", "cavity", {22, 24}, {}, {}, 2}, machine, has_inner_sums);
  check_flow({"piso", "second_order", "cavity", {22, 24}, {}, {}, 2}, machine, has_inner_sums);
  check_flow({"piso", "paper", "taylor_green", {20, 24}, {}, {}, 2}, machine, has_inner_sums);
}

TEST_CASE("flows in 32 bits and with 64-bit arithmetic on emulated devices compute every bit of one",
          "[cuda][ranks]") {
  EmulatedDevices machine(3);
  for (const Precision p : {Precision::fp32, Precision::mixed})
    for (const char* solver : {"simple", "projection"}) {
      FlowOnDevices c{solver, solver == std::string("simple") ? "rhie_chow" : "plain", "cavity", {22, 24}};
      c.precision = p;
      check_flow(c, machine);
    }
}

// Some lists bring ghosts that nothing next to this cut reads, such as coefficients of the boundary's side.
TEST_CASE("of the lists of messages of a flow on devices, more than half change it if they are lost",
          "[cuda][ranks]") {
  EmulatedDevices machine(2);
  for (const char* solver : {"simple", "projection"}) {
    FlowOnDevices c{solver, solver == std::string("simple") ? "rhie_chow" : "plain", "cavity", {22, 24}};
    c.iterations = 2;
    const SolvedFlow one = solved_on(c, 1, PeerWay::store, machine.devices[0]);
    CHECK(difference_of(solved_on(c, 2, PeerWay::store, machine.devices[0]), one) == "");
    int lists = 1, found = 0;
    for (int lost = 0; lost < lists; ++lost) {
      int seen = 0;
      machine.devices[1].fault = [&](std::vector<PeerWork> work, int) {
        const auto is_sent = [](const PeerWork& w) {
          return std::holds_alternative<Put>(w) && std::get<Put>(w).to_rank >= 0;
        };
        if (std::any_of(work.begin(), work.end(), is_sent) && seen++ == lost) std::erase_if(work, is_sent);
        return work;
      };
      found += difference_of(solved_on(c, 2, PeerWay::store, machine.devices[0]), one) != "";
      lists = seen;
    }
    machine.devices[1].fault = nullptr;
    INFO(solver << ": " << found << " of " << lists);
    CHECK(lists > 10);
    CHECK(2 * found > lists);
  }
}

TEST_CASE(
    "flows on devices refuse parts without whole rows, outlets of projection, and more ranks than devices",
    "[cuda][ranks]") {
  EmulatedDevices machine(2);
  const FlowOnDevices cavity{"projection", "plain", "cavity", {22, 24}};
  CHECK_THROWS_WITH(solved_on(cavity, 3, PeerWay::store, machine.devices[0]),
                    "3 ranks need 3 CUDA devices from cuda on, but this machine has 2");
  const FlowMethod of_one =
      on_flow_ranks_of(BackendKind::cuda, flow_method(cavity.solver, BackendKind::cuda, cavity.method), {});
  CHECK_THROWS_WITH(solved(cavity, on_flow_ranks(of_one, 2, PartShape::from("2x1")), machine.devices[0], {}),
                    ContainsSubstring("need parts of whole rows; use partition=slabs"));
  const FlowOnDevices tunnel{"projection", "plain", "tunnel", {64, 24}, {}, {{"diameter", 0.4}}};
  CHECK_THROWS_WITH(solved_on(tunnel, 2, PeerWay::store, machine.devices[0]),
                    ContainsSubstring("use --solver simple or piso"));
}

TEST_CASE("flows on two devices compute every bit that they compute on one", "[cuda][ranks][gpu]") {
  if (skipped_without_two_devices()) return;
  Backend& first = backend(BackendKind::cuda);
  const auto with = [](Config config, const char* pressure) {
    config.set("pressure_solver", pressure);
    return config;
  };
  const FlowOnDevices cases[] = {
      {"projection", "plain", "cavity", {512, 512}, with({}, "multigrid")},
      {"projection", "fused", "taylor_green", {512, 512}, with({}, "sor")},
      {"projection", "plain", "cavity", {512, 512}, with({}, "cg")},
      {"projection", "plain", "taylor_green_3d", {64, 64, 64}},
      {"projection",
       "plain",
       "mixing_length_channel",
       {128, 256},
       with({{"eddy_viscosity", "mixing_length"}, {"wall_damping", "van_driest"}}, "sor")},
      {"simple", "rhie_chow", "cavity", {256, 256}},
      {"piso", "rhie_chow", "cavity", {256, 256}}};
  for (FlowOnDevices c : cases) {
    c.iterations = 20, c.gather_cells = 4096;
    const SolvedFlow one = solved_on(c, 1, PeerWay::store, first);
    for (const PeerWay way : ways_of(first)) {
      INFO(name_of(c) << " by " << to_string(way));
      CHECK(difference_of(solved_on(c, 2, way, first), one) == "");
    }
  }
}
