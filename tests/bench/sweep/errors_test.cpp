// What a sweep says when it is wrong: where, what was expected, and what was probably meant.
#include <unistd.h>

#include <filesystem>

#include "tests/bench/sweep/sweep_support.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// A block of jacobi on 8x8 and one more line, which stands in line 5 of the file.
std::string with(const std::string& line) {
  return complaint_of_block("kernels: jacobi\ngrids: 8x8\n" + line);
}
std::string with_grids(const std::string& grids) {
  return complaint_of_block("kernels: jacobi\ngrids: " + grids);
}
std::string with_solver(const std::string& line) {
  return complaint_of_block("solvers: cg\ngrids: 8x8\n" + line);
}

const std::string head = "question: q\nblocks:\n  - {kernels: jacobi, grids: 8x8}\n";

}  // namespace

TEST_CASE("a device is a number, of a backend that has several", "[sweep]") {
  CHECK_THAT(complaint_of_block("kernels: jacobi\ngrids: 8x8\nbackends: cuda\ndevices: [first]"),
             ContainsSubstring("expected the number of a CUDA device, from 0 on"));
  CHECK_THAT(complaint_of_block("kernels: jacobi\ngrids: 8x8\nbackends: cuda\ndevices: -1"),
             ContainsSubstring("expected the number of a CUDA device, from 0 on"));
  CHECK_THAT(complaint_of_block("kernels: jacobi\ngrids: 8x8\nbackends: serial\ndevices: 1"),
             ContainsSubstring("the catalog has no row for '1' with the rest of this block"));
}

TEST_CASE("the blocks that these tests spoil are sound", "[sweep]") {
  CHECK(with("") == "");
  CHECK(with_grids("8x8") == "");
  CHECK(with_solver("") == "");
  CHECK(complaint(head) == "");
}

TEST_CASE("an unknown key is shown with the nearest one", "[sweep]") {
  CHECK(with("grid_sizes: 8x8") ==
        "sweep.yaml:5:5: unknown key 'grid_sizes'; expected problem, conductivity, grid, kernel, solver, "
        "precision, operator, tolerance, max_iterations, backend, device, method, parameters, zip, exclude "
        "or include");
  CHECK_THAT(with("backend: serial\nprecission: fp64"),
             ContainsSubstring("sweep.yaml:6:5: unknown key 'precission'"));
  CHECK_THAT(with("precission: fp64"), ContainsSubstring("did you mean 'precision'?"));
  CHECK_THAT(with("metods: plain"), ContainsSubstring("did you mean 'methods'?"));
  CHECK_THAT(with("exlude: []"), ContainsSubstring("did you mean 'exclude'?"));
  CHECK(complaint(head + "qestion: x\n") ==
        "sweep.yaml:4:1: unknown key 'qestion'; expected question, routines, blocks or targets; did you mean "
        "'question'?");
}

TEST_CASE("a sweep asks for the time by routine of all its cases, or of none", "[sweep]") {
  for (const Case& c : sweep_of(head).cases) CHECK_FALSE(c.routines);
  for (const Case& c : sweep_of(head + "routines: false\n").cases) CHECK_FALSE(c.routines);
  const Sweep asked = sweep_of(head + "routines: true\n");
  CHECK(!asked.cases.empty());
  for (const Case& c : asked.cases) CHECK(c.routines);
  CHECK(complaint(head + "routines: maybe\n") ==
        "sweep.yaml:4:11: routines is 'maybe'; expected true or false");
}

