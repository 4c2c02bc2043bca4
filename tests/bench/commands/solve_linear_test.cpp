// The program on linear problems: messages about failing multigrid.
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("a linear solve whose smoother diverges says when, and ends with status 1",
          "[program][multigrid]") {
  const Ended wild = cfdmark_with(
      "solve --solver multigrid --problem manufactured --grid 64x64 --backend serial --set smoother=jacobi "
      "--set omega=1.95");
  CHECK(wild.status == 1);
  CHECK_THAT(wild.out, Mentions({"DIVERGED by iteration ", "reduce omega"}));
}

TEST_CASE("a multigrid of too few levels warns about its coarsest grid", "[program][multigrid]") {
  const std::string solve =
      "solve --solver multigrid --problem manufactured --grid 65x65 --backend serial --max-iterations 5 ";
  CHECK_THAT(cfdmark_with(solve + "--set levels=2").out, Mentions({"1024 unknowns", "coarsest_sweeps=20"}));
  CHECK_THAT(cfdmark_with(solve).out,
             !ContainsSubstring("coarsest_sweeps") && ContainsSubstring("coarsest_unknowns"));
}

TEST_CASE("time by routine lists each of multigrid's grids with the routines there", "[program][multigrid]") {
  const Ended solve = cfdmark_with(
      "solve --solver multigrid --problem manufactured --grid 20x18 --backend serial --routines");
  INFO(solve.err);
  CHECK(solve.status == 0);
  CHECK_THAT(solve.out, Mentions({"\n  smooth ", "\n  on the grid ", "\n  20x18 smooth ",
                                  "\n  10x9 restrict ", "\n  5x4 prolong ", "\n  1x1 coarsest "}));
}

TEST_CASE(
    "a solve whose own residual meets the tolerance but whose true residual does not, has not converged",
    "[program]") {
  const std::string solve = "solve --solver cg --grid 63x63 --backend serial --tolerance 1e-10 --precision ";
  const Ended few_bits = cfdmark_with(solve + "fp32");
  CHECK(few_bits.status == 1);
  CHECK_THAT(few_bits.out, Mentions({"NOT converged after ", "1e-10", "--precision mixed"}));
  for (const char* precision : {"mixed", "fp64"}) {
    const Ended enough = cfdmark_with(solve + precision);
    CHECK(enough.status == 0);
    CHECK_THAT(enough.out, ContainsSubstring("converged in ") && !ContainsSubstring("NOT converged"));
  }
}

TEST_CASE("a solve on ranks prints the residuals of one rank, and refuses what does not run on ranks",
          "[program][ranks]") {
  const std::string solves[] = {
      "solve --solver cg --method textbook --grid 33x21 --backend serial",
      "solve --solver sor --method plain --grid 33x21 --backend serial",
      "solve --solver pcg --method multigrid --grid 33x20 --backend serial",
      "solve --solver multigrid --method plain --grid 33x20 --backend serial",
      "solve --problem cavity --solver simple --grid 16x12 --tolerance 1e-3 --backend serial",
      "solve --problem cavity --solver projection --grid 16x12 --tolerance 1e-3 "
      "--backend serial"};
  // The number of iterations, the residuals and the results. A slow solve prints more lines of its history.
  const auto answer = [](const Ended& ended) {
    const std::size_t first = ended.out.find("converged in");
    return ended.out.substr(first, ended.out.find("time to solution") - first);
  };
  for (const std::string& solve : solves) {
    INFO(solve);
    const Ended one = cfdmark_with(solve);
    CHECK_THAT(one.out, ContainsSubstring("converged in "));
    for (const char* ranks : {"--ranks 2", "--ranks 3 --partition 3x1", "--ranks 4 --partition blocks"}) {
      const Ended several = cfdmark_with(solve + " " + ranks);
      INFO(several.err);
      CHECK(several.status == 0);
      CHECK_THAT(several.out, ContainsSubstring(" ranks, "));
      CHECK(answer(several) == answer(one));
    }
  }
  const auto refusal = [](const std::string& options) { return cfdmark_with("solve " + options).err; };
  CHECK_THAT(refusal("--solver gauss_seidel --grid 33x33 --ranks 2"),
             ContainsSubstring("use jacobi/plain, sor/plain"));
  CHECK_THAT(refusal("--solver direct --grid 33x33 --ranks 2"),
             ContainsSubstring("use jacobi/plain, sor/plain"));
  CHECK_THAT(refusal("--problem cavity --solver projection --pressure-solver direct --grid 16x16 --ranks 2"),
             ContainsSubstring("use multigrid, pcg, cg or sor"));
  CHECK_THAT(refusal("--grid 33x33 --backend openmp --ranks 2"), ContainsSubstring("use --backend serial"));
  CHECK_THAT(refusal("--grid 33x33 --ranks 2 --partition cubes"),
             ContainsSubstring("unknown partition 'cubes'"));
  CHECK_THAT(refusal("--grid 33x33 --ranks 40"), ContainsSubstring("has no slabs for 40 ranks"));
}
