// Questions, their problems, and who competes for an answer.
#include "bench/choose/question.hpp"

#include <set>

#include "bench/case/row_settings.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

template <class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

AskedChoice asked(const std::string& question, const std::string& grid = "33x33") {
  AskedChoice choice;
  choice.question = question;
  choice.grid = grid;
  return choice;
}

std::vector<Case> runnable(const AskedChoice& choice) {
  std::vector<Case> cases = competing_cases(choice);
  std::erase_if(cases, [](const Case& c) { return !c.not_run.empty(); });
  return cases;
}

}  // namespace

TEST_CASE("the coefficients and the boundary choose the problem of the pressure", "[choose]") {
  AskedChoice choice = asked("pressure");
  CHECK(problem_of(choice) == "manufactured");
  choice.boundary = "neumann";
  CHECK(problem_of(choice) == "insulated");
  choice.boundary = "periodic";
  CHECK(problem_of(choice) == "periodic_box");
  choice.boundary = "dirichlet", choice.coefficients = "jump";
  CHECK(problem_of(choice) == "jump");
  choice.boundary = "neumann";
  CHECK_THAT(error_of([&] { problem_of(choice); }),
             Mentions({"jump", "neumann", "--coefficients constant --boundary neumann"}));
  choice.problem = "jump";
  CHECK_THAT(error_of([&] { problem_of(choice); }), Mentions({"--problem", "remove"}));
}

TEST_CASE("an unknown question, problem, backend, precision or setting is an error with the valid ones",
          "[choose]") {
  CHECK_THAT(
      error_of([] { find_question("presure"); }),
      Mentions({"'presure'", "pressure, momentum, flow, relaxation or matrix", "did you mean 'pressure'"}));
  AskedChoice choice = asked("flow");
  choice.problem = "cavty";
  CHECK_THAT(error_of([&] { competing_cases(choice); }), Mentions({"--problem", "cavity"}));
  choice = asked("momentum");
  choice.boundary = "neumann";
  CHECK_THAT(error_of([&] { competing_cases(choice); }), Mentions({"--boundary", "--problem"}));
  choice = asked("pressure");
  choice.backends = {"opencl"};
  CHECK_THAT(error_of([&] { competing_cases(choice); }), Mentions({"--backend opencl", "openmp"}));
  choice = asked("pressure");
  choice.precisions = {"fp16"};
  CHECK_THAT(error_of([&] { competing_cases(choice); }), Mentions({"--precision fp16", "fp32"}));
  choice = asked("pressure");
  choice.settings.pairs = {"peclet=1"};
  CHECK_THAT(error_of([&] { competing_cases(choice); }), Mentions({"pressure", "peclet"}));
}

TEST_CASE("each question has candidates of every solver of its kind, and each runs or says why not",
          "[choose]") {
  for (const Question& question : questions()) {
    INFO(question.name);
    AskedChoice choice;
    choice.question = question.name;
    const std::vector<Case> cases = competing_cases(choice);
    std::set<std::string> names, solvers;
    for (const Case& c : cases) {
      CHECK(names.insert(case_name(c)).second);
      solvers.insert(c.row->name);
    }
    for (const FamilySolver& solver : cases.front().row->family->solvers)
      CHECK(solvers.contains(solver.name));
    CHECK(runnable(choice).size() > 5);
  }
}

TEST_CASE("one's own matrix is a question of its own, and its answer is a command that solves it",
          "[choose]") {
  AskedChoice choice;
  choice.question = "matrix";
  choice.matrix = "convection_1-12x12";
  const std::vector<Case> cases = runnable(choice);
  for (const Case& c : cases) {
    CHECK((c.row->name == "matrix_bicgstab" || c.row->method == "boomeramg"));  // others need symmetry
    CHECK_THAT(solve_command(c), Mentions({"--solver " + c.row->name, "--matrix convection_1-12x12"}));
  }
  choice.grid = "9x9";
  CHECK_THAT(error_of([&] { competing_cases(choice); }), Mentions({"--grid", "--matrix A.mtx"}));
  choice.grid = "", choice.matrix = "33x33";
  CHECK_THAT(error_of([&] { competing_cases(choice); }),
             Mentions({"--matrix 33x33", ".mtx", "poisson-100x100"}));
  choice.matrix = "", choice.rhs = "b.mtx";
  CHECK_THAT(error_of([&] { competing_cases(choice); }), Mentions({"--rhs", "--matrix A.mtx"}));
  choice = asked("pressure");
  choice.matrix = "A.mtx";
  CHECK_THAT(error_of([&] { competing_cases(choice); }), Mentions({"`choose matrix`", "pressure"}));
}

TEST_CASE("solvers with many iterations and 32 bits are tried last", "[choose]") {
  const std::vector<Case> cases = runnable(asked("pressure"));
  CHECK(cases.front().row->name != "jacobi");
  CHECK(cases.back().row->precision == Precision::fp32);
  CHECK(find_solver(*cases.back().row->family, cases.back().row->name)->is_slow);
}

TEST_CASE("a variant competes where a method has its settings, besides the defaults", "[choose]") {
  AskedChoice choice = asked("pressure");
  choice.backends = {"serial"};
  choice.precisions = {"fp64"};
  std::set<std::string> narrow;
  for (const Case& c : runnable(choice))
    if (c.config.is("preconditioner_precision", "fp32")) narrow.insert(c.row->name + "/" + c.row->method);
  CHECK(narrow.contains("pcg/multigrid"));
  CHECK_FALSE(narrow.contains("pcg/textbook"));
  choice.settings.pairs = {"preconditioner_precision=same", "tolerance=1e-9"};
  for (const Case& c : runnable(choice)) {
    CHECK_FALSE(c.config.is("preconditioner_precision", "fp32"));
    CHECK(c.workload.real("tolerance") == 1e-9);
  }
}

TEST_CASE("the command of a case has what differs from the defaults", "[choose]") {
  AskedChoice choice = asked("pressure", "33x17");
  choice.backends = {"serial"};
  choice.precisions = {"fp64"};
  choice.coefficients = "jump";
  choice.settings.pairs = {"conductivity=10"};
  for (const Case& c : runnable(choice))
    if (c.row->name == "pcg" && c.row->method == "multigrid" &&
        c.config.is("preconditioner_precision", "fp32"))
      CHECK(solve_command(c) ==
            "cfdmark solve --solver pcg --problem jump --grid 33x17 --backend serial --precision fp64 "
            "--method multigrid --conductivity 10 --set preconditioner_precision=fp32");
}
