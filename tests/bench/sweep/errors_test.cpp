// Errors of sweeps: position, what was expected, and a suggestion.
#include <unistd.h>

#include <filesystem>

#include "tests/bench/mentions.hpp"
#include "tests/bench/sweep/sweep_support.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Adds a line to a block of jacobi on 8x8; it is line 5 of the file.
std::string with(const std::string& line) {
  return complaint_of_block("kernels: jacobi\ngrids: 8x8\n" + line);
}
std::string with_grids(const std::string& grids) {
  return complaint_of_block("kernels: jacobi\ngrids: " + grids);
}
std::string with_solver(const std::string& line) {
  return complaint_of_block("solvers: cg\ngrids: 8x8\n" + line);
}

// Matches an error at this line and column that mentions the words.
Mentions at(const std::string& position, const std::vector<std::string>& words) {
  return Mentions(words, "sweep.yaml:" + position + ": ");
}

const std::string head = "question: q\nblocks:\n  - {kernels: jacobi, grids: 8x8}\n";

}  // namespace

TEST_CASE("a device is a number, of a backend that has several", "[sweep]") {
  CHECK_THAT(complaint_of_block("kernels: jacobi\ngrids: 8x8\nbackends: cuda\ndevices: [first]"),
             at("6:15", {"'first'", "CUDA"}));
  CHECK_THAT(complaint_of_block("kernels: jacobi\ngrids: 8x8\nbackends: cuda\ndevices: -1"),
             at("6:14", {"'-1'", "CUDA"}));
  CHECK_THAT(complaint_of_block("kernels: jacobi\ngrids: 8x8\nbackends: serial\ndevices: 1"),
             at("6:14", {"'1'", "'cfdmark list'"}));
}

TEST_CASE("the blocks that these tests modify are valid", "[sweep]") {
  CHECK(with("") == "");
  CHECK(with_grids("8x8") == "");
  CHECK(with_solver("") == "");
  CHECK(complaint(head) == "");
}

TEST_CASE("an unknown key is an error with a suggestion", "[sweep]") {
  CHECK_THAT(with("grid_sizes: 8x8"),
             at("5:5", {"'grid_sizes'",
                        "problem, conductivity, grid, kernel, solver, precision, operator, tolerance, "
                        "max_iterations, backend, device, ranks, partition, join, method, parameters, zip, "
                        "exclude or include"}));
  CHECK_THAT(with("backend: serial\nprecission: fp64"), at("6:5", {"'precission'", "'precision'"}));
  CHECK_THAT(with("metods: plain"), at("5:5", {"'methods'"}));
  CHECK_THAT(with("exlude: []"), at("5:5", {"'exclude'"}));
  CHECK_THAT(complaint(head + "qestion: x\n"),
             at("4:1", {"'qestion'", "'question'", "question, routines, blocks or targets"}));
}

TEST_CASE("a sweep requests the time by routine of all its cases, or of none", "[sweep]") {
  for (const Case& c : sweep_of(head).cases) CHECK_FALSE(c.routines);
  for (const Case& c : sweep_of(head + "routines: false\n").cases) CHECK_FALSE(c.routines);
  const Sweep asked = sweep_of(head + "routines: true\n");
  CHECK(!asked.cases.empty());
  for (const Case& c : asked.cases) CHECK(c.routines);
  CHECK_THAT(complaint(head + "routines: maybe\n"), at("4:11", {"'maybe'", "true or false"}));
}

TEST_CASE("a sweep sets targets for some cases, as multiples of the speed of plain", "[sweep]") {
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
  CHECK_THAT(wrong("{cases: /cg/, over_plain: 2}"), at("4:10", {"'/cg/'"}));
  CHECK_THAT(wrong("{cases: jacobi, over_plain: fast}"), at("4:38", {"'fast'"}));
  CHECK_THAT(wrong("{cases: jacobi, over_plain: 0}"), at("4:38", {"'0'"}));
  CHECK_THAT(wrong("{cases: jacobi}"), at("4:10", {"over_plain: "}));
  CHECK_THAT(wrong("{cases: jacobi, over: 2}"), at("4:26", {"'over'", "over_plain"}));
  CHECK_THAT(wrong("{cases: '(', over_plain: 2}"), at("4:10", {"'('"}));
}

