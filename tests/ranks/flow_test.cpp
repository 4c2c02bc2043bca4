// Flows on ranks against the flow of one rank without any communicator: the same bits.
#include "kernels/ranks/thread_ranks.hpp"
#include "solvers/flow/ranked_flow.hpp"
#include "tests/catch.hpp"
#include "tests/ranks/faulty_communicator.hpp"
#include "tests/ranks/partitions.hpp"
#include "tests/ranks/same_flow.hpp"

using namespace cfdmark;

namespace {

struct FlowCase {
  const char *solver, *method;
  const char* problem;
  Grid grid;
  Config config = {}, settings = {};
  int iterations = 8;
  Precision precision = Precision::fp64;
  int align = 1;  // of the cuts of check_flow
};

// A flow solved by one rank, to compare with.
class OneRankFlow {
 public:
  explicit OneRankFlow(const FlowCase& c)
      : case_(c),
        problem_(posed_flow(c.problem, c.grid, c.settings)),
        method_(flow_method(c.solver, BackendKind::serial, c.method)),
        expected_(solve(method_, backend(BackendKind::serial))) {}

  std::array<bool, 3> periodic() const {
    return {problem_->periodic_x, problem_->periodic_y, problem_->periodic_z};
  }
  // Returns what differs in a solve on ranks; empty if nothing.
  std::string difference(const Partition& parts, const MakeCommunicator& make = nullptr) const {
    return difference_of(
        solve(on_flow_ranks(method_, parts.ranks(), {PartShape::Kind::given, parts.counts()}, make),
              backend(BackendKind::serial)),
        expected_);
  }
  // Returns the same for ranks that each hold the whole flow, as processes do: what differs on any of them.
  std::string difference_by_processes(int ranks, const PartShape& shape) const {
    std::vector<std::string> differences(static_cast<std::size_t>(ranks));
    on_thread_ranks(ranks, [&](Ranks& all) {
      const std::unique_ptr<Backend> own = new_queue(backend(BackendKind::serial).id());
      differences[std::size_t(all.rank())] =
          difference_of(solve(on_flow_ranks(method_, all, shape), *own), expected_);
    });
    std::string joined;
    for (const std::string& one : differences) joined += one;
    return joined;
  }
  const SolvedFlow& expected() const { return expected_; }

 private:
  SolvedFlow solve(const FlowMethod& method, Backend& on) const {
    FlowOptions options{.solver = case_.solver,
                        .method = case_.method,
                        .precision = case_.precision,
                        .tolerance = 1e-30,
                        .max_iterations = case_.iterations,
                        .config = case_.config};
    options.config.set("check_interval", 4);
    if (find_setting(method.space.settings, "gather_cells")) options.config.set("gather_cells", 4);
    return solve_flow_on(on, method, problem_, options);
  }

  FlowCase case_;
  std::shared_ptr<const FlowProblem> problem_;
  FlowMethod method_;
  SolvedFlow expected_;
};

// Compares a flow on all partitions for up to `most` ranks. Returns their number.
int check_flow(const FlowCase& c, int most = 9) {
  const OneRankFlow one(c);
  CHECK(std::isfinite(one.expected().outcome.relative_residual));
  int partitions = 0;
  for_each_partition(c.grid, most, c.align, one.periodic(), [&](const Partition& p) {
    for (int d = 0; d < (c.grid.is_3d() ? 3 : 2); ++d)
      if (p.counts()[d] > 1 && p.thinnest(d) < 2) return;  // velocities on faces lend two layers
    INFO(c.solver << "/" << c.method << " " << c.problem << " on " << p.counts()[0] << "x" << p.counts()[1]
                  << "x" << p.counts()[2]);
    CHECK(one.difference(p) == "");
    ++partitions;
  });
  return partitions;
}

}  // namespace

