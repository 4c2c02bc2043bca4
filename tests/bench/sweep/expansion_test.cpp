// The cases that a sweep expands to, counted by hand.
#include <fmt/format.h>

#include <algorithm>

#include "bench/case/case.hpp"
#include "tests/bench/sweep/sweep_support.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

using Names = std::vector<std::string>;

std::size_t count(const std::string& block) { return sweep_of_block(block).cases.size(); }

}  // namespace

TEST_CASE("axes multiply, and cases with the same reference follow each other", "[sweep]") {
  CHECK(names(sweep_of_block("backends: [serial, openmp]\n"
                             "grids: [8x8, 9x7]\n"
                             "precisions: [fp64, fp32]\n"
                             "kernels: jacobi")) ==
        Names{"jacobi/serial/fp64/plain@8x8", "jacobi/openmp/fp64/plain@8x8:threads=4",
              "jacobi/serial/fp32/plain@8x8", "jacobi/openmp/fp32/plain@8x8:threads=4",
              "jacobi/serial/fp64/plain@9x7", "jacobi/openmp/fp64/plain@9x7:threads=4",
              "jacobi/serial/fp32/plain@9x7", "jacobi/openmp/fp32/plain@9x7:threads=4"});
}

TEST_CASE("an axis that a block does not name takes all values", "[sweep]") {
  // serial 1, openmp 1, kokkos 1, cuda 2 methods; in 2 precisions
  CHECK(count("kernels: red_black_sor\ngrids: 8x8") == 10);
  CHECK(count("kernels: red_black_sor\ngrids: 8x8\nbackends: all\nprecisions: all\nmethods: all") == 10);
}

TEST_CASE("default is one method per backend: the preferred one on the grid, else the first of its table",
          "[sweep]") {
  CHECK(count("kernels: red_black_sor\ngrids: 8x8\nmethods: default") == 8);
  CHECK(names(sweep_of_block("kernels: red_black_sor\nbackends: [serial, cuda]\nprecisions: fp64\n"
                             "grids: [1000x8, 2000x8]\nmethods: default")) ==
        Names{"red_black_sor/serial/fp64/plain@1000x8",
              "red_black_sor/cuda/fp64/plain@1000x8:block_x=32,block_y=4",
              "red_black_sor/serial/fp64/plain@2000x8",
              "red_black_sor/cuda/fp64/split@2000x8:block_x=32,block_y=4"});
}

TEST_CASE("an axis may be singular or plural, with one value or a list", "[sweep]") {
  CHECK(names(sweep_of_block("kernel: jacobi\nbackend: serial\nprecision: fp64\ngrid: 8x8\nmethod: plain")) ==
        names(sweep_of_block(
            "kernels: [jacobi]\nbackends: [serial]\nprecisions: [fp64]\ngrids: [8x8]\nmethods: [plain]")));
}

TEST_CASE("parameters apply to the rows that have them", "[sweep]") {
  // serial 1; openmp 2 threads; cuda 3 x 2 blocks
  CHECK(count("kernels: jacobi\nprecisions: fp64\ngrids: 8x8\nbackends: [serial, openmp, cuda]\n"
              "parameters: {block_x: [16, 32, 64], block_y: [1, 2], threads: [1, 2]}") == 1 + 2 + 6);
}

TEST_CASE("a default may depend on a parameter that the sweep sets", "[sweep]") {
  std::vector<Row> rows = small_catalog();
  for (Row& row : rows)
    if (row.backend == BackendKind::cuda)
      row.space.adapt = [](Config& defaults, const Config& given) {
        if (given.has("block_x") && given.integer("block_x") == 64) defaults.set("block_y", 1);
      };
  CHECK(names(sweep_of_block("kernels: jacobi\nbackends: cuda\nprecisions: fp64\ngrids: 8x8\n"
                             "parameters: {block_x: [32, 64]}",
                             {}, rows)) == Names{"jacobi/cuda/fp64/plain@8x8:block_x=32,block_y=4",
                                                 "jacobi/cuda/fp64/plain@8x8:block_x=64,block_y=1"});
}