TEST_CASE("a sweep says how many times as fast as plain it wants some cases", "[sweep]") {
  const std::string sweep =
      "question: q\nblocks:\n  - {kernels: jacobi, backends: [serial, openmp], grids: 8x8}\n";
  for (const Case& c : sweep_of(sweep).cases) CHECK(c.over_plain == 0);
  const Sweep asked = sweep_of(sweep + "targets:\n  - {cases: /openmp/fp64/, over_plain: 2.5}\n");
  std::size_t wanted = 0;
  for (const Case& c : asked.cases) {
    const bool is_one = c.row->backend == BackendKind::openmp && c.row->precision == Precision::fp64;
    CHECK(c.over_plain == (is_one ? 2.5 : 0));
    wanted += is_one;
  }
  CHECK(wanted > 0);
  const auto wrong = [&](const std::string& target) {
    return complaint(sweep + "targets: " + target + "\n");
  };
  CHECK_THAT(wrong("{cases: /cg/, over_plain: 2}"),
             ContainsSubstring("sweep.yaml:4:10: '/cg/' is no case of this sweep; expected some"));
  CHECK_THAT(wrong("{cases: jacobi, over_plain: fast}"),
             ContainsSubstring("found 'fast'; expected how many times as fast as plain, a number above 0"));
  CHECK_THAT(wrong("{cases: jacobi, over_plain: 0}"), ContainsSubstring("found '0'; expected how many"));
  CHECK_THAT(wrong("{cases: jacobi}"),
             ContainsSubstring("the target says too little; expected targets such as"));
  CHECK_THAT(wrong("{cases: jacobi, over: 2}"), ContainsSubstring("unknown key 'over'"));
  CHECK_THAT(wrong("{cases: '(', over_plain: 2}"),
             ContainsSubstring("'(' cannot be looked for in names of cases"));
}

TEST_CASE("a parameter beside the axes is shown its place", "[sweep]") {
  CHECK_THAT(with("threads: 2"), ContainsSubstring("sweep.yaml:5:5: unknown key 'threads'") &&
                                     ContainsSubstring("did you mean 'parameters: {threads: ...}'?"));
  CHECK(with("parameters: {grids: 8}") ==
        "sweep.yaml:5:18: 'grids' is no parameter; expected it beside 'parameters'");
}

TEST_CASE("an unknown word is shown with the nearest one", "[sweep]") {
  CHECK(complaint_of_block("kernels: [jacobi, jacboi]\ngrids: 8x8") ==
        "sweep.yaml:3:23: found 'jacboi'; expected a kernel: jacobi, red_black_sor, smoothing, apply or all; "
        "did you mean 'jacobi'?");
  CHECK(complaint_of_block("solvers: cgg\ngrids: 8x8") ==
        "sweep.yaml:3:14: found 'cgg'; expected a solver: cg, sor or all; did you mean 'cg'?");
  CHECK(with("backends: [serial, openmpi]") ==
        "sweep.yaml:5:24: found 'openmpi'; expected a backend: serial, openmp, kokkos, cuda or all; "
        "did you mean 'openmp'?");
  CHECK(
      with("precisions: fp46") ==
      "sweep.yaml:5:17: found 'fp46'; expected a precision: fp32, fp64, mixed or all; did you mean 'fp64'?");
  CHECK(with_solver("problem: heated-plate") ==
        "sweep.yaml:5:14: found 'heated-plate'; expected a problem: heated_plate, manufactured, jump or all; "
        "did you mean 'heated_plate'?");
}

TEST_CASE("a wrong operator is shown the declaration, and one that no kernel of the block has is an error",
          "[sweep]") {
  CHECK(complaint_of_block("kernels: apply\ngrids: 8x8\noperator: [constant, array]") ==
        "sweep.yaml:5:26: found 'array'; expected operator: constant or arrays; of A; default constant; did "
        "you "
        "mean 'arrays'?");
  CHECK(complaint_of_block("kernels: jacobi\nbackends: serial\ngrids: 8x8\noperator: arrays") ==
        "sweep.yaml:6:5: no row of this block has a setting 'operator'; expected none");
}

TEST_CASE("a method that no row of the block has is an error", "[sweep]") {
  CHECK(complaint_of_block(
            "kernels: red_black_sor\nbackends: [serial, cuda]\nmethods: [plain, splitt]\ngrids: 8x8") ==
        "sweep.yaml:5:22: no row of this block has a method 'splitt'; expected plain, split, default or all; "
        "did you mean 'split'?");
  CHECK_THAT(complaint_of_block("kernels: red_black_sor\nbackends: serial\nmethods: split\ngrids: 8x8"),
             ContainsSubstring("no row of this block has a method 'split'"));
}

TEST_CASE("a parameter that no row of the block has is an error", "[sweep]") {
  CHECK(with("backends: [openmp, cuda]\nparameters: {blok_x: 16}") ==
        "sweep.yaml:6:18: no row of this block has a setting 'blok_x'; expected block_x, block_y or threads; "
        "did you mean 'block_x'?");
  CHECK(with("backends: serial\nparameters: {threads: 2}") ==
        "sweep.yaml:6:18: no row of this block has a setting 'threads'; expected none");
}

