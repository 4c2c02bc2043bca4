// The exchange of ghosts between ranks that are threads, against the values of the whole domain.
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <thread>

#include "kernels/device/field.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "tests/catch.hpp"
#include "tests/ranks/partitions.hpp"

using namespace cfdmark;

namespace {

using Axes = std::array<bool, 3>;

// One axis of a field's domain.
struct DomainAxis {
  int cells;
  bool is_periodic;
  int extra;  // 1 for faces and nodes: the last one of a periodic axis is the first

  // Returns the index of the value that stands for one at index n.
  int wrapped(int n) const { return is_periodic ? (n % cells + cells) % cells : n; }
  bool is_beyond(int n) const { return n < 0 || n >= cells + (is_periodic ? 0 : extra); }
};

// A number that differs for every place of the whole domain and every run.
double value_at(const std::array<DomainAxis, 3>& axes, int i, int j, int k, int run) {
  return axes[0].wrapped(i) + 20 + 1e2 * (axes[1].wrapped(j) + 20) + 1e4 * (axes[2].wrapped(k) + 20) +
         1e6 * run;
}

// Exchanges several times on all ranks and returns the number of ghosts with a wrong value. Ghosts that an
// exchange must fill are NaN before it; ranks are late by different times.
int wrong_ghosts(const Partition& partition, FieldPlace place, int layers, Precision storage) {
  constexpr int runs = 3;
  const Grid& whole = partition.whole();
  const Grid values = whole.at(place);
  const std::array<DomainAxis, 3> axes{{{whole.nx, partition.periodic()[0], values.nx - whole.nx},
                                        {whole.ny, partition.periodic()[1], values.ny - whole.ny},
                                        {whole.nz, partition.periodic()[2], values.nz - whole.nz}}};
  std::vector<int> wrong(std::size_t(partition.ranks()), 0);
  on_thread_ranks(partition.ranks(), [&](Ranks& ranks) {
    const CellBox own = partition.part(ranks.rank()).own;
    HostField field(partition.local(ranks.rank(), layers).at(place), storage);
    // False for this rank's own values and for those beyond the domain's sides, which an exchange may leave.
    const auto is_filled = [&](int i, int j, int k) {
      const int at[] = {i, j, k}, first[] = {own.i, own.j, own.k}, n[] = {own.nx, own.ny, own.nz};
      bool is_cut = false, wraps = false, is_outside = false;
      for (int d = 0; d < (whole.is_3d() ? 3 : 2); ++d) {
        const int in_whole = first[d] + at[d];
        const bool is_last = first[d] + n[d] == axes[d].cells;
        const int last = n[d] + (is_last && !axes[d].is_periodic ? axes[d].extra : 0);
        if (at[d] >= 0 && at[d] < last) continue;
        if (!axes[d].is_beyond(in_whole))
          is_cut = true;
        else
          (axes[d].is_periodic ? wraps : is_outside) = true;
      }
      return wraps ? !is_outside : is_cut;
    };
    const auto set_all = [&](int run) {
      for_each_cell(field.grid(), true, [&](int i, int j, int k) {
        field.set(i, j, k,
                  is_filled(i, j, k) ? std::numeric_limits<double>::quiet_NaN()
                                     : value_at(axes, own.i + i, own.j + j, own.k + k, run));
      });
    };
    const auto exchange = ranks.exchange(partition, field.view());
    for (int run = 0; run < runs; ++run) {
      set_all(run);
      if ((ranks.rank() + run) % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
      exchange->run();
      for_each_cell(field.grid(), true, [&](int i, int j, int k) {
        wrong[std::size_t(ranks.rank())] +=
            field.get(i, j, k) != value_at(axes, own.i + i, own.j + j, own.k + k, run);
      });
    }
  });
  int all = 0;
  for (int of_rank : wrong) all += of_rank;
  return all;
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
