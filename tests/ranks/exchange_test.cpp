// The exchange of ghosts between ranks that are threads, against the values of the whole domain.
#include <atomic>
#include <cstring>

#include "kernels/device/field.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "tests/catch.hpp"
#include "tests/ranks/partitions.hpp"
#include "tests/ranks/wrong_ghosts.hpp"

using namespace cfdmark;

namespace {

using Axes = std::array<bool, 3>;

// Returns the number of wrong ghosts of all ranks.
int wrong_ghosts(const Partition& partition, FieldPlace place, int layers, Precision storage) {
  std::atomic<int> wrong = 0;
  on_thread_ranks(partition.ranks(),
                  [&](Ranks& ranks) { wrong += wrong_ghosts(ranks, partition, place, layers, storage); });
  return wrong;
}

}  // namespace

TEST_CASE("every ghost holds its owner's value after an exchange: all partitions, layers, sides and corners",
          "[ranks]") {
  int exchanges = 0;
  for (const Grid& whole : {Grid{9, 11}, Grid{6, 7, 9}})
    for (const Axes& periodic :
         {Axes{}, Axes{true, false, false}, Axes{false, true, true}, Axes{true, true, true}})
      for (int layers : {1, 2, 3})
        for_each_partition(
            whole, 9, 1, {periodic[0], periodic[1], periodic[2] && whole.is_3d()}, [&](const Partition& p) {
              for (int d = 0; d < 3; ++d)
                if (p.counts()[d] > 1 && p.thinnest(d) < layers) return;
              INFO(p.counts()[0] << "x" << p.counts()[1] << "x" << p.counts()[2] << ", " << layers);
              CHECK(wrong_ghosts(p, FieldPlace::cell, layers, Precision::fp64) == 0);
              ++exchanges;
            });
  CHECK(exchanges > 300);
}

TEST_CASE("the value on a cut is that of the rank with the higher index, at faces and nodes", "[ranks]") {
  int exchanges = 0;
  for (const auto place : {FieldPlace::face_x, FieldPlace::face_y, FieldPlace::face_z, FieldPlace::node})
    for (const Grid& whole : {Grid{8, 9}, Grid{6, 8, 7}})
      for (const Axes& periodic : {Axes{}, Axes{true, true, false}}) {
        if (place == FieldPlace::face_z && !whole.is_3d()) continue;
        for_each_partition(whole, 6, 1, periodic, [&](const Partition& p) {
          for (int d = 0; d < 3; ++d)
            if (p.counts()[d] > 1 && p.thinnest(d) < 2) return;
          INFO(p.counts()[0] << "x" << p.counts()[1] << "x" << p.counts()[2] << " place " << int(place));
          CHECK(wrong_ghosts(p, place, 1, Precision::fp32) == 0);
          ++exchanges;
        });
      }
  CHECK(exchanges > 100);
}

// Checked by hand: rank r of 2x2 owns four cells, which hold 10 r + 0 .. 3.
TEST_CASE("a 4x4 grid on 2x2 ranks is exchanged as by hand", "[ranks]") {
  const Partition partition = Partition::of({4, 4}, 4, PartShape::from("2x2"));
  std::vector<double> ghosts_of_0(5);
  on_thread_ranks(4, [&](Ranks& ranks) {
    HostField field(partition.local(ranks.rank(), 1), Precision::fp64);
    for (int j : {0, 1})
      for (int i : {0, 1}) field.set(i, j, 0, 10 * ranks.rank() + 2 * j + i);
    ranks.exchange(partition, field.view())->run();
    if (ranks.rank() == 0)
      ghosts_of_0 = {field.get(2, 0), field.get(2, 1), field.get(0, 2), field.get(1, 2), field.get(2, 2)};
  });
  CHECK(ghosts_of_0 == std::vector<double>{10, 12, 20, 21, 30});  // east, north and the corner
}

TEST_CASE("an exchange declares the bytes and messages that it sends", "[ranks]") {
  const Partition partition = Partition::of({6, 8}, 4, PartShape::from("2x2"));
  on_thread_ranks(4, [&](Ranks& ranks) {
    const HostField field(partition.local(ranks.rank(), 1), Precision::fp64);
    const auto exchange = ranks.exchange(partition, field.view());
    // 4 rows and the ghosts beyond the domain's side along x; then 3 columns with ghosts on both sides.
    if (exchange->traffic().messages != 2 || exchange->traffic().bytes != 8 * (5 + 5) ||
        exchange->traffic().largest != 8 * 5)
      throw std::runtime_error("wrong traffic");
  });
}