TEST_CASE("a parameter next to the axes is an error that shows its place", "[sweep]") {
  CHECK_THAT(with("threads: 2"), at("5:5", {"'threads'", "'parameters: {threads: ...}'"}));
  CHECK_THAT(with("parameters: {grids: 8}"), at("5:18", {"'grids'", "'parameters'"}));
}

TEST_CASE("an unknown word is an error with a suggestion", "[sweep]") {
  CHECK_THAT(complaint_of_block("kernels: [jacobi, jacboi]\ngrids: 8x8"),
             at("3:23", {"'jacboi'", "'jacobi'", "jacobi, red_black_sor, smoothing, apply or all"}));
  CHECK_THAT(complaint_of_block("solvers: cgg\ngrids: 8x8"), at("3:14", {"'cgg'", "'cg'", "cg, sor or all"}));
  CHECK_THAT(with("backends: [serial, openmpi]"),
             at("5:24", {"'openmpi'", "'openmp'", "serial, openmp, kokkos, cuda or all"}));
  CHECK_THAT(with("precisions: fp46"), at("5:17", {"'fp46'", "'fp64'", "fp32, fp64, mixed or all"}));
  CHECK_THAT(with_solver("problem: heated-plate"),
             at("5:14", {"'heated-plate'", "'heated_plate'", "heated_plate, manufactured, jump or all"}));
}

TEST_CASE("a wrong operator is an error with the declaration, and so is one that no kernel of the block has",
          "[sweep]") {
  CHECK_THAT(complaint_of_block("kernels: apply\ngrids: 8x8\noperator: [constant, array]"),
             at("5:26", {"'array'", "'arrays'", "constant or arrays"}));
  CHECK_THAT(complaint_of_block("kernels: jacobi\nbackends: serial\ngrids: 8x8\noperator: arrays"),
             at("6:5", {"'operator'", "none"}));
}

TEST_CASE("a method that no row of the block has is an error", "[sweep]") {
  CHECK_THAT(complaint_of_block(
                 "kernels: red_black_sor\nbackends: [serial, cuda]\nmethods: [plain, splitt]\ngrids: 8x8"),
             at("5:22", {"'splitt'", "'split'", "plain, split, default or all"}));
  CHECK_THAT(complaint_of_block("kernels: red_black_sor\nbackends: serial\nmethods: split\ngrids: 8x8"),
             at("5:14", {"'split'", "plain"}));
}

TEST_CASE("a parameter that no row of the block has is an error", "[sweep]") {
  CHECK_THAT(with("backends: [openmp, cuda]\nparameters: {blok_x: 16}"),
             at("6:18", {"'blok_x'", "'block_x'", "block_x, block_y or threads"}));
  CHECK_THAT(with("backends: serial\nparameters: {threads: 2}"), at("6:18", {"'threads'", "none"}));
}

TEST_CASE("a word without a row in its block is an error", "[sweep]") {
  CHECK_THAT(complaint_of_block("solvers: [cg, sor]\nbackends: openmp\ngrids: 8x8"),
             at("3:19", {"'sor'", "'cfdmark list'"}));
  CHECK_THAT(with("precisions: [fp64, mixed]"), at("5:24", {"'mixed'"}));
}