TEST_CASE("projection on 1 to 9 ranks computes every bit of one rank, for all partitions of a plane",
          "[ranks]") {
  for (const char* method : {"plain", "fused"})
    CHECK(check_flow({"projection", method, "cavity", {22, 20}, {{"pressure_solver", "sor"}}}) == 23);
  CHECK(check_flow({"projection", "plain", "taylor_green", {20, 20}, {{"pressure_solver", "sor"}}}) == 23);
  CHECK(check_flow({"projection", "plain", "cavity", {23, 21}, {{"pressure_solver", "jacobi"}}}, 4) == 8);
  CHECK(check_flow({"projection", "plain", "cavity", {23, 21}, {{"pressure_solver", "cg"}}}, 4) == 8);
  CHECK(check_flow({"projection", "plain", "random_field", {23, 21}, {{"pressure_solver", "pcg"}}}, 4) == 8);
}

TEST_CASE("projection with multigrid on 1 to 9 ranks computes every bit of one rank", "[ranks]") {
  for (const char* problem : {"cavity", "taylor_green"}) {
    FlowCase c{"projection", "plain", problem, {24, 24}};
    c.align = 2;
    CHECK(check_flow(c) == 23);
  }
}

TEST_CASE("projection in a box on 1 to 8 ranks computes every bit of one rank", "[ranks]") {
  FlowCase c{"projection", "plain", "taylor_green_3d", {16, 16, 16}, {}, {}, 4};
  c.align = 2;
  CHECK(check_flow(c, 8) == 38);
  FlowCase closed{"projection", "fused", "cavity", {9, 10, 11}, {{"pressure_solver", "sor"}}, {}, 4};
  CHECK(check_flow(closed, 4) == 13);
}

TEST_CASE("projection with heat, eddies and changing steps on ranks computes every bit of one rank",
          "[ranks]") {
  CHECK(check_flow({"projection", "plain", "natural_convection", {20, 20}, {{"pressure_solver", "sor"}}},
                   6) == 14);
  CHECK(check_flow(
            {"projection", "plain", "natural_convection", {9, 10, 11}, {{"pressure_solver", "sor"}}, {}, 4},
            4) == 13);
  CHECK(check_flow({"projection",
                    "plain",
                    "cavity",
                    {20, 20},
                    {{"pressure_solver", "sor"}, {"eddy_viscosity", "smagorinsky"}}},
                   6) == 14);
  CHECK(
      check_flow(
          {"projection",
           "plain",
           "mixing_length_channel",
           {12, 24},
           {{"pressure_solver", "sor"}, {"eddy_viscosity", "mixing_length"}, {"wall_damping", "van_driest"}}},
          6) == 14);
  CHECK(check_flow({"projection",
                    "plain",
                    "cavity",
                    {20, 20},
                    {{"pressure_solver", "sor"}, {"time_steps", "stable"}, {"convection", "upwind"}}},
                   4) == 8);
}

TEST_CASE("SIMPLE on 1 to 9 ranks computes every bit of one rank, for all partitions of a plane", "[ranks]") {
  for (const char* method : {"rhie_chow", "paper"})
    CHECK(check_flow({"simple", method, "cavity", {22, 20}}) == 23);
  CHECK(check_flow({"simple", "rhie_chow", "channel", {24, 20}, {}, {{"ends", "periodic"}}}, 6) == 14);
  CHECK(check_flow({"simple", "rhie_chow", "channel", {24, 20}}, 6) == 14);
  CHECK(check_flow({"simple", "rhie_chow", "taylor_green", {20, 20}}, 6) == 14);
  CHECK(check_flow({"simple",
                    "rhie_chow",
                    "cavity",
                    {22, 20},
                    {{"momentum_solver", "bicgstab"},
                     {"momentum_method", "textbook"},
                     {"momentum_tolerance", 1e-3},
                     {"pressure_solver", "cg"},
                     {"pressure_tolerance", 1e-2}}},
                   4) == 8);
}