TEST_CASE("a word without a row in its block is an error", "[sweep]") {
  CHECK_THAT(
      complaint_of_block("solvers: [cg, sor]\nbackends: openmp\ngrids: 8x8"),
      ContainsSubstring("sweep.yaml:3:19: the catalog has no row for 'sor' with the rest of this block"));
  CHECK_THAT(with("precisions: [fp64, mixed]"),
             ContainsSubstring("sweep.yaml:5:24: the catalog has no row for 'mixed'"));
}

TEST_CASE("a value of the wrong type says which was expected", "[sweep]") {
  CHECK(with("precisions: {fp64: yes}") ==
        "sweep.yaml:5:17: found a map; expected a precision: fp32, fp64, mixed or all");
  CHECK(with("backends: [[serial]]") ==
        "sweep.yaml:5:16: found a list; expected a backend: serial, openmp, kokkos, cuda or all");
  CHECK(with("methods: ['']") == "sweep.yaml:5:15: found ''; expected a method, default or all");
  CHECK(with("parameters: [16]") ==
        "sweep.yaml:5:18: found '16'; expected a map such as {block_x: [16, 32]}, or tuned, default or both");
  CHECK(with("parameters: tunned") ==
        "sweep.yaml:5:17: found 'tunned'; expected a map such as {block_x: [16, 32]}, or tuned, default or "
        "both; did "
        "you mean 'tuned'?");
  CHECK(with("parameters: {threads: two}") ==
        "sweep.yaml:5:27: found 'two'; expected threads: a whole number from 1 on, or max; of the host; "
        "default 4");
  CHECK(with("parameters: {block_x: max}") ==
        "sweep.yaml:5:27: found 'max'; expected block_x: a whole number from 1 on; threads along x; default "
        "32");
  CHECK(with("parameters: {block_x: 16.5}") ==
        "sweep.yaml:5:27: found '16.5'; expected block_x: a whole number from 1 on; threads along x; default "
        "32");
  CHECK(with("parameters: {block_x: 99999999999}") ==
        "sweep.yaml:5:27: found '99999999999'; expected block_x: a whole number from 1 on; threads along x; "
        "default 32");
  CHECK(with_solver("tolerance: small") ==
        "sweep.yaml:5:16: found 'small'; expected tolerance: a number above 0 and below 1; of the residual; "
        "default 1e-06");
  CHECK(with_solver("max_iterations: 1e4") ==
        "sweep.yaml:5:21: found '1e4'; expected max_iterations: a whole number from 1 on; at most; default "
        "10000");
  CHECK(complaint("question: [a]\nblocks: []\n") ==
        "sweep.yaml:1:11: found a list; expected the question that the sweep answers");
  CHECK(complaint("question: q\nblocks: [jacobi]\n") ==
        "sweep.yaml:2:10: found 'jacobi'; expected a block: a map with kernels or solvers, and grids");
  CHECK_THAT(complaint("- a\n- b\n"), ContainsSubstring("sweep.yaml:1:1: "));
}

TEST_CASE("no threads, no block and no iterations are impossible", "[sweep]") {
  CHECK(
      with("parameters: {block_x: 0}") ==
      "sweep.yaml:5:27: found '0'; expected block_x: a whole number from 1 on; threads along x; default 32");
  CHECK(with("parameters: {threads: [1, -2]}") ==
        "sweep.yaml:5:31: found '-2'; expected threads: a whole number from 1 on, or max; of the host; "
        "default 4");
  CHECK(with_solver("max_iterations: 0") ==
        "sweep.yaml:5:21: found '0'; expected max_iterations: a whole number from 1 on; at most; default "
        "10000");
}

TEST_CASE("tolerances lie between 0 and 1", "[sweep]") {
  for (const char* bad : {"0", "1", "-1e-6", ".nan", ".inf"})
    CHECK(with_solver(std::string("tolerance: ") + bad) ==
          std::string("sweep.yaml:5:16: found '") + bad +
              "'; expected tolerance: a number above 0 and below 1; of the residual; default 1e-06");
}

