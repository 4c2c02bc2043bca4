// Run by a launcher of MPI (test_processes.py): ranks that are processes against one rank. The first rank
// prints what was checked, or the first difference.
#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

#include "kernels/ranks/mpi_ranks.hpp"
#include "tests/ranks/parted_meshes.hpp"
#include "tests/ranks/ranked_case.hpp"
#include "tests/ranks/wrong_ghosts.hpp"
#include "tests/ranks/wrong_mesh_ghosts.hpp"

using namespace cfdmark;

namespace {

using Axes = std::array<bool, 3>;

// Collects what differs on this rank.
class Differences {
 public:
  explicit Differences(Ranks& ranks) : ranks_(ranks) {}

  void expect(bool holds, const std::string& claim) {
    ++checks_;
    if (!holds && first_.empty()) first_ = claim;
  }
  int checks() const { return checks_; }
  // Throws on all ranks if one has a difference.
  void agree() { ranks_.agree(first_); }

 private:
  Ranks& ranks_;
  int checks_ = 0;
  std::string first_;
};

std::string text(const Partition& p) {
  return fmt::format("{}x{}x{} of {}", p.counts()[0], p.counts()[1], p.counts()[2], name(p.whole()));
}

// Calls f for all partitions with a part for each rank.
template <class F>
void for_all_parts(const Ranks& ranks, const Grid& whole, const Axes& periodic, const F& f) {
  for_each_partition(whole, ranks.count(), 1, periodic, [&](const Partition& p) {
    if (p.ranks() == ranks.count()) f(p);
  });
}

void check_ghosts(Ranks& ranks, Differences& found) {
  for (const Grid& whole : {Grid{9, 11}, Grid{6, 7, 9}})
    for (const Axes& periodic : {Axes{}, Axes{true, false, whole.is_3d()}, Axes{true, true, false}})
      for (const auto place : {FieldPlace::cell, FieldPlace::face_x, FieldPlace::node})
        for (int layers : {1, 2})
          for_all_parts(ranks, whole, periodic, [&](const Partition& p) {
            const int lent = layers + (place == FieldPlace::cell ? 0 : 1);
            for (int d = 0; d < 3; ++d)
              if (p.counts()[d] > 1 && p.thinnest(d) < lent) return;
            const Precision storage = layers == 1 ? Precision::fp64 : Precision::fp32;
            found.expect(wrong_ghosts(ranks, p, place, layers, storage) == 0, "ghosts of " + text(p));
          });
}

void check_mesh_ghosts(Ranks& ranks, Differences& found) {
  for (const auto& mesh : meshes_to_part())
    for (const MeshPartition& partition :
         {MeshPartition::of(*mesh, ranks.count(), MeshCut::bisection), scattered_parts(*mesh, ranks.count())})
      for (const Entity entity : {Entity::cell, Entity::face, Entity::node})
        found.expect(wrong_mesh_ghosts<double>(ranks, *mesh, partition, entity) == 0,
                     fmt::format("ghosts of a mesh in {} dimensions", mesh->dims));
}

void check_messages(Ranks& ranks, Differences& found) {
  for (const std::size_t size : {std::size_t(1), std::size_t(1000), std::size_t(300000)}) {
    const std::vector<double> mine(size, ranks.rank());
    std::vector<double> all(size * std::size_t(ranks.count()), -1);
    ranks.gather("test", mine.data(), size * sizeof(double), all.data());
    for (int r = 0; r < ranks.count(); ++r)
      found.expect(all[size * std::size_t(r)] == r && all[size * std::size_t(r + 1) - 1] == r, "a gather");
    std::vector<double> passed(size, 7);
    if (ranks.rank() > 0) ranks.receive(passed.data(), size * sizeof(double), ranks.rank() - 1);
    found.expect(passed.back() == 7 + ranks.rank(), "a number passed on");
    passed.back() += 1;
    if (ranks.rank() + 1 < ranks.count()) ranks.send(passed.data(), size * sizeof(double), ranks.rank() + 1);
  }
}

// All ranks throw the same, and go on.
void check_disagreement(Ranks& ranks, Differences& found) {
  char mine = 0;
  std::vector<char> all(std::size_t(ranks.count()));
  std::string error;
  try {
    ranks.gather(ranks.rank() == 1 ? "a look" : "sum", &mine, 1, all.data());
  } catch (const std::logic_error& e) {
    error = e.what();
  }
  found.expect(error.find("'a look' of 1 bytes") != std::string::npos &&
                   error.find("'sum' of 1 bytes") != std::string::npos,
               "ranks at different calls: " + error);
  error.clear();
  try {
    ranks.agree(ranks.rank() == 1 ? "out of cells" : "");
  } catch (const std::runtime_error& e) {
    error = e.what();
  }
  found.expect(error == fmt::format("rank 1 of {}: out of cells", ranks.count()), "an agreement: " + error);
}

void check_solves(Ranks& ranks, Differences& found) {
  constexpr int few = 10;  // iterations: on a busy machine a message may take milliseconds
  RankedCase cycles{"pcg", "jump", {24, 22}, Precision::fp64, few};
  cycles.method = "multigrid";
  std::vector<RankedCase> cases{{"jacobi", "manufactured", {70, 9}},
                                {"cg", "manufactured", {70, 9}},
                                {"cg", "manufactured", {9, 10, 11}},
                                {"cg", "periodic_box", {11, 9}},
                                {"cg", "jump", {11, 9}},
                                {"sor", "manufactured", {15, 14}},
                                {"bicgstab", "convection", {13, 9}},
                                cycles};
  for (RankedCase& c : cases) c.iterations = few;
  cases.push_back({"jacobi", "manufactured", {40, 9}, Precision::fp32, few, 1e-6});
  cases.push_back({"cg", "manufactured", {40, 9}, Precision::mixed, few, 1e-6});
  for (const RankedCase& c : cases) {
    const OneRank one(c);
    found.expect(one.iterations() > 2, "iterations");
    one.for_each_partition(ranks.count(), [&](const Partition& p) {
      if (p.ranks() != ranks.count()) return;
      for (const BackendKind kind : {BackendKind::serial, BackendKind::openmp, BackendKind::kokkos})
        if (unavailable_reason(kind).empty()) {
          const std::string difference = one.difference(p, ranks, kind);
          found.expect(difference.empty(),
                       fmt::format("{} {} {} on {}, {}: {}", to_string(kind), c.solver, c.problem, text(p),
                                   to_string(c.precision), difference));
        }
    });
  }
}

int check(Ranks& ranks) {
  Differences found(ranks);
  check_messages(ranks, found);
  if (ranks.count() > 1) check_disagreement(ranks, found);
  check_ghosts(ranks, found);
  check_mesh_ghosts(ranks, found);
  check_solves(ranks, found);
  found.agree();
  if (ranks.rank() == 0) fmt::print("{} ranks: {} checks\n", ranks.count(), found.checks());
  return 0;
}

// The second rank skips a sum.
int skip_sum(Ranks& ranks) {
  double mine = 1;
  std::vector<double> all(std::size_t(ranks.count()));
  try {
    if (ranks.rank() != 1) ranks.gather("sum", &mine, sizeof mine, all.data());
    if (ranks.rank() == 1) std::this_thread::sleep_for(std::chrono::seconds(3));
  } catch (const std::exception& error) {
    fmt::print("rank {}: {}\n", ranks.rank(), error.what());
  }
  std::fflush(stdout);
  std::_Exit(1);
}

}  // namespace

// Arguments: the module cfdmark_mpi.so; `skip_sum` for the fault.
int main(int argc, char** argv) {
  try {
    RankPatience patience;
    patience.limit = argc > 2 ? 1 : 60;
    const auto ranks = join_by_mpi(open_mpi(argv[1]), patience);
    return argc > 2 ? skip_sum(*ranks) : check(*ranks);
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return 1;
  }
}