TEST_CASE("a value of the wrong type is an error that says which was expected", "[sweep]") {
  CHECK_THAT(with("precisions: {fp64: yes}"), at("5:17", {"a map", "fp32, fp64, mixed or all"}));
  CHECK_THAT(with("backends: [[serial]]"), at("5:16", {"a list", "serial, openmp, kokkos, cuda or all"}));
  CHECK_THAT(with("methods: ['']"), at("5:15", {"''", "a method, default or all"}));
  CHECK_THAT(with("parameters: [16]"), at("5:18", {"'16'", "{block_x: [16, 32]}", "tuned, default or both"}));
  CHECK_THAT(with("parameters: tunned"), at("5:17", {"'tunned'", "'tuned'"}));
  CHECK_THAT(with("parameters: {threads: two}"), at("5:27", {"'two'", "threads: ", "default 4"}));
  CHECK_THAT(with("parameters: {block_x: max}"), at("5:27", {"'max'", "block_x: ", "default 32"}));
  CHECK_THAT(with("parameters: {block_x: 16.5}"), at("5:27", {"'16.5'", "block_x: ", "default 32"}));
  CHECK_THAT(with("parameters: {block_x: 99999999999}"),
             at("5:27", {"'99999999999'", "block_x: ", "default 32"}));
  CHECK_THAT(with_solver("tolerance: small"), at("5:16", {"'small'", "tolerance: ", "default 1e-06"}));
  CHECK_THAT(with_solver("max_iterations: 1e4"), at("5:21", {"'1e4'", "max_iterations: ", "default 10000"}));
  CHECK_THAT(complaint("question: [a]\nblocks: []\n"), at("1:11", {"question"}));
  CHECK_THAT(complaint("question: q\nblocks: [jacobi]\n"), at("2:10", {"'jacobi'", "kernels or solvers"}));
  CHECK_THAT(complaint("- a\n- b\n"), at("1:1", {"'question'", "'blocks'"}));
}

TEST_CASE("zero threads, blocks or iterations are an error", "[sweep]") {
  CHECK_THAT(with("parameters: {block_x: 0}"), at("5:27", {"'0'", "block_x: ", "default 32"}));
  CHECK_THAT(with("parameters: {threads: [1, -2]}"), at("5:31", {"'-2'", "threads: ", "default 4"}));
  CHECK_THAT(with_solver("max_iterations: 0"), at("5:21", {"'0'", "max_iterations: ", "default 10000"}));
}

TEST_CASE("a tolerance outside 0 to 1 is an error", "[sweep]") {
  for (const char* bad : {"0", "1", "-1e-6", ".nan", ".inf"})
    CHECK_THAT(with_solver(std::string("tolerance: ") + bad),
               at("5:16", {"'" + std::string(bad) + "'", "tolerance: ", "default 1e-06"}));
}

TEST_CASE("a real number or a word out of range is an error with the declaration", "[sweep]") {
  const auto with_sor = [](const std::string& line) {
    return complaint_of_block("solvers: sor\nbackends: serial\ngrids: 8x8\n" + line);
  };
  for (const char* bad : {"2", "0", "best", "1.9x"})
    CHECK_THAT(with_sor(std::string("parameters: {omega: ") + bad + "}"),
               at("6:25", {"'" + std::string(bad) + "'", "omega: ", "default optimal"}));
  CHECK_THAT(with_sor("parameters: {order: row}"), at("6:25", {"'row'", "'rows'", "red_black or rows"}));
  CHECK_THAT(with_sor("conductivity: -1"), at("6:19", {"'-1'", "conductivity: ", "default 1000"}));
  CHECK_THAT(with_sor("conductivity: 10"),
             at("6:5", {"'conductivity'", "max_iterations, omega, order, problem or tolerance"}));
  CHECK_THAT(with_sor("parameters: {conductivity: 10}"), at("6:18", {"'conductivity'", "'parameters'"}));
}

TEST_CASE("an empty axis is an error that says what belongs there", "[sweep]") {
  CHECK_THAT(with("backends: []"), at("5:15", {"'backends'", "serial, openmp, kokkos, cuda or all"}));
  CHECK_THAT(with_grids("[]"), at("4:12", {"'grids'", "512x512"}));
  CHECK_THAT(with_grids(""), at("4:5", {"'grids'"}));
  CHECK_THAT(with("parameters: {block_x: []}"), at("5:27", {"'block_x'", "block_x: ", "default 32"}));
  CHECK_THAT(complaint("question: q\nblocks: []\n"), at("2:9", {"'blocks'"}));
}

TEST_CASE("a missing required key is an error", "[sweep]") {
  CHECK_THAT(complaint("blocks:\n  - {kernels: jacobi, grids: 8x8}\n"), at("1:1", {"'question'"}));
  CHECK_THAT(complaint("question: q\n"), at("1:1", {"'blocks'"}));
  CHECK_THAT(complaint_of_block("grids: 8x8"), at("3:5", {"kernels", "solvers"}));
  CHECK_THAT(complaint_of_block("kernels: jacobi"), at("3:5", {"grids: [512x512]"}));
}