TEST_CASE("a real number or a word out of its range is shown the declaration", "[sweep]") {
  const auto with_sor = [](const std::string& line) {
    return complaint_of_block("solvers: sor\nbackends: serial\ngrids: 8x8\n" + line);
  };
  for (const char* bad : {"2", "0", "best", "1.9x"})
    CHECK(
        with_sor(std::string("parameters: {omega: ") + bad + "}") ==
        std::string("sweep.yaml:6:25: found '") + bad +
            "'; expected omega: a number above 0 and below 2, or optimal; over-relaxation; default optimal");
  CHECK(
      with_sor("parameters: {order: row}") ==
      "sweep.yaml:6:25: found 'row'; expected order: red_black or rows; of the cells; default red_black; did "
      "you mean 'rows'?");
  CHECK(
      with_sor("conductivity: -1") ==
      "sweep.yaml:6:19: found '-1'; expected conductivity: a number above 0; beyond the jump; default 1000");
  CHECK(with_sor("conductivity: 10") ==
        "sweep.yaml:6:5: no row of this block has a setting 'conductivity'; expected max_iterations, omega, "
        "order, problem or tolerance");
  CHECK(with_sor("parameters: {conductivity: 10}") ==
        "sweep.yaml:6:18: 'conductivity' is no parameter; expected it beside 'parameters'");
}

TEST_CASE("an empty axis says what belongs there", "[sweep]") {
  CHECK(with("backends: []") ==
        "sweep.yaml:5:15: 'backends' is empty; expected a backend: serial, openmp, kokkos, cuda or all");
  CHECK_THAT(with_grids("[]"),
             ContainsSubstring("sweep.yaml:4:12: 'grids' is empty; expected a grid such as 512x512"));
  CHECK(with_grids("") == "sweep.yaml:4:5: 'grids' has no value; expected one");
  CHECK(with("parameters: {block_x: []}") ==
        "sweep.yaml:5:27: 'block_x' is empty; expected block_x: a whole number from 1 on; threads along x; "
        "default 32");
  CHECK(complaint("question: q\nblocks: []\n") ==
        "sweep.yaml:2:9: 'blocks' is empty; expected at least one block");
}

TEST_CASE("what must be there is missed", "[sweep]") {
  CHECK(complaint("blocks:\n  - {kernels: jacobi, grids: 8x8}\n") ==
        "sweep.yaml:1:1: 'question' is missing; expected what the sweep answers");
  CHECK(complaint("question: q\n") == "sweep.yaml:1:1: 'blocks' is missing; expected at least one block");
  CHECK(complaint_of_block("grids: 8x8") ==
        "sweep.yaml:3:5: a block names nothing to run; expected kernels or solvers");
  CHECK(complaint_of_block("kernels: jacobi") ==
        "sweep.yaml:3:5: a block has no grids; expected grids such as [512x512]");
}

TEST_CASE("a block is about kernels or about solvers", "[sweep]") {
  CHECK(with("solvers: cg") ==
        "sweep.yaml:5:5: a block has kernels and solvers; expected one of the two in a block");
  CHECK(
      with("tolerance: 1e-3") ==
      "sweep.yaml:5:5: no row of this block has a setting 'tolerance'; expected block_x, block_y or threads");
}

TEST_CASE("a grid is NXxNY or NXxNYxNZ", "[sweep]") {
  for (const char* bad :
       {"512", "8x", "x8", "8x8x8x8", "8*8", "0x8", "8x-8", "8x8x0", "8.5x8", "99999999999x8"})
    CHECK_THAT(with_grids(bad), ContainsSubstring(std::string("sweep.yaml:4:12: '") + bad +
                                                  "' is no grid; expected a grid such as 512x512"));
  CHECK(with_grids("8x2000000") ==
        "sweep.yaml:4:12: grid 8x2000000 is too large; expected sides of at most 1048576");
  CHECK(with_grids("{range: [4, 4000000, 1999998]}") ==
        "sweep.yaml:4:12: grid 2000002x2000002 is too large; expected sides of at most 1048576");
}