TEST_CASE("devices apply to cuda, and cases of other backends occur once", "[sweep]") {
  const std::string block =
      "kernels: jacobi\nprecisions: fp64\ngrids: 8x8\nbackends: [serial, cuda]\n"
      "parameters: {block_x: 32, block_y: 4}\n";
  CHECK(names(sweep_of_block(block + "devices: [0, 1]")) ==
        Names{"jacobi/serial/fp64/plain@8x8", "jacobi/cuda/fp64/plain@8x8:block_x=32,block_y=4",
              "jacobi/cuda:1/fp64/plain@8x8:block_x=32,block_y=4"});
  CHECK(count(block + "device: 1") == 2);
  CHECK(count(block + "devices: [0, 1]\nexclude: [{backend: cuda, device: 0}]") == 2);
}

TEST_CASE("max means all threads", "[sweep]") {
  CHECK(names(sweep_of_block("kernels: jacobi\nprecisions: fp64\ngrids: 8x8\nbackends: openmp\n"
                             "parameters: {threads: [1, max]}")) ==
        Names{"jacobi/openmp/fp64/plain@8x8:threads=1", "jacobi/openmp/fp64/plain@8x8:threads=4"});
  CHECK(count("kernels: jacobi\nprecisions: fp64\ngrids: 8x8\nbackends: openmp\n"
              "parameters: {threads: [{powers_of_two: [1, max]}, max]}") == 3);
}

TEST_CASE("series of grids are squares or cubes with sides in powers of two or ranges, or plus one",
          "[sweep]") {
  const auto grids = [](const std::string& series) {
    Names found;
    for (const Case& c :
         sweep_of_block("kernels: all\nbackends: serial\nprecisions: fp64\ngrids: " + series).cases)
      if (c.row->name == "jacobi") found.push_back(c.domain.text());
    return found;
  };
  CHECK(grids("{powers_of_two: [64, 512]}") == Names{"64x64", "128x128", "256x256", "512x512"});
  CHECK(grids("{powers_of_two: [1, 1]}") == Names{"1x1"});
  CHECK(grids("{range: [100, 500, 150]}") == Names{"100x100", "250x250", "400x400"});
  CHECK(grids("{range: [7, 9]}") == Names{"7x7", "8x8", "9x9"});
  CHECK(grids("{powers_of_two: [2, 4], plus: 1, dims: 3}") == Names{"3x3x3", "5x5x5"});
  CHECK(grids("[9x7, {powers_of_two: [8, 16]}, 4x5x6]") == Names{"9x7", "8x8", "16x16", "4x5x6"});
}

TEST_CASE("zipped axes advance together", "[sweep]") {
  CHECK(names(sweep_of_block("kernels: jacobi\nprecisions: fp64\nbackends: openmp\ngrids: [8x8, 16x16]\n"
                             "parameters: {threads: [1, 2]}\nzip: [grids, threads]")) ==
        Names{"jacobi/openmp/fp64/plain@8x8:threads=1", "jacobi/openmp/fp64/plain@16x16:threads=2"});
  // 2 zipped grids x 2 zipped blocks
  CHECK(
      count(
          "kernels: jacobi\nbackends: cuda\ngrids: [8x8, 16x16]\nprecisions: [fp32, fp64]\n"
          "parameters: {block_x: [16, 32], block_y: [4, 2]}\nzip: [[grid, precision], [block_x, block_y]]") ==
      4);
}

TEST_CASE("a row without a zipped parameter takes each grid once", "[sweep]") {
  CHECK(count("kernels: jacobi\nprecisions: fp64\nbackends: [serial, openmp]\ngrids: [8x8, 16x16]\n"
              "parameters: {threads: [1, 2]}\nzip: [grids, threads]") == 4);
}