TEST_CASE("a block with both kernels and solvers is an error", "[sweep]") {
  CHECK_THAT(with("solvers: cg"), at("5:5", {"kernels", "solvers"}));
  CHECK_THAT(with("tolerance: 1e-3"), at("5:5", {"'tolerance'", "block_x, block_y or threads"}));
}

TEST_CASE("a grid that is not NXxNY or NXxNYxNZ is an error", "[sweep]") {
  for (const char* bad :
       {"512", "8x", "x8", "8x8x8x8", "8*8", "0x8", "8x-8", "8x8x0", "8.5x8", "99999999999x8"})
    CHECK_THAT(with_grids(bad), at("4:12", {"'" + std::string(bad) + "'", "512x512"}));
  CHECK_THAT(with_grids("8x2000000"), at("4:12", {"8x2000000", "1048576"}));
  CHECK_THAT(with_grids("{range: [4, 4000000, 1999998]}"), at("4:12", {"2000002x2000002", "1048576"}));
}

TEST_CASE("an impossible series is an error with the reason", "[sweep]") {
  CHECK_THAT(with_grids("{powers_of_two: [1024, 64]}"),
             at("4:28", {"'powers_of_two'", "[LOW, HIGH]", "1024", "64"}));
  CHECK_THAT(with_grids("{range: [500, 100, 100]}"),
             at("4:20", {"'range'", "[LOW, HIGH] or [LOW, HIGH, STEP]", "500", "100"}));
  CHECK_THAT(with_grids("{powers_of_two: [64, 100]}"), at("4:33", {"100", "64", "128"}));
  CHECK_THAT(with_grids("{range: [100, 500, 0]}"), at("4:31", {"'0'"}));
  CHECK_THAT(with_grids("{range: [1, 1000000]}"), at("4:20", {"'range'", "1000000", "100000"}));
  CHECK_THAT(with_grids("{range: 100}"), at("4:20", {"'range'", "[LOW, HIGH] or [LOW, HIGH, STEP]"}));
  CHECK_THAT(with_grids("{powers_of_two: [1, 2, 3]}"), at("4:28", {"'powers_of_two'", "[LOW, HIGH]"}));
  CHECK_THAT(with_grids("{dims: 3}"), at("4:12", {"powers_of_two or range"}));
  CHECK_THAT(with_grids("{range: [1, 2], powers_of_two: [1, 2]}"), at("4:28", {"powers_of_two or range"}));
  CHECK_THAT(with_grids("{powers_of_two: [1, 2], dims: 4}"), at("4:42", {"'4'", "2 or 3"}));
  CHECK_THAT(with_grids("{power_of_two: [1, 2]}"),
             at("4:13", {"'power_of_two'", "'powers_of_two'", "powers_of_two, range, plus or dims"}));
  CHECK_THAT(with("parameters: {threads: {range: [1, 2], dims: 3}}"), at("5:43", {"'dims'"}));
  CHECK_THAT(with("parameters: {block_x: {range: [1, 2], plus: 2000000000}}"), at("5:27", {"2000000000"}));
}

TEST_CASE("zipped axes must belong to the block, have equal lengths, and be zipped once", "[sweep]") {
  const std::string threads = "parameters: {threads: [1, 2]}\n";  // line 5
  CHECK_THAT(with(threads + "zip: [grids, threads]"), at("6:18", {"grid", "1", "threads", "2"}));
  CHECK_THAT(with(threads + "zip: [threads, thread]"),
             at("6:20", {"'thread'", "'threads'", "grid, kernel, precision, backend or threads"}));
  CHECK_THAT(with("zip: [grids, grid]"), at("5:18", {"'grid'"}));
  CHECK_THAT(with("zip: [[kernels, grids], [grids, kernels]]"), at("5:30", {"'grids'"}));
  for (const char* zip : {"zip: [grids]", "zip: grids"})
    CHECK_THAT(with(zip), at("5:10", {"zip", "[grids, threads]"}));
}