TEST_CASE("an impossible series says why", "[sweep]") {
  CHECK(with_grids("{powers_of_two: [1024, 64]}") ==
        "sweep.yaml:4:28: 'powers_of_two' runs from 1024 down to 64; expected [LOW, HIGH] with LOW at most "
        "HIGH");
  CHECK(with_grids("{range: [500, 100, 100]}") ==
        "sweep.yaml:4:20: 'range' runs from 500 down to 100; expected [LOW, HIGH] or [LOW, HIGH, STEP] with "
        "LOW at "
        "most HIGH");
  CHECK(with_grids("{powers_of_two: [64, 100]}") ==
        "sweep.yaml:4:33: 100 is no power of two; expected one such as 64 or 128");
  CHECK(with_grids("{range: [100, 500, 0]}") ==
        "sweep.yaml:4:31: found '0'; expected a whole number from 1 on");
  CHECK(with_grids("{range: [1, 1000000]}") ==
        "sweep.yaml:4:20: 'range' has 1000000 values; expected at most 100000");
  CHECK(with_grids("{range: 100}") ==
        "sweep.yaml:4:20: 'range' has other bounds; expected [LOW, HIGH] or [LOW, HIGH, STEP]");
  CHECK(with_grids("{powers_of_two: [1, 2, 3]}") ==
        "sweep.yaml:4:28: 'powers_of_two' has other bounds; expected [LOW, HIGH]");
  CHECK(with_grids("{dims: 3}") == "sweep.yaml:4:12: a series has no rule; expected powers_of_two or range");
  CHECK_THAT(with_grids("{range: [1, 2], powers_of_two: [1, 2]}"),
             ContainsSubstring("sweep.yaml:4:28: a series has two rules"));
  CHECK(with_grids("{powers_of_two: [1, 2], dims: 4}") == "sweep.yaml:4:42: found '4'; expected 2 or 3");
  CHECK(with_grids("{power_of_two: [1, 2]}") ==
        "sweep.yaml:4:13: unknown key 'power_of_two'; expected powers_of_two, range, plus or dims; "
        "did you mean 'powers_of_two'?");
  CHECK_THAT(with("parameters: {threads: {range: [1, 2], dims: 3}}"),
             ContainsSubstring("sweep.yaml:5:43: unknown key 'dims'"));
  CHECK_THAT(with("parameters: {block_x: {range: [1, 2], plus: 2000000000}}"),
             ContainsSubstring("is too large"));
}

TEST_CASE("zipped axes must be of this block, equally long, and zipped once", "[sweep]") {
  const std::string threads = "parameters: {threads: [1, 2]}\n";  // line 5
  CHECK(with(threads + "zip: [grids, threads]") ==
        "sweep.yaml:6:18: zip of grid with 1 values and threads with 2; expected equally many");
  CHECK(with(threads + "zip: [threads, thread]") ==
        "sweep.yaml:6:20: zip of 'thread', which this block does not have; expected grid, kernel, "
        "precision, backend or threads; did you mean 'threads'?");
  CHECK(with("zip: [grids, grid]") == "sweep.yaml:5:18: 'grid' is zipped twice; expected once");
  CHECK(with("zip: [[kernels, grids], [grids, kernels]]") ==
        "sweep.yaml:5:30: 'grids' is zipped twice; expected once");
  CHECK(with("zip: [grids]") ==
        "sweep.yaml:5:10: zip is too short; expected two or more axes such as [grids, threads], "
        "or a list of such lists");
  CHECK_THAT(with("zip: grids"), ContainsSubstring("sweep.yaml:5:10: zip is too short"));
}

TEST_CASE("an exclude that removes nothing is taken for a slip", "[sweep]") {
  const std::string backends = "backends: [serial, openmp]\n";  // line 5
  CHECK(with(backends + "exclude: [{backend: serial}, {backend: cuda}]") ==
        "sweep.yaml:6:34: this exclude removes nothing; expected a pattern that some case of the block has");
  CHECK_THAT(with(backends + "exclude: [{grid: 9x9}]"), ContainsSubstring("removes nothing"));
  CHECK_THAT(with(backends + "exclude: [{backend: serial, threads: 1}]"),
             ContainsSubstring("removes nothing"));
  CHECK(with(backends + "exclude: [{bakend: serial}]") ==
        "sweep.yaml:6:16: unknown key 'bakend'; expected problem, conductivity, grid, kernel, solver, "
        "precision, operator, "
        "tolerance, max_iterations, backend, device, method, parameters, threads, block_x, block_y, omega or "
        "order; did you mean 'backend'?");
  CHECK(with(backends + "exclude: [{}]") ==
        "sweep.yaml:6:15: the pattern is empty; expected a map such as {backend: cuda}");
  CHECK(with(backends + "exclude: [serial]") ==
        "sweep.yaml:6:15: found 'serial'; expected a map such as {backend: cuda, block_x: 16}");
}