TEST_CASE("a part thinner than the layers that it lends is refused", "[ranks]") {
  const Partition partition = Partition::of({8, 8}, 4, PartShape::from("slabs"));
  CHECK_THROWS_WITH(on_thread_ranks(4,
                                    [&](Ranks& ranks) {
                                      Grid g = partition.local(ranks.rank(), 2).with_halo(3);
                                      const HostField field(g, Precision::fp64);
                                      ranks.exchange(partition, field.view());
                                    }),
                    ContainsSubstring("has 2 cells along axis 1, but lends 3"));
}

TEST_CASE("gathered values are in the order of ranks on every rank, and messages arrive in their order",
          "[ranks]") {
  for (int count : {1, 2, 3, 9}) {
    std::vector<int> wrong(std::size_t(count), 0);
    on_thread_ranks(count, [&](Ranks& ranks) {
      for (int run = 0; run < 50; ++run) {
        const int mine = 100 * run + ranks.rank();
        std::vector<int> all(static_cast<std::size_t>(count), -1);
        ranks.gather("test", &mine, sizeof mine, all.data());
        for (int r = 0; r < count; ++r)
          wrong[std::size_t(ranks.rank())] += all[std::size_t(r)] != 100 * run + r;
        int passed = run;
        if (ranks.rank() > 0) ranks.receive(&passed, sizeof passed, ranks.rank() - 1);
        wrong[std::size_t(ranks.rank())] += passed != run + ranks.rank();
        ++passed;
        if (ranks.rank() + 1 < count) ranks.send(&passed, sizeof passed, ranks.rank() + 1);
      }
    });
    CHECK(wrong == std::vector<int>(std::size_t(count), 0));
  }
}

TEST_CASE("a rank that fails ends the others, and its rank and reason are reported", "[ranks]") {
  const Partition partition = Partition::of({4, 12}, 3, PartShape::from("slabs"));
  for (int failing : {0, 1, 2})
    CHECK_THROWS_WITH(on_thread_ranks(3,
                                      [&](Ranks& ranks) {
                                        const HostField field(partition.local(ranks.rank(), 1),
                                                              Precision::fp64);
                                        const auto exchange = ranks.exchange(partition, field.view());
                                        exchange->run();
                                        if (ranks.rank() == failing) throw std::runtime_error("no memory");
                                        for (int run = 0; run < 5; ++run) exchange->run();
                                      }),
                      "rank " + std::to_string(failing) + " of 3: no memory");
  CHECK_THROWS_WITH(
      on_thread_ranks(3, [](Ranks& ranks) { ranks.agree(ranks.rank() == 1 ? "out of cells" : ""); }),
      ContainsSubstring("rank 1 of 3: out of cells"));
  CHECK_NOTHROW(on_thread_ranks(3, [](Ranks& ranks) { ranks.agree(""); }));
}

TEST_CASE("a rank that skips an exchange or a gather is found", "[ranks]") {
  const Partition partition = Partition::of({4, 12}, 3, PartShape::from("slabs"));
  constexpr double limit = 1;  // longer than a busy machine keeps a thread from running
  const auto with_exchange = [&](const auto& after) {
    on_thread_ranks(
        3,
        [&](Ranks& ranks) {
          const HostField field(partition.local(ranks.rank(), 1), Precision::fp64);
          const auto exchange = ranks.exchange(partition, field.view());
          after(ranks, *exchange);
        },
        limit);
  };
  CHECK_THROWS_WITH(with_exchange([](Ranks& ranks, GhostExchange& exchange) {
                      if (ranks.rank() != 1) exchange.run();
                    }),
                    ContainsSubstring("waited 1 s for values of rank 1 (exchange 0, round 1)"));
  CHECK_THROWS_WITH(with_exchange([](Ranks& ranks, GhostExchange&) {
                      char mine = 0, all[3];
                      if (ranks.rank() != 1) ranks.gather("sum", &mine, 1, all);
                    }),
                    ContainsSubstring("waited 1 s for the other ranks: sum"));
  CHECK_THROWS_WITH(with_exchange([](Ranks& ranks, GhostExchange&) {
                      char mine = 0, all[3];
                      ranks.gather(ranks.rank() == 1 ? "a look" : "sum", &mine, 1, all);
                    }),
                    ContainsSubstring("but rank"));
}
