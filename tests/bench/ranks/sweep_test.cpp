// Ranks as an axis of sweeps: names, defaults, and what is refused.
#include <algorithm>
#include <set>

#include "bench/case/case.hpp"
#include "bench/catalog/catalog.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/bench/sweep/sweep_support.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

Sweep swept(const std::string& block) { return sweep_of_block(block, {}, catalog()); }

std::vector<std::string> short_names(const std::string& block) {
  std::vector<std::string> found;
  for (const Case& c : swept(block).cases) found.push_back(short_name(c));
  return found;
}

std::string complaint_of(const std::string& block) {
  try {
    swept(block);
  } catch (const SweepError& e) {
    return e.what();
  }
  return "";
}

const std::string cg = "solvers: cg\nprecisions: fp64\nbackends: serial\nmethods: textbook\n";

}  // namespace

TEST_CASE("ranks and partitions multiply like other axes, and one rank has neither in its name",
          "[sweep][ranks]") {
  CHECK(short_names(cg + "grids: [8x8, 9x7]\nranks: [1, 2]\npartitions: [slabs, blocks, 2x1]") ==
        std::vector<std::string>{"cg/serial/fp64/textbook@8x8", "cg/serial/fp64/textbook@8x8:ranks=2",
                                 "cg/serial/fp64/textbook@8x8:ranks=2,partition=blocks",
                                 "cg/serial/fp64/textbook@8x8:ranks=2,partition=2x1",
                                 "cg/serial/fp64/textbook@9x7", "cg/serial/fp64/textbook@9x7:ranks=2",
                                 "cg/serial/fp64/textbook@9x7:ranks=2,partition=blocks",
                                 "cg/serial/fp64/textbook@9x7:ranks=2,partition=2x1"});
  CHECK(names(swept(cg + "grids: 8x8\nranks: 1")) == names(swept(cg + "grids: 8x8")));
  const std::string two = names(swept(cg + "grids: 8x8\nranks: 2")).front();
  CHECK_THAT(two, Mentions({"ranks=2,partition=slabs;problem="}, "cg/serial/fp64/textbook@8x8:"));
}

TEST_CASE("ranks that are processes have that in their name, and ranks that are threads do not",
          "[sweep][ranks]") {
  CHECK(short_names(cg + "grids: 8x8\nranks: [1, 2]\njoin: [threads, mpi]") ==
        std::vector<std::string>{"cg/serial/fp64/textbook@8x8", "cg/serial/fp64/textbook@8x8:ranks=2",
                                 "cg/serial/fp64/textbook@8x8:ranks=2,join=mpi"});
  CHECK(names(swept(cg + "grids: 8x8\nranks: 2\njoin: threads")) ==
        names(swept(cg + "grids: 8x8\nranks: 2")));
  CHECK(short_names(cg + "grids: 8x8\nranks: [1, 2]\njoin: [threads, mpi]\nexclude: {join: mpi, ranks: 2}") ==
        std::vector<std::string>{"cg/serial/fp64/textbook@8x8", "cg/serial/fp64/textbook@8x8:ranks=2"});
  CHECK_THAT(complaint_of(cg + "grids: 8x8\nranks: 2\njoin: pthreads"),
             Mentions({":9:11: ", "threads or mpi"}));
  CHECK_THAT(complaint_of(cg + "grids: 8x8\njoin: mpi"), Mentions({":8:11: ", "'mpi'"}));
}

TEST_CASE("OpenMP has ranks if they are processes, each with its share of the processors", "[sweep][ranks]") {
  const std::string openmp =
      "solvers: cg\nprecisions: fp64\nbackends: openmp\nmethods: textbook\ngrids: 8x8\n";
  const Sweep sweep = swept(openmp + "ranks: [1, 2]\njoin: mpi");
  if (!sweep.cases.front().row->unavailable.empty()) return;  // this build has no OpenMP
  REQUIRE(sweep.cases.size() == 2);
  const int all = sweep.cases.front().config.integer("threads");
  CHECK(sweep.cases.back().config.integer("threads") == std::max(1, all / 2));
  const Case too_many =
      swept(openmp + "ranks: 2\njoin: mpi\nparameters: {threads: " + std::to_string(all) + "}").cases.front();
  if (all > 1) CHECK_THAT(too_many.not_run, Mentions({"threads", "at most"}));
}