TEST_CASE("an exclude that leaves nothing is taken for a slip", "[sweep]") {
  CHECK_THAT(with("exclude: [{kernel: jacobi}]"),
             ContainsSubstring("sweep.yaml:3:5: the excludes of this block leave nothing"));
}

TEST_CASE("an include is checked like a block", "[sweep]") {
  CHECK_THAT(with("include: [{grdis: 9x9}]"), ContainsSubstring("sweep.yaml:5:16: unknown key 'grdis'") &&
                                                  ContainsSubstring("did you mean 'grids'?"));
  CHECK_THAT(with("include: [{zip: [grids, kernels]}]"),
             ContainsSubstring("sweep.yaml:5:16: unknown key 'zip'"));
  CHECK_THAT(with("backends: openmp\ninclude: [{methods: fused}]"),
             ContainsSubstring("sweep.yaml:6:25: no row of this block has a method 'fused'"));
}

TEST_CASE("a key that is set twice is an error", "[sweep]") {
  CHECK(with("grids: 9x9") ==
        "sweep.yaml:5:5: 'grids' is set twice; expected once (it is first set in line 4)");
  CHECK(with("grid: 9x9") ==
        "sweep.yaml:5:5: 'grid' is set twice; expected once (it is first set in line 4)");
  CHECK(complaint(head + "question: r\n") ==
        "sweep.yaml:4:1: 'question' is set twice; expected once (it is first set in line 1)");
}

TEST_CASE("a sweep of more than a million combinations is refused before it is expanded", "[sweep]") {
  CHECK(with("backends: cuda\nparameters: {block_x: {range: [1, 2000]}, block_y: {range: [1, 2000]}}") ==
        "sweep.yaml:3:5: with this block the sweep has 1.2e+07 combinations; expected at most 1000000");
}

TEST_CASE("what is no YAML says where it stops to be", "[sweep]") {
  CHECK_THAT(complaint("question: q\nblocks: [a,\n"), ContainsSubstring("sweep.yaml:3:1: is no YAML: "));
  CHECK_THAT(complaint("question: q\nblocks: *nowhere\n"), ContainsSubstring("sweep.yaml:2:9: is no YAML: "));
  CHECK_THAT(complaint(std::string("question: q\nblocks: ") + std::string(100000, '[')),
             ContainsSubstring("is no YAML: "));
  CHECK(complaint(", 1\n") == "sweep.yaml:1:1: expected a map with 'question' and 'blocks'");
  CHECK(complaint("") == "sweep.yaml:1:1: expected a map with 'question' and 'blocks'");
  CHECK(complaint("# only a comment\n") == "sweep.yaml:1:1: expected a map with 'question' and 'blocks'");
  CHECK(complaint(head + "---\n" + head) == "sweep.yaml:4:1: a second document begins; expected one a file");
}

TEST_CASE("a file that cannot be read says why", "[sweep]") {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("cfdmark_unreadable_" + std::to_string(getpid()));
  fs::create_directories(folder / "poisson.yaml");
  const auto message = [&](const char* name) -> std::string {
    try {
      read_sweep((folder / name).string(), {}, small_catalog());
    } catch (const SweepError& e) {
      return e.what();
    }
    return "";
  };
  CHECK(message("poison.yaml") ==
        (folder / "poison.yaml").string() +
            ": cannot be read: No such file or directory; expected a sweep file; did you mean '" +
            (folder / "poisson.yaml").string() + "'?");
  CHECK_THAT(message("quick.yaml"), !ContainsSubstring("did you mean"));
  CHECK(message("poisson.yaml") ==
        (folder / "poisson.yaml").string() + ": cannot be read: Is a directory; expected a sweep file");
  fs::remove_all(folder);
}