TEST_CASE("exclude removes the cases that match all of a pattern", "[sweep]") {
  const std::string block =
      "kernels: jacobi\nprecisions: fp64\ngrids: [8x8, 16x16]\nbackends: [serial, cuda]\n"
      "parameters: {block_x: [16, 32, 64], block_y: [1, 2]}\n";  // per grid: serial 1, cuda 6
  CHECK(count(block) == 14);
  CHECK(count(block + "exclude: [{backend: cuda, block_x: 16, block_y: 1}]") == 12);
  CHECK(count(block + "exclude: [{backend: cuda, block_x: [16, 32]}]") == 6);
  CHECK(count(block + "exclude: [{grid: 8x8}, {block_y: 2}]") == 4);
}

TEST_CASE("exclude sees parameters that a block leaves at their defaults", "[sweep]") {
  CHECK(count("kernels: jacobi\nprecisions: fp64\ngrids: 8x8\nbackends: [serial, openmp]\nexclude: "
              "[{threads: 4}]") == 1);
}

TEST_CASE("include adds a variation of its block", "[sweep]") {
  const std::string block =
      "kernels: jacobi\nprecisions: [fp32, fp64]\ngrids: 8x8\nbackends: [serial, openmp]\n"
      "parameters: {threads: [1, 2]}\n";  // per precision: serial 1, openmp 2
  CHECK(count(block) == 6);
  CHECK(count(block + "include: [{grids: 999x999, precisions: fp32}]") == 6 + 3);
  CHECK(count(block + "include: [{parameters: {threads: 3}}]") == 6 + 2);
  CHECK(count(block + "exclude: [{threads: 1}]\ninclude: [{backend: openmp, parameters: {threads: 1}}]") ==
        4 + 2);
  CHECK(count(block + "include: [{kernels: red_black_sor}]") == 12);
}

TEST_CASE("a case of two blocks occurs once, at its first place", "[sweep]") {
  const std::string block =
      "  - {kernels: jacobi, backends: serial, precisions: fp64, grids: [8x8, 16x16]}\n";
  CHECK(sweep_of("question: q\nblocks:\n" + block + block).cases.size() == 2);
}

TEST_CASE("solvers take problems, tolerances and limits", "[sweep]") {
  const Sweep sweep = sweep_of_block(
      "solvers: [cg, sor]\nbackends: serial\nprecisions: fp64\ngrids: 9x9\n"
      "problems: [heated_plate, jump]\ntolerances: [1e-3, 1e-6]\nmax_iterations: 50");
  CHECK(sweep.cases.size() == 8);
  CHECK(case_name(sweep.cases[1]) ==
        "cg/serial/fp64/textbook@9x9;problem=heated_plate,tolerance=1e-06,max_iterations=50");
  CHECK(sweep.cases[4].workload.choice("problem") == "jump");
}

TEST_CASE("settings are integers, real numbers or words, of a method or of a problem", "[sweep]") {
  const Sweep sweep = sweep_of_block(
      "solvers: [cg, sor]\nbackends: serial\nprecisions: fp64\ngrids: 9x9\nproblems: [manufactured, jump]\n"
      "conductivity: [10, 1e3]\nparameters: {omega: [1.95, optimal], order: rows}\n");
  std::vector<std::string> people;
  for (const Case& c : sweep.cases) people.push_back(short_name(c));
  CHECK(people == Names{"cg/serial/fp64/textbook@9x9;problem=manufactured",
                        "sor/serial/fp64/plain@9x9:omega=1.95,order=rows;problem=manufactured",
                        "sor/serial/fp64/plain@9x9:order=rows;problem=manufactured",
                        "cg/serial/fp64/textbook@9x9;problem=jump,conductivity=10",
                        "sor/serial/fp64/plain@9x9:omega=1.95,order=rows;problem=jump,conductivity=10",
                        "sor/serial/fp64/plain@9x9:order=rows;problem=jump,conductivity=10",
                        "cg/serial/fp64/textbook@9x9;problem=jump",
                        "sor/serial/fp64/plain@9x9:omega=1.95,order=rows;problem=jump",
                        "sor/serial/fp64/plain@9x9:order=rows;problem=jump"});
  CHECK(case_name(sweep.cases[4]) ==
        "sor/serial/fp64/plain@9x9:omega=1.95,order=rows;problem=jump,tolerance=1e-06,max_iterations=10000,"
        "conductivity=10");
}