TEST_CASE("rows that do not run on ranks ignore the axis, as they ignore the settings of others",
          "[sweep][ranks]") {
  CHECK(
      short_names("solvers: cg\nprecisions: fp64\nbackends: [serial, openmp]\nmethods: textbook\ngrids: 8x8\n"
                  "ranks: [1, 2]\nparameters: {threads: 1}") ==
      std::vector<std::string>{"cg/serial/fp64/textbook@8x8", "cg/serial/fp64/textbook@8x8:ranks=2",
                               "cg/openmp/fp64/textbook@8x8:threads=1"});
}

TEST_CASE("the default method on ranks is one that runs on ranks, and others say why they do not",
          "[sweep][ranks]") {
  const std::string block =
      "solvers: cg\nprecisions: fp64\nbackends: serial\ngrids: 8x8\nranks: 2\nmethods: ";
  CHECK(short_names(block + "default") == std::vector<std::string>{"cg/serial/fp64/textbook@8x8:ranks=2"});
  const std::set<std::string> on_ranks = {"textbook", "one_sum", "pipelined"};
  for (const Case& c : swept(block + "all").cases) {
    INFO(case_name(c));
    if (on_ranks.contains(c.row->method))
      CHECK(c.not_run == "");
    else
      CHECK_THAT(c.not_run, Mentions({"ranks", "cg/textbook"}));
  }
}

TEST_CASE("kernels on ranks are plain ones, and none that computes its cells in order", "[sweep][ranks]") {
  const auto reason = [](const std::string& kernel, const std::string& grid) {
    return swept("kernels: " + kernel +
                 "\nprecisions: fp64\nbackends: serial\nmethods: plain\nranks: 2\ngrids: " + grid)
        .cases.front()
        .not_run;
  };
  CHECK(reason("axpy", "8x8") == "");
  CHECK_THAT(reason("axpy", "64x1"), Mentions({"2", "1"}));
  CHECK_THAT(reason("gauss_seidel", "8x8"), Mentions({"in order"}));
}

TEST_CASE("kernels on meshes run on ranks, cut by bisection unless METIS is named",
          "[sweep][ranks][meshes]") {
  const std::string block =
      "kernels: mesh_gradient\nprecisions: fp64\nbackends: serial\nmethods: plain\nmeshes: triangles-9x7\n";
  CHECK(
      short_names(block + "ranks: [1, 2]\nparameters: {overlap: [none, inner_first]}") ==
      std::vector<std::string>{"mesh_gradient/serial/fp64/plain@triangles-9x7",
                               "mesh_gradient/serial/fp64/plain@triangles-9x7:ranks=2",
                               "mesh_gradient/serial/fp64/plain@triangles-9x7:overlap=inner_first,ranks=2"});
  const auto reason = [&](const std::string& axes) { return swept(block + axes).cases.front().not_run; };
  CHECK(reason("ranks: 2") == "");
  CHECK_THAT(reason("ranks: 2\npartition: slabs"), Mentions({"slabs", "bisection or metis"}));
  CHECK_THAT(names(swept(block + "ranks: 2\npartition: metis")).front(), Mentions({"partition=metis"}));
  CHECK_THAT(swept("kernels: mesh_gradient\nprecisions: fp64\nbackends: serial\nmethods: plain\n"
                   "meshes: triangles-1x1\nranks: 3")
                 .cases.front()
                 .not_run,
             Mentions({"3"}));
}