TEST_CASE("an exclude that removes nothing is an error", "[sweep]") {
  const std::string backends = "backends: [serial, openmp]\n";  // line 5
  CHECK_THAT(with(backends + "exclude: [{backend: serial}, {backend: cuda}]"), at("6:34", {"exclude"}));
  CHECK_THAT(with(backends + "exclude: [{grid: 9x9}]"), at("6:15", {"exclude"}));
  CHECK_THAT(with(backends + "exclude: [{backend: serial, threads: 1}]"), at("6:15", {"exclude"}));
  CHECK_THAT(
      with(backends + "exclude: [{bakend: serial}]"),
      at("6:16",
         {"'bakend'", "'backend'",
          "problem, conductivity, grid, kernel, solver, precision, operator, tolerance, max_iterations, "
          "backend, device, ranks, partition, join, method, parameters, threads, block_x, block_y, omega or "
          "order"}));
  CHECK_THAT(with(backends + "exclude: [{}]"), at("6:15", {"{backend: cuda}"}));
  CHECK_THAT(with(backends + "exclude: [serial]"), at("6:15", {"'serial'", "{backend: cuda, block_x: 16}"}));
}

TEST_CASE("excludes that remove everything are an error", "[sweep]") {
  CHECK_THAT(with("exclude: [{kernel: jacobi}]"), at("3:5", {"excludes"}));
}

TEST_CASE("an include is checked like a block", "[sweep]") {
  CHECK_THAT(with("include: [{grdis: 9x9}]"), at("5:16", {"'grdis'", "'grids'"}));
  CHECK_THAT(with("include: [{zip: [grids, kernels]}]"), at("5:16", {"'zip'"}));
  CHECK_THAT(with("backends: openmp\ninclude: [{methods: fused}]"), at("6:25", {"'fused'"}));
}

TEST_CASE("a key that is set twice is an error", "[sweep]") {
  CHECK_THAT(with("grids: 9x9"), at("5:5", {"'grids'", "line 4"}));
  CHECK_THAT(with("grid: 9x9"), at("5:5", {"'grid'", "line 4"}));
  CHECK_THAT(with("matrices: poisson-9x9"), at("5:5", {"'matrices' and the domains of line 4", "one axis"}));
  CHECK_THAT(complaint(head + "question: r\n"), at("4:1", {"'question'", "line 1"}));
}

TEST_CASE("a sweep of more than a million combinations is an error before it is expanded", "[sweep]") {
  CHECK_THAT(with("backends: cuda\nparameters: {block_x: {range: [1, 2000]}, block_y: {range: [1, 2000]}}"),
             at("3:5", {"1.2e+07", "1000000"}));
}

TEST_CASE("invalid YAML is an error with its position", "[sweep]") {
  CHECK_THAT(complaint("question: q\nblocks: [a,\n"), at("3:1", {"YAML"}));
  CHECK_THAT(complaint("question: q\nblocks: *nowhere\n"), at("2:9", {"YAML"}));
  CHECK_THAT(complaint(std::string("question: q\nblocks: ") + std::string(100000, '[')),
             Mentions({"YAML"}, "sweep.yaml:"));
  CHECK_THAT(complaint(", 1\n"), at("1:1", {"'question'", "'blocks'"}));
  CHECK_THAT(complaint(""), at("1:1", {"'question'", "'blocks'"}));
  CHECK_THAT(complaint("# only a comment\n"), at("1:1", {"'question'", "'blocks'"}));
  CHECK_THAT(complaint(head + "---\n" + head), at("4:1", {"document"}));
}

TEST_CASE("a file that cannot be read is an error with the reason", "[sweep]") {
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
  const std::string poisson = (folder / "poisson.yaml").string(), missing = (folder / "poison.yaml").string();
  CHECK_THAT(message("poison.yaml"),
             Mentions({"No such file or directory", "'" + poisson + "'"}, missing + ": "));
  CHECK_THAT(message("quick.yaml"), !ContainsSubstring("poisson.yaml"));
  CHECK_THAT(message("poisson.yaml"), Mentions({"Is a directory"}, poisson + ": "));
  fs::remove_all(folder);
}