TEST_CASE("SIMPLE around bodies and through outlets on ranks computes every bit of one rank", "[ranks]") {
  const Config body = {{"diameter", 0.4}};
  const auto with = [&](const char* setting, const char* value) {
    Config settings = body;
    settings.set(setting, value);
    return settings;
  };
  CHECK(check_flow({"simple", "rhie_chow", "tunnel", {64, 16}, {}, body}, 6) == 14);
  CHECK(check_flow({"simple", "rhie_chow", "tunnel", {64, 16}, {}, with("surface", "distances")}, 4) == 8);
  CHECK(check_flow({"simple", "rhie_chow", "tunnel", {64, 16}, {}, with("outlet", "velocity")}, 6) == 14);
}

TEST_CASE("projection with an outlet refuses ranks, and names what to use", "[ranks]") {
  const FlowCase c{"projection", "plain", "tunnel", {64, 16}, {}, {{"diameter", 0.4}}};
  CHECK_THROWS_WITH(OneRankFlow(c).difference(Partition::of(c.grid, 2, PartShape::from("slabs"))),
                    ContainsSubstring("use --solver simple or piso"));
}

TEST_CASE("PISO on 1 to 9 ranks computes every bit of one rank, for all partitions of a plane", "[ranks]") {
  FlowCase cavity{"piso", "rhie_chow", "cavity", {22, 20}, {}, {}, 4};
  cavity.align = 2;
  CHECK(check_flow(cavity) == 23);
  FlowCase vortices{"piso", "paper", "taylor_green", {20, 20}, {}, {}, 4};
  vortices.align = 2;
  CHECK(check_flow(vortices, 6) == 14);
  CHECK(check_flow({"piso",
                    "rhie_chow",
                    "cavity",
                    {21, 23},
                    {{"pressure_solver", "sor"}, {"pressure_sweeps", 40}},
                    {},
                    4},
                   6) == 14);
}

TEST_CASE("flows in 32 bits and with 64-bit arithmetic on ranks compute every bit of one rank", "[ranks]") {
  for (const Precision p : {Precision::fp32, Precision::mixed}) {
    FlowCase simple{"simple", "rhie_chow", "cavity", {22, 20}};
    simple.precision = p;
    CHECK(check_flow(simple, 4) == 8);
    FlowCase steps{"projection", "plain", "cavity", {22, 20}};
    steps.precision = p, steps.align = 2;
    CHECK(check_flow(steps, 4) == 8);
  }
}

TEST_CASE("ranks that each hold the whole flow all end with every bit of one rank's answer", "[ranks]") {
  for (const char* solver : {"simple", "projection"}) {
    const bool is_simple = solver == std::string("simple");
    for (const char* problem : {"cavity", "taylor_green"}) {
      const OneRankFlow one({solver, is_simple ? "rhie_chow" : "plain", problem, {20, 20}});
      CHECK(one.difference_by_processes(3, PartShape::from("slabs")) == "");
      CHECK(one.difference_by_processes(4, PartShape::from("blocks")) == "");
    }
  }
}

TEST_CASE("planted faults in the communication of flows on ranks are found", "[ranks]") {
  using enum PlantedFault;
  const auto with = [](PlantedFault fault) {
    return [fault](Ranks& ranks, const Partition& partition) {
      return std::make_unique<const FaultyCommunicator>(ranks, partition, fault);
    };
  };
  for (const char* solver : {"simple", "projection"}) {
    const bool is_simple = solver == std::string("simple");
    // The inner sums of conjugate gradients change the flow. The lid moves fluid on both sides of all cuts.
    const OneRankFlow one({solver,
                           is_simple ? "rhie_chow" : "plain",
                           "cavity",
                           {22, 20},
                           {{"pressure_solver", is_simple ? "cg" : "sor"}}});
    const Partition parts = Partition::of({22, 20}, 3, PartShape::from("3x1"));
    CHECK(one.difference(parts, with(none)) == "");
    for (const PlantedFault fault :
         {dropped, of_last_step, wrong_side, one_layer_off, one_corner_short, old_share, sum_in_rank_order}) {
      if (fault == sum_in_rank_order && !is_simple)
        continue;  // projection also needs the largest of all ranks
      INFO(solver << " fault " << int(fault));
      CHECK(one.difference(parts, with(fault)) != "");
    }
  }
}
