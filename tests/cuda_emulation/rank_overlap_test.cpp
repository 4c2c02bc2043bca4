// Passes next to the rounds of ranks, on emulated devices, and on real ones where there are two.
#include <algorithm>
#include <atomic>
#include <limits>
#include <map>

#include "kernels/cells/operator_problem.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/ranks/overlapped_pass.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "tests/cuda_emulation/ranked_devices.hpp"
#include "tests/cuda_emulation/ranked_kernels.hpp"
#include "tests/ranks/partitions.hpp"

using namespace cfdmark;

namespace {

constexpr Overlap orders[] = {Overlap::inner_first, Overlap::edges_first};
constexpr PeerWay ways_of_overlap[] = {PeerWay::copy, PeerWay::store, PeerWay::nccl};

double value_at(int i, int j, int k) { return 1 + i % 7 + 0.1 * (j % 11) + 0.01 * (k % 5); }

// The fields of Jacobi sweeps on a box of a domain. Boundary values are 0, ghosts of other ranks NaN.
class AlternatingFields {
 public:
  AlternatingFields(const Grid& whole, const CellBox& box, const Grid& local)
      : whole_(whole), box_(box), fields_(3, HostField(local, Precision::fp64)) {
    for_each_cell(local, true, [&](int i, int j, int k) {
      const int x = box.i + i, y = box.j + j, z = box.k + k;
      const bool is_inside = CellBox{.nx = whole.nx, .ny = whole.ny, .nz = whole.nz}.has(x, y, z);
      const double ghost = is_inside ? std::numeric_limits<double>::quiet_NaN() : 0;
      const bool is_own = box.has(x, y, z);
      fields_[0].set(i, j, k, is_own ? value_at(x, y, z) : ghost);
      fields_[1].set(i, j, k, ghost);
      fields_[2].set(i, j, k, is_own ? value_at(y, z, x) : ghost);
    });
  }

  AnyView at(int sweep) const { return fields_[std::size_t(sweep % 2)].view(); }
  double value(int sweep, int x, int y, int z) const {
    return fields_[std::size_t(sweep % 2)].get(x - box_.i, y - box_.j, z - box_.k);
  }
  const CellBox& box() const { return box_; }
  CellArgs<Jacobi> args(int sweep) const {
    return {.fields = {.a = timed_constant_operator(whole_),
                       .u = at(sweep),
                       .b = fields_[2].view(),
                       .out = at(sweep + 1)}};
  }

 private:
  Grid whole_;
  CellBox box_;
  std::vector<HostField> fields_;  // u, the other one and b
};

AlternatingFields swept_by_one(const Grid& whole, int sweeps) {
  AlternatingFields fields(whole, {.nx = whole.nx, .ny = whole.ny, .nz = whole.nz}, whole.with_halo(1));
  const Methods<CellArgs<Jacobi>> methods = CellKernel<Jacobi>::methods(BackendKind::serial);
  for (int n = 0; n < sweeps; ++n)
    methods.front().prepare(backend(BackendKind::serial), fields.args(n), {}).run();
  return fields;
}

// Makes the sweeps of a rank, each next to a round.
void sweep_overlapped(const AlternatingFields& fields, Ranks& ranks, Backend& on, const Partition& partition,
                      Overlap order, PeerWay way, int sweeps) {
  const DeviceLinks links(ranks, on, way);
  const Methods<CellArgs<Jacobi>> methods = CellKernel<Jacobi>::methods(BackendKind::cuda);
  const Config config = methods.front().space.defaults();
  const int sent = order == Overlap::edges_first;  // a sweep sends its result, or needs its input
  std::vector<Step> passes;
  for (int n = 0; n < 2; ++n)
    passes.push_back(overlapped_pass(links, partition, order, {fields.at(n + sent)}, methods.front(),
                                     fields.args(n), config)
                         .step);
  if (sent) links.exchange(partition, fields.at(0)).step.run();
  for (int n = 0; n < sweeps; ++n) passes[std::size_t(n % 2)].run();
  on.fence();
}

// Returns the number of cells that differ from those of one rank.
int wrong_after_sweeps(EmulatedDevices& machine, const Partition& partition, Overlap order, PeerWay way,
                       int sweeps) {
  const AlternatingFields expected = swept_by_one(partition.whole(), sweeps);
  std::atomic<int> wrong = 0;
  on_thread_ranks(partition.ranks(), [&](Ranks& ranks) {
    const CellBox own = partition.part(ranks.rank()).own;
    const AlternatingFields fields(partition.whole(), own, partition.local(ranks.rank(), 1));
    sweep_overlapped(fields, ranks, machine.devices[std::size_t(ranks.rank())], partition, order, way,
                     sweeps);
    for_each_cell(Grid{own.nx, own.ny, own.nz}, false, [&](int i, int j, int k) {
      const int x = own.i + i, y = own.j + j, z = own.k + k;
      wrong += fields.value(sweeps, x, y, z) != expected.value(sweeps, x, y, z);
    });
  });
  return wrong;
}

std::string word(Overlap order) { return order == Overlap::inner_first ? "inner_first" : "edges_first"; }

}  // namespace