TEST_CASE("cases that the machine or the grid cannot part are not run, with both numbers", "[sweep][ranks]") {
  const auto reason = [](const std::string& axes) { return swept(cg + axes).cases.front().not_run; };
  CHECK_THAT(reason("grids: 8x8\nranks: 2\npartition: 3x1"), Mentions({"2", "3"}));
  CHECK_THAT(reason("grids: 64x1\nranks: 2"), Mentions({"2", "1"}));
  CHECK_THAT(reason("grids: 9000x9000\nranks: 5000"), Mentions({"5000 ranks", "at most"}));
}

TEST_CASE("a grid per rank grows along its slowest axis, or along the axes of a shape", "[sweep][ranks]") {
  CHECK(short_names(cg + "grids_per_rank: [8x6, 8x6x5]\nranks: [1, 2]") ==
        std::vector<std::string>{"cg/serial/fp64/textbook@8x6", "cg/serial/fp64/textbook@8x12:ranks=2",
                                 "cg/serial/fp64/textbook@8x6x5", "cg/serial/fp64/textbook@8x6x10:ranks=2"});
  CHECK(short_names(cg + "grids_per_rank: 8x6\nranks: 2\npartition: 2x1") ==
        std::vector<std::string>{"cg/serial/fp64/textbook@16x6:ranks=2,partition=2x1"});
  CHECK(short_names(cg + "grids_per_rank: {powers_of_two: [8, 16]}\nranks: 2") ==
        std::vector<std::string>{"cg/serial/fp64/textbook@8x16:ranks=2",
                                 "cg/serial/fp64/textbook@16x32:ranks=2"});
  CHECK(short_names(cg + "grids_per_rank: [8x6, 9x7]\nranks: [1, 2]\nzip: [grids, ranks]") ==
        std::vector<std::string>{"cg/serial/fp64/textbook@8x6", "cg/serial/fp64/textbook@9x14:ranks=2"});
}

TEST_CASE("an exclude can name ranks", "[sweep][ranks]") {
  CHECK(short_names(cg + "grids: [8x8, 9x9]\nranks: [1, 2]\nexclude: {grid: 8x8, ranks: 2}") ==
        std::vector<std::string>{"cg/serial/fp64/textbook@8x8", "cg/serial/fp64/textbook@9x9",
                                 "cg/serial/fp64/textbook@9x9:ranks=2"});
}

TEST_CASE("errors of the axes of ranks name the place and what is expected", "[sweep][ranks]") {
  const std::string openmp =
      "solvers: cg\nprecisions: fp64\nbackends: openmp\nmethods: textbook\ngrids: 8x8\n";
  CHECK_THAT(complaint_of(openmp + "ranks: 2"), Mentions({":8:12: ", "'2'"}));
  CHECK_THAT(complaint_of(cg + "grids: 8x8\npartition: blocks"), Mentions({":8:16: ", "'blocks'"}));
  CHECK_THAT(complaint_of(cg + "grids: 8x8\nranks: 0"),
             Mentions({":8:12: ", "'0'", "a whole number from 1"}));
  CHECK_THAT(complaint_of(cg + "grids: 8x8\nranks: 2\npartition: slab"), Mentions({":9:16: ", "'slabs'"}));
  CHECK_THAT(complaint_of(cg + "grids: 8x8\nranks: 2\npartition: 2x"), Mentions({":9:16: ", "2x2"}));
  CHECK_THAT(complaint_of(cg + "grids_per_rank: triangles-3x3\nranks: 2"),
             Mentions({":7:21: ", "triangles-3x3", "grids"}));
  CHECK_THAT(complaint_of(cg + "grids_per_rank: poisson-9x9\nranks: 2"),
             Mentions({":7:21: ", "poisson-9x9", "grids"}));
  CHECK_THAT(complaint_of(cg + "grids_per_rank: 8x8\ngrids: 8x8"), Mentions({":8:5: ", "line 7"}));
  CHECK_THAT(complaint_of(cg + "grids_per_rank: 8x1048576\nranks: 2"),
             Mentions({":7:21: ", "8x1048576", "2 ranks"}));
}