TEST_CASE("an operator applies to the kernels that have one and is constant by default", "[sweep]") {
  const std::string block = "kernels: [apply, jacobi]\nbackends: serial\nprecisions: fp64\ngrids: 8x8";
  CHECK(names(sweep_of_block(block)) ==
        Names{"apply/serial/fp64/plain@8x8;operator=constant", "jacobi/serial/fp64/plain@8x8"});
  const Sweep both = sweep_of_block(block + "\noperator: [constant, arrays]");
  CHECK(names(both) == Names{"apply/serial/fp64/plain@8x8;operator=constant",
                             "apply/serial/fp64/plain@8x8;operator=arrays", "jacobi/serial/fp64/plain@8x8"});
  CHECK(short_name(both.cases[0]) == "apply/serial/fp64/plain@8x8");
  CHECK(short_name(both.cases[1]) == "apply/serial/fp64/plain@8x8;operator=arrays");
  CHECK(names(sweep_of_block(block + "\noperators: all\nexclude: {operator: constant}")) ==
        Names{"apply/serial/fp64/plain@8x8;operator=arrays", "jacobi/serial/fp64/plain@8x8"});
}

TEST_CASE("all means every word of a setting", "[sweep]") {
  CHECK(count("solvers: sor\nbackends: serial\nprecisions: fp64\ngrids: 9x9\nparameters: {order: all}") == 2);
}

TEST_CASE("a sweep keeps its question", "[sweep]") {
  CHECK(sweep_of_block("kernels: jacobi\ngrids: 8x8").question == "How fast?");
}

TEST_CASE("reduced sweeps have short sides, each case once, and few cases from all parts", "[sweep]") {
  const std::string block =
      "kernels: [jacobi, smoothing]\nbackends: serial\nprecisions: fp64\n"
      "grids: [8x8, 64x64, 128x128, 64x16]\n";
  CHECK(names(sweep_of_block(block, {32, 0, {}})) ==
        Names{"jacobi/serial/fp64/plain@8x8", "smoothing/serial/fp64/plain@8x8",
              "jacobi/serial/fp64/plain@32x32", "smoothing/serial/fp64/plain@32x32",
              "jacobi/serial/fp64/plain@32x16", "smoothing/serial/fp64/plain@32x16"});
  CHECK(names(sweep_of_block(block, {0, 3, {}})) == Names{"jacobi/serial/fp64/plain@8x8",
                                                          "jacobi/serial/fp64/plain@64x64",
                                                          "smoothing/serial/fp64/plain@128x128"});
}

TEST_CASE("tuned parameters are requested next to the defaults if both are named", "[sweep]") {
  const Sweep sweep = sweep_of_block(
      "kernels: jacobi\nbackends: openmp\nprecisions: fp64\ngrids: 8x8\nparameters: [default, tuned]");
  REQUIRE(sweep.cases.size() == 2);  // they have one name until the tables are read
  REQUIRE_FALSE(sweep.cases[0].tuned.wanted);
  REQUIRE(sweep.cases[1].tuned.wanted);
  const Sweep varied = sweep_of_block(
      "kernels: jacobi\nbackends: openmp\nprecisions: fp64\ngrids: 8x8\nparameters: tuned\n"
      "include: [{parameters: {threads: 2}}]");
  REQUIRE(varied.cases.size() == 2);
  REQUIRE(varied.cases[0].tuned.wanted);
  REQUIRE_FALSE(varied.cases[1].tuned.wanted);
  REQUIRE(varied.cases[1].config.integer("threads") == 2);
}