TEST_CASE("inside and edges of a part have each cell once, and the inside none next to a cut",
          "[cuda][ranks]") {
  for (const Grid& whole : {Grid{9, 11}, Grid{5, 7, 6}})
    for (const int layers : {1, 2})
      for_each_partition(whole, 4, 1, {}, [&](const Partition& partition) {
        for (int rank = 0; rank < partition.ranks(); ++rank) {
          const RankPart& part = partition.part(rank);
          const auto [inside, edges] = inside_and_edges(part, layers);
          const auto times_in = [&](const std::vector<CellBox>& boxes, int i, int j, int k) {
            return std::count_if(boxes.begin(), boxes.end(), [&](const auto& b) { return b.has(i, j, k); });
          };
          for_each_cell(Grid{part.own.nx, part.own.ny, part.own.nz}, false, [&](int i, int j, int k) {
            const int to_sides[] = {i, part.own.nx - 1 - i, j, part.own.ny - 1 - j, k, part.own.nz - 1 - k};
            bool is_edge = false;
            for (std::size_t s = 0; s < 6; ++s)
              is_edge = is_edge || (part.across[s] >= 0 && to_sides[s] < layers);
            CHECK(times_in(edges, i, j, k) == is_edge);
            CHECK(times_in(inside, i, j, k) == !is_edge);
          });
        }
      });
}

TEST_CASE("sweeps next to their rounds compute every bit of one rank, over cuts along all axes",
          "[cuda][ranks]") {
  int compared = 0;
  for (const Grid& whole : {Grid{9, 11}, Grid{6, 7, 9}})
    for_each_partition(whole, 4, 1, {}, [&](const Partition& partition) {
      for (const Overlap order : orders)
        for (const PeerWay way : ways_of_overlap) {
          INFO(partition.counts()[0] << "x" << partition.counts()[1] << "x" << partition.counts()[2] << ", "
                                     << word(order) << " by " << to_string(way));
          EmulatedDevices machine(partition.ranks());
          CHECK(wrong_after_sweeps(machine, partition, order, way, 5) == 0);
          ++compared;
        }
    });
  CHECK(compared > 60);
}

TEST_CASE("a sweep that does not wait for both streams of the sweep before is found", "[cuda][ranks]") {
  const Partition partition = Partition::of({16, 16}, 2, PartShape::from("slabs"));
  for (const Overlap order : orders) {
    INFO(word(order));
    EmulatedDevices machine(2);
    CHECK(wrong_after_sweeps(machine, partition, order, PeerWay::store, 4) == 0);
    for (const int ahead : {0, urgent_stream}) {
      machine.devices[1].stream_ahead = ahead;
      CHECK(wrong_after_sweeps(machine, partition, order, PeerWay::store, 4) > 0);
    }
  }
}

TEST_CASE("kernels next to their rounds leave the expected results on 2 and 3 emulated devices",
          "[cuda][ranks]") {
  EmulatedDevices machine(3);
  for (const PeerWay way : ways_of_overlap)
    for (const Overlap order : orders)
      for (int ranks : {2, 3}) {
        INFO(ranks << " by " << to_string(way) << ", " << word(order));
        const Config overlap = {{"overlap", word(order)}};
        CHECK(kernel_failure("jacobi", "plain", {37, 29}, ranks, way, overlap) == "");
        CHECK(kernel_failure("jacobi", "column", {37, 29}, ranks, way, overlap) == "");
        CHECK(kernel_failure("jacobi", "plain", {11, 8, 9}, ranks, way, overlap) == "");
        CHECK(kernel_failure("red_black_sor", "plain", {37, 29}, ranks, way, overlap) == "");
        CHECK(kernel_failure("apply", "plain", {37, 29}, ranks, way, overlap) == "");
        CHECK(kernel_failure("residual", "plain", {37, 29}, ranks, way, overlap) == "");
      }
}

TEST_CASE("every kernel whose passes can run next to a round leaves its expected result so",
          "[cuda][ranks]") {
  EmulatedDevices machine(3);
  std::map<std::string, int> compared;
  for (const Row& row : catalog()) {
    if (row.kind != RowKind::kernel || row.backend != BackendKind::cuda || !row.on_ranks ||
        row.precision == Precision::mixed)
      continue;
    const Row on_ranks = row.on_ranks({2, "slabs"});
    for (const Overlap order : orders)
      for (const Grid& grid : {Grid{37, 29}, Grid{11, 9, 16}}) {
        Config config = on_ranks.space.defaults();
        if (!config.has("overlap") || !domain_refusal(row, grid).empty() ||
            !on_ranks.unsupported(grid, workload_of(row)).empty())
          continue;
        config.set("overlap", word(order));
        if (!on_ranks.space.constraint(config).empty()) continue;
        for (int ranks : {2, 3}) {
          if (grid.is_3d() && ranks == 3) continue;
          INFO(row_name(row) << " on " << ranks << ", " << grid_text(grid) << ", " << word(order));
          CHECK(row_failure(row, grid, ranks, PeerWay::store, {{"overlap", word(order)}}) == "");
          ++compared[row.name];
        }
      }
  }
  CHECK(compared.size() >= 6);
  CHECK(compared["jacobi"] > 0);
}

TEST_CASE("a round next to a kernel that loses its values is found, also where only the next step reads them",
          "[cuda][ranks]") {
  EmulatedDevices machine(2);
  machine.devices[0].fault = [](std::vector<PeerWork> work, int) {
    std::erase_if(work, [](const PeerWork& w) {
      const Put* put = std::get_if<Put>(&w);
      return put && put->to_rank >= 0;
    });
    return work;
  };
  for (const char* kernel : {"jacobi", "red_black_sor"})
    for (const Overlap order : orders) {
      INFO(kernel << ", " << word(order));
      CHECK(kernel_failure(kernel, "plain", {37, 29}, 2, PeerWay::store, {{"overlap", word(order)}}) != "");
    }
}

TEST_CASE("relaxations next to their rounds compute every bit of the method without ranks", "[cuda][ranks]") {
  EmulatedDevices machine(3);
  const std::vector<RankedDevices> cases = {
      {"jacobi", "plain", "manufactured", {37, 29}}, {"jacobi", "column", "manufactured", {37, 29}},
      {"jacobi", "plain", "jump", {21, 26}},         {"jacobi", "plain", "manufactured", {11, 8, 9}},
      {"sor", "plain", "manufactured", {37, 29}},    {"sor", "plain", "jump", {21, 26}, Precision::fp32}};
  for (RankedDevices c : cases) {
    c.config = {{"check_interval", 3}};  // Jacobi's result is in its second field at every other check
    const Solved one = solved_without_ranks(c, machine.devices[0]);
    for (const Overlap order : orders) {
      if (c.solver == std::string("sor") && order == Overlap::edges_first) continue;
      c.on_ranks = {{"overlap", word(order)}};
      for (const PeerWay way : ways_of_overlap)
        for (int ranks : {2, 3}) {
          if (c.grid.is_3d() && ranks == 3) continue;  // parts need 8 rows
          INFO(name_of(c) << " " << word(order) << " on " << ranks << " by " << to_string(way));
          CHECK(difference_of(solved_on(c, ranks, way, machine.devices[0]).u, one.u) == "");
        }
    }
  }
}

TEST_CASE("CG whose products are next to their rounds computes every bit of one device", "[cuda][ranks]") {
  EmulatedDevices machine(3);
  const Config replaced{{"check_interval", 4}, {"replace", 8}};
  const std::vector<RankedDevices> cases = {
      {"cg", "textbook", "manufactured", {37, 29}},
      {"cg", "textbook", "jump", {21, 26}},
      {"cg", "textbook", "periodic_channel", {20, 24}},
      {"cg", "textbook", "manufactured", {37, 29}, Precision::mixed},
      {"cg", "one_sum", "manufactured", {37, 29}, Precision::fp64, replaced},
      {"cg", "pipelined", "periodic_channel", {20, 24}, Precision::fp64, replaced},
      {"pcg", "textbook", "jump", {21, 26}}};
  for (RankedDevices c : cases) {
    const Solved one = solved_on(c, 1, PeerWay::store, machine.devices[0]);
    c.on_ranks = {{"overlap", "inner_first"}};
    for (const PeerWay way : ways_of_overlap)
      for (int ranks : {2, 3}) {
        INFO(name_of(c) << " on " << ranks << " by " << to_string(way));
        CHECK(difference_from(one, c, ranks, way, machine.devices[0]) == "");
      }
  }
}

TEST_CASE("overlap is refused where hosts wait in a round or a method has none to run next to",
          "[cuda][ranks]") {
  EmulatedDevices machine(2);
  CHECK_THROWS_WITH(
      kernel_failure("jacobi", "pipelined", {37, 29}, 2, PeerWay::store, {{"overlap", "inner_first"}}),
      ContainsSubstring("makes several steps on one round; use method plain or column"));
  RankedDevices sor{"sor", "plain", "manufactured", {37, 29}},
      jacobi{"jacobi", "plain", "manufactured", {37, 29}};
  sor.on_ranks = jacobi.on_ranks = {{"overlap", "edges_first"}};
  CHECK_THROWS_WITH(solved_on(sor, 2, PeerWay::store, machine.devices[0]),
                    ContainsSubstring("none or inner_first"));
  CHECK_THROWS_WITH(solved_on(jacobi, 2, PeerWay::host, machine.devices[0]),
                    ContainsSubstring("set exchange=copy, store or nccl"));
  CHECK_THROWS_WITH(kernel_failure("jacobi", "plain", {37, 29}, 2, PeerWay::store,
                                   {{"overlap", "edges_first"}, {"exchange", "host"}}),
                    ContainsSubstring("set exchange=copy, store or nccl, or overlap=none"));
  CHECK_THROWS_WITH(
      on_thread_ranks(2,
                      [&](Ranks& ranks) {
                        const Partition partition = Partition::of({16, 16}, 2, PartShape::from("slabs"));
                        const AlternatingFields fields(partition.whole(), partition.part(ranks.rank()).own,
                                                       partition.local(ranks.rank(), 1));
                        sweep_overlapped(fields, ranks, machine.devices[std::size_t(ranks.rank())], partition,
                                         Overlap::inner_first, PeerWay::host, 1);
                      }),
      ContainsSubstring("use copy, store or nccl"));
}

TEST_CASE("kernels and solvers next to their rounds leave the expected results on two devices",
          "[cuda][ranks][gpu]") {
  if (skipped_without_two_devices()) return;
  for (const PeerWay way : ways_of(backend(BackendKind::cuda))) {
    if (way == PeerWay::host) continue;
    for (const Overlap order : orders)
      for (const char* kernel : {"jacobi", "red_black_sor", "apply", "residual"}) {
        INFO(kernel << " by " << to_string(way) << ", " << word(order));
        CHECK(kernel_failure(kernel, "plain", {1031, 1024}, 2, way, {{"overlap", word(order)}}) == "");
      }
    for (RankedDevices c : {RankedDevices{"jacobi", "plain", "manufactured", {1031, 517}},
                            RankedDevices{"sor", "plain", "manufactured", {1031, 517}},
                            RankedDevices{"cg", "textbook", "jump", {1031, 517}}}) {
      const Solved one = solved_on(c, 1, way, backend(BackendKind::cuda));
      c.on_ranks = {{"overlap", "inner_first"}};
      INFO(name_of(c) << " by " << to_string(way));
      CHECK(difference_from(one, c, 2, way, backend(BackendKind::cuda)) == "");
    }
  }
}
