// The program on flows: output, files and errors.
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <thread>

#include "bench/record/records.hpp"
#include "solvers/flow/table.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/problems/posed_flow.hpp"

using namespace cfdmark;

TEST_CASE("a flow is solved without naming a solver, and its known values are printed", "[program][flow]") {
  const Ended solve = cfdmark_with("solve --problem cavity --grid 16x16 --backend serial --routines");
  INFO(solve.err);
  CHECK(solve.status == 0);
  CHECK_THAT(solve.out,
             Mentions({"cavity on 16x16 by simple (serial, fp64, rhie_chow)", "momentum",
                       "continuity residual", "converged in", "u_min  ", "checkerboard", "solve p'"}));
}

TEST_CASE("a flow that does not converge says so and ends with status 1", "[program][flow]") {
  const Ended slow = cfdmark_with("solve --problem cavity --grid 16x16 --backend serial --max-iterations 20");
  CHECK(slow.status == 1);
  CHECK_THAT(slow.out, Mentions({"NOT converged after 20 iterations", "1e-06"}));
}

TEST_CASE("a flow that diverges reports when and where, and its last valid state is written",
          "[program][flow]") {
  const TemporaryFolder folder;
  const std::string file = folder / "wild.vti";
  const Ended wild = cfdmark_with(
      "solve --problem cavity --grid 16x16 --backend serial --set velocity_relaxation=1 --set "
      "pressure_relaxation=1 --vtk " +
      file);
  CHECK(wild.status == 1);
  CHECK_THAT(wild.out, Mentions({"DIVERGED in iteration ", "at x = ", "in cell ("}));
  const std::string written = text_of(file);
  CHECK_THAT(written, ContainsSubstring("WholeExtent=\"0 16 0 16 0 0\""));
  CHECK(written.find("nan") == std::string::npos);
  CHECK(written.find("inf") == std::string::npos);
  // The speed is printed last.
  const double fastest = std::stod(wild.out.substr(wild.out.rfind(' ')));
  CHECK(fastest > 0);
  CHECK(fastest < 200);
}

TEST_CASE("the advice for a diverged pressure solve helps", "[program][flow]") {
  const std::string piso =
      "solve --solver piso --problem cavity --grid 128x128 --backend openmp --max-iterations 300";
  const std::string advice = "--set pressure_solver=multigrid --set pressure_sweeps=2";
  const Ended wild = cfdmark_with(piso + " --set pressure_solver=sor --set pressure_sweeps=100");
  CHECK_THAT(wild.out, ContainsSubstring("DIVERGED in iteration ") && ContainsSubstring(advice));
  const Ended calm = cfdmark_with(piso + " " + advice);
  CHECK_THAT(calm.out, ContainsSubstring("NOT converged after 300 iterations"));
  CHECK(calm.out.find("DIVERGED") == std::string::npos);
}

TEST_CASE("cells too large for central convection give a warning before the start and after a divergence",
          "[program][flow]") {
  const Ended wild = cfdmark_with(
      "solve --problem cavity --reynolds 1e6 --grid 32x32 --backend serial --set momentum_sweeps=2");
  CHECK(wild.status == 1);
  const std::string advice = "--set convection=upwind or hybrid, or --grid 500000x500000";
  const auto before = wild.out.find("cell Peclet number up to 3.12e+04");
  CHECK(before < wild.out.find("iteration"));
  CHECK(wild.out.find(advice) < wild.out.find("iteration"));
  CHECK(wild.out.rfind(advice) > wild.out.find("DIVERGED in iteration"));
  for (const char* sure : {"--set convection=hybrid --reynolds 1000", "--reynolds 30"}) {
    INFO(sure);
    const Ended solve = cfdmark_with(
        std::string("solve --problem cavity --grid 16x16 --backend serial --max-iterations 20 ") + sure);
    CHECK(solve.out.find("Peclet") == std::string::npos);
  }
}

TEST_CASE("a sweep records when a flow, blocks or a linear solver diverged", "[program][flow][block]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "wild.yaml")
      << "question: Does it converge?\n"
         "blocks:\n"
         "  - {solvers: simple, methods: rhie_chow, backends: serial, precisions: fp64, problem: cavity, "
         "grids: 16x16,\n"
         "     parameters: {velocity_relaxation: 1, pressure_relaxation: 1}}\n"
         "  - {solvers: block_jacobi, methods: plain, backends: serial, precisions: fp64, grids: 12x6x6,\n"
         "     max_iterations: 2000, parameters: {omega: 1.9}}\n"
         "  - {solvers: sor, methods: plain, backends: serial, precisions: fp64, problem: convection, "
         "peclet: "
         "1.99,\n"
         "     grids: 31x31, max_iterations: 300, parameters: {omega: 1.99}}\n";
  const Ended run =
      cfdmark_with("run " + (folder / "wild.yaml") +
                   " --no-roofs --processes 1 --case-seconds 0.02 --output " + (folder / "w.jsonl"));
  INFO(run.out << run.err);
  CHECK(run.status == 1);
  std::vector<std::string> reasons;
  for (const Json& line : read_records(folder / "w.jsonl").lines)
    if (line["type"] == "record") {
      CHECK(line["status"] == "failed");
      reasons.push_back(line["reason"]);
    }
  REQUIRE(reasons.size() == 3);
  CHECK_THAT(reasons[0], ContainsSubstring("diverged in iteration "));
  CHECK_THAT(reasons[1], ContainsSubstring("diverged by iteration 1"));
  CHECK_THAT(reasons[2], ContainsSubstring("diverged by iteration "));
}

// Over-relaxation does not converge for central convection at this cell Peclet number.
TEST_CASE("a linear solver that diverges says so, and one that converges does not", "[program]") {
  const std::string sor =
      "solve --problem convection --peclet 1.99 --solver sor --grid 31x31 --backend serial --max-iterations "
      "3000";
  const Ended wild = cfdmark_with(sor + " --set omega=1.99");
  CHECK(wild.status == 1);
  CHECK_THAT(wild.out, Mentions({"DIVERGED by iteration 20", "reduce omega"}));
  const Ended calm = cfdmark_with(sor + " --set omega=1");
  CHECK(calm.status == 0);
  CHECK_THAT(calm.out, ContainsSubstring("converged in"));
  CHECK(calm.out.find("DIVERGED") == std::string::npos);
}

TEST_CASE("blocks that diverge say so", "[program][block]") {
  const Ended wild = cfdmark_with(
      "solve --solver block_jacobi --grid 12x6x6 --backend serial --set omega=1.9 --max-iterations 2000");
  CHECK(wild.status == 1);
  CHECK_THAT(wild.out, Mentions({"DIVERGED by iteration 1", "reduce omega"}));
}

TEST_CASE("flows have default grids, periodic ones too", "[program][flow]") {
  CHECK_THAT(
      cfdmark_with("solve --problem taylor_green --solver piso --backend serial --max-iterations 1").out,
      ContainsSubstring("taylor_green on 256x256"));
  CHECK_THAT(
      cfdmark_with("solve --problem taylor_green_3d --solver projection --backend serial --max-iterations 1")
          .out,
      ContainsSubstring("taylor_green_3d on 32x32x32"));
}

TEST_CASE("a flow in time reaches its end time", "[program][flow]") {
  const Ended solve =
      cfdmark_with("solve --problem taylor_green --solver piso --grid 16x16 --backend serial --end-time 0.1");
  CHECK(solve.status == 0);
  CHECK_THAT(solve.out, Mentions({"after 4 time steps", "flow time                         0.1 "}));
}

TEST_CASE("PISO prints the momentum residual of its time steps and warns if it is too large",
          "[program][flow]") {
  const std::string piso =
      "solve --problem taylor_green --solver piso --grid 64x64 --backend serial --end-time 0.03";
  const std::string by_default = cfdmark_with(piso).out,
                    by_few = cfdmark_with(piso + " --set momentum_sweeps=3").out;
  CHECK_THAT(by_default, ContainsSubstring("inner residual of momentum") && !ContainsSubstring("warning"));
  CHECK_THAT(by_few, Mentions({"warning", "0.001", "momentum_sweeps"}));
}

TEST_CASE("a grid that does not suit the cylinder gives a warning in solve and run, with better grids",
          "[program][flow]") {
  const std::string warning = "cylinder on 165x31: ";
  const Ended solve = cfdmark_with(
      "solve --problem cylinder --grid 165x31 --reynolds 40 --backend serial --max-iterations 1");
  CHECK_THAT(solve.out, ContainsSubstring(warning) && ContainsSubstring("multiple of 41 rows") &&
                            ContainsSubstring("or --grid 880x164"));
  const TemporaryFolder folder;
  std::ofstream(folder / "cylinder.yaml")
      << "question: Which way does it lift?\n"
         "blocks:\n"
         "  - {solvers: simple, methods: rhie_chow, backends: serial, precisions: fp64, problem: cylinder, "
         "grids: [165x31, 220x41]}\n";
  const Ended run = cfdmark_with("run " + (folder / "cylinder.yaml") + " --dry-run");
  CHECK(run.status == 0);
  CHECK_THAT(run.err, ContainsSubstring(warning) && !ContainsSubstring("220x41:"));
}

TEST_CASE("the body of a tunnel may be drawn", "[program][flow]") {
  const TemporaryFolder folder;
  const std::string file = folder / "square.pgm";
  std::string image = "P2\n40 10\n1\n";
  for (int j = 0; j < 10; ++j)
    for (int i = 0; i < 40; ++i) image += i >= 8 && i < 13 && j >= 3 && j < 8 ? "0 " : "1 ";
  std::ofstream(file) << image;
  const Ended solve = cfdmark_with("solve --backend serial --tolerance 1e-4 --mask " + file);
  INFO(solve.err);
  CHECK(solve.status == 0);
  CHECK_THAT(solve.out,
             ContainsSubstring("tunnel on 40x10 by simple") && ContainsSubstring("drag_coefficient"));
  CHECK_THAT(cfdmark_with("solve --problem cavity --mask " + file).err,
             Mentions({"--mask", "--problem tunnel"}));
  CHECK_THAT(cfdmark_with("solve --diameter 0.5 --mask " + file).err,
             Mentions({file, "--shape", "--diameter"}));
  CHECK_THAT(cfdmark_with("solve --grid 80x20 --mask " + file).err, Mentions({file, "40x10"}));
  std::ofstream(file) << "P5 100000 100000 255\n";
  const Ended huge = cfdmark_with("solve --mask " + file);
  CHECK(huge.status == 2);
  CHECK_THAT(huge.err, Mentions({"square.pgm", "100000x100000"}));
}

TEST_CASE("a 3-D flow is solved by the projection method with stable steps, and written", "[program][flow]") {
  const TemporaryFolder folder;
  const std::string file = folder / "cube.vti";
  const Ended solve = cfdmark_with(
      "solve --problem cavity --solver projection --grid 6x7x8 --backend serial --tolerance 1e-3 "
      "--time-steps stable --vtk " +
      file);
  INFO(solve.err);
  CHECK(solve.status == 0);
  CHECK_THAT(solve.out, Mentions({"cavity on 6x7x8 by projection", "u_min", "flow time"}));
  const std::string written = text_of(file);
  CHECK_THAT(written, ContainsSubstring("WholeExtent=\"0 6 0 7 0 8\"") &&
                          ContainsSubstring("Spacing=\"0.16666666666666666 0.14285714285714285 0.125\""));
  // One line per cell.
  const auto begin = written.find("Name=\"pressure\""), end = written.find("</DataArray>", begin);
  CHECK(std::count(written.begin() + begin, written.begin() + end, '\n') == 1 + 6 * 7 * 8);
}

TEST_CASE("a flow with heat is solved by the projection method, with its temperature in the VTK file",
          "[program][flow]") {
  const TemporaryFolder folder;
  const std::string file = folder / "heat.vti";
  const Ended solve = cfdmark_with(
      "solve --problem natural_convection --solver projection --rayleigh 1000 --grid 12x12 --backend serial "
      "--tolerance 1e-4 --vtk " +
      file);
  INFO(solve.err);
  CHECK(solve.status == 0);
  CHECK_THAT(solve.out, ContainsSubstring("nusselt_hot                       1.1"));
  CHECK_THAT(text_of(file), ContainsSubstring("Name=\"temperature\""));
  CHECK_THAT(cfdmark_with("solve --problem natural_convection --solver piso --backend serial").err,
             ContainsSubstring("--solver projection"));
}

TEST_CASE("a flow with heat needs no named solver and is compared with published values", "[program][flow]") {
  const TemporaryFolder folder;
  const Ended solve = cfdmark_with(
      "solve --problem natural_convection --rayleigh 1000 --grid 12x12 --backend serial --tolerance 1e-4 "
      "--plot " +
      (folder / "heat"));
  INFO(solve.err);
  CHECK(solve.status == 0);
  CHECK_THAT(solve.out, ContainsSubstring("by projection") &&
                            ContainsSubstring("(1.118 by de Vahl Davis 1983, within 0.1 %: 1.") &&
                            ContainsSubstring("vortex marked at (0.5000, 0.5000)"));
  const auto drawn = nlohmann::json::parse(text_of(folder / "heat.json"));
  CHECK(drawn["temperature"].size() == 12);
  CHECK(drawn["vortices"].size() == 1);
  // The hot wall is in the west.
  CHECK(drawn["vortices"][0].size() == 4);
  CHECK(drawn["vortices"][0][3] < 0);
  CHECK_THAT(solve.out, ContainsSubstring(", clockwise"));
  // Settings without published values.
  CHECK_THAT(cfdmark_with("solve --problem natural_convection --rayleigh 1100 --grid 8x8 --backend serial "
                          "--tolerance 1e-3")
                 .out,
             !ContainsSubstring("de Vahl Davis"));
  CHECK_THAT(cfdmark_with("solve --problem cavity --grid 6x6x6 --backend serial --tolerance 1e-2").out,
             ContainsSubstring("cavity on 6x6x6 by projection"));
}

// From rest the flow first exceeds its final speed.
TEST_CASE(
    "published values of an unsteady flow are compared with a flow in time, those of a steady one are not",
    "[flow]") {
  const auto names = [](double reynolds, double end_time) {
    const auto flow = flow_with("cylinder", {110, 20}, {{"reynolds", reynolds}, {"outlet", "pressure"}});
    std::vector<std::string> all;
    for (const PublishedValue& known : comparable_values(flow, {{"end_time", end_time}}, end_time))
      all.push_back(known.name);
    return all;
  };
  CHECK(names(100, 50) ==
        std::vector<std::string>{"strouhal_number", "drag_coefficient_max", "lift_coefficient_max"});
  CHECK(names(20, 50).empty());
  CHECK(names(20, 0).size() == 3);
}

TEST_CASE("strong convection is solved with its default steps", "[program][flow]") {
  const Ended solve = cfdmark_with(
      "solve --problem natural_convection --rayleigh 1e6 --grid 24x24 --backend serial --tolerance 1e-3");
  INFO(solve.err << solve.out);
  CHECK(solve.status == 0);
}

TEST_CASE("a flow with eddies prints their viscosity, and invalid eddy settings are errors",
          "[program][flow]") {
  const Ended solve = cfdmark_with(
      "solve --problem cavity --solver projection --grid 12x12 --backend serial --reynolds 1000 --tolerance "
      "1e-3 "
      "--set eddy_viscosity=smagorinsky --set smagorinsky_constant=0.17");
  INFO(solve.err);
  CHECK(solve.status == 0);
  CHECK_THAT(solve.out, ContainsSubstring("largest_eddy_viscosity            0.00"));
  const auto complaint = [](const std::string& settings) {
    return cfdmark_with("solve --problem cavity --solver projection --grid 12x12 --backend serial " +
                        settings)
        .err;
  };
  CHECK_THAT(complaint("--set eddy_viscosity=smagorinski"),
             ContainsSubstring("none, smagorinsky or mixing_length"));
  CHECK_THAT(complaint("--set eddy_viscosity=smagorinsky --set smagorinsky_constant=-1"),
             ContainsSubstring("a number from 0 to 1"));
  CHECK_THAT(complaint("--set smagorinsky_constant=0.2"), ContainsSubstring("eddy_viscosity=smagorinsky"));
}

TEST_CASE("the VTK file of a flow has every cell", "[program][flow]") {
  const TemporaryFolder folder;
  const std::string file = folder / "tunnel.vti";
  const Ended solve =
      cfdmark_with("solve --problem tunnel --diameter 0.5 --grid 40x10 --backend serial --vtk " + file);
  INFO(solve.err);
  const std::string text = text_of(file);
  CHECK_THAT(text, ContainsSubstring("WholeExtent=\"0 40 0 10 0 0\"") &&
                       ContainsSubstring("Spacing=\"0.1 0.1 1\"") && ContainsSubstring("</VTKFile>"));
  const std::regex vector("\n[-0-9.e]+ [-0-9.e]+ 0(?=\n)"), solid("\n1(?=\n)");
  const auto count = [&](const std::regex& pattern) {
    return std::distance(std::sregex_iterator(text.begin(), text.end(), pattern), std::sregex_iterator());
  };
  CHECK(count(vector) == 400);
  CHECK(count(solid) == 16);  // the cells whose centres lie in a circle five cells across
}

TEST_CASE("a stagnated residual of a steady flow gives advice", "[program][flow]") {
  const std::string cavity =
      "solve --problem cavity --reynolds 3200 --grid 80x80 --backend serial --max-iterations ";
  const Ended round = cfdmark_with(cavity + "3000 --set momentum_sweeps=2");
  CHECK(round.status == 1);
  CHECK_THAT(round.out, Mentions({"--set momentum_sweeps=20"}));
  CHECK_THAT(cfdmark_with(cavity + "1000").out,
             ContainsSubstring("NOT converged") && !ContainsSubstring("--set momentum_sweeps"));
}

TEST_CASE("an output file that cannot be written is an error before the solve, with the reason",
          "[program][flow]") {
  const TemporaryFolder folder;
  namespace fs = std::filesystem;
  fs::create_directory(folder / "taken.vti");
  fs::create_directory(folder / "taken-flow.png");
  fs::create_symlink("/dev/full", folder / "full.vti");
  std::ofstream(folder / "file") << "not a folder\n";
  const auto refuses = [](const std::string& options, const std::string& reason, const char* folder = "/") {
    INFO(folder << ": " << options);
    const Ended solve = cfdmark_with("solve --problem cavity --grid 8x8 --backend serial " + options, "",
                                     fmt::format("cd {} && ", folder));
    CHECK(solve.status == 3);
    CHECK(solve.out.empty());
    CHECK_THAT(solve.err, Mentions({"cannot write ", reason}) && !ContainsSubstring("Success"));
  };
  refuses("--vtk /missing/flow.vti", "/missing: No such file or directory");
  refuses("--plot /missing/flow", "/missing: No such file or directory");
  refuses("--vtk " + (folder / "file/flow.vti"), (folder / "file") + ": Not a directory");
  refuses("--vtk " + (folder / "taken.vti"), "it is a folder");
  refuses("--plot " + (folder / "taken"), "it is a folder");
  refuses("--vtk " + (folder / "full.vti"), "/dev/full is not a regular file");
  // Names without a folder, where not even root can write. The reason depends on how /sys is mounted.
  refuses("--vtk flow.vti", "", "/sys");
  refuses("--plot flow", "", "/sys");
}

TEST_CASE("checking the output files changes no existing file and leaves no new one", "[program][flow]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "old.vti") << "an older flow";
  const std::string solve = "solve --problem cavity --grid 1048576x1048576 --backend serial ";
  CHECK(cfdmark_with(solve + "--vtk " + (folder / "old.vti")).status == 2);  // too large for any memory
  CHECK(text_of(folder / "old.vti") == "an older flow");
  CHECK(cfdmark_with(solve + "--vtk " + (folder / "new.vti") + " --plot " + (folder / "new")).status == 2);
  CHECK(std::distance(std::filesystem::directory_iterator(folder / ""), {}) == 1);
}

TEST_CASE("on a busy machine a solve warns, and its threads sleep while they wait", "[program]") {
  const unsigned busy = 1 + std::thread::hardware_concurrency() / 8;
  std::atomic<bool> going = true;
  std::vector<std::thread> others;
  for (unsigned n = 0; n < busy; ++n)
    others.emplace_back([&] {
      while (going) {
      }
    });
  const std::string solve = "solve --solver jacobi --grid 9x9 --backend openmp --tolerance 0.1";
  const auto with = [&](const std::string& variables) {
    return cfdmark_with(solve, "", "unset OMP_WAIT_POLICY; OMP_DISPLAY_ENV=verbose " + variables + " ");
  };
  const Ended usual = with(""), chosen = with("OMP_WAIT_POLICY=active");
  going = false;
  for (std::thread& other : others) other.join();
  for (const Ended& ended : {usual, chosen}) {
    INFO(ended.err);
    CHECK(ended.status == 0);
    CHECK_THAT(ended.err, ContainsSubstring("cfdmark: this machine is busy"));
    CHECK(ended.err.find("this machine is busy") == ended.err.rfind("this machine is busy"));
    CHECK(ended.out.find("jacobi (openmp") == ended.out.rfind("jacobi (openmp"));
  }
  if (usual.err.find("GOMP_SPINCOUNT") == std::string::npos) {
    WARN("skipped: only GCC's OpenMP runtime says how long its threads spin");
    return;
  }
  CHECK_THAT(usual.err, ContainsSubstring("GOMP_SPINCOUNT = '0'"));
  CHECK_THAT(chosen.err, !ContainsSubstring("GOMP_SPINCOUNT = '0'"));
}

TEST_CASE("every setting of a solver's methods is an option of solve", "[program][flow]") {
  const std::string solve = "solve --problem cavity --grid 16x16 --backend serial --max-iterations 2 ";
  const Ended option = cfdmark_with(solve + "--pressure-solver multigrid --pressure-sweeps 2"),
              set = cfdmark_with(solve + "--set pressure_solver=multigrid --set pressure_sweeps=2");
  const auto title = [](const std::string& out) { return out.substr(0, out.find('\n')); };
  INFO(option.err);
  CHECK_THAT(title(option.out),
             ContainsSubstring("pressure_solver=multigrid") && ContainsSubstring("pressure_sweeps=2"));
  CHECK(title(option.out) == title(set.out));
  CHECK_THAT(cfdmark_with("solve --problem cavity --grid 16x16 --pressure-solver mulitgrid").err,
             ContainsSubstring("pressure_solver=mulitgrid: expected pressure_solver: ") &&
                 ContainsSubstring("multigrid"));
}

TEST_CASE("an unknown solver, problem or method is an error that lists the known ones", "[program]") {
  const auto complains = [](const std::string& arguments, const std::vector<std::string>& words) {
    const Ended solve = cfdmark_with("solve --backend serial " + arguments);
    INFO(arguments);
    CHECK(solve.status == 2);
    CHECK_THAT(solve.err, Mentions(words));
  };
  complains("--solver newton", {"'newton'", "jacobi, gauss_seidel, ", "block_jacobi"});
  complains("--problem sphere", {"'sphere'", "heated_plate, ", "cavity"});
  complains("--solver cg --method fast", {"'fast'", "cg", "serial", "textbook"});
}

TEST_CASE("vortices of a wind tunnel are marked in the fluid, not on its body", "[program][flow]") {
  const TemporaryFolder folder;
  const Ended solve = cfdmark_with(
      "solve --problem tunnel --shape rectangle --diameter 0.25 --reynolds 40 --grid 96x24 --backend serial "
      "--tolerance 1e-4 --plot " +
      (folder / "wake"));
  INFO(solve.err);
  const std::regex mark("vortex marked at \\(([0-9.]+), ([0-9.]+)\\)");
  // Behind the body's upper edge the vortex turns with the flow above.
  const std::regex turn("\\(([0-9.]+), ([0-9.]+)\\)   psi [-0-9.e]+, (clockwise|counterclockwise)");
  int turns = 0;
  for (std::sregex_iterator at(solve.out.begin(), solve.out.end(), turn), end; at != end; ++at, ++turns)
    CHECK((*at)[3] == (std::stod((*at)[2]) > 0.5 ? "clockwise" : "counterclockwise"));
  CHECK(turns > 0);
  int marks = 0;
  for (std::sregex_iterator at(solve.out.begin(), solve.out.end(), mark), end; at != end; ++at, ++marks) {
    INFO(at->str());
    CHECK(std::stod((*at)[1]) > 1.125);  // behind the body
    CHECK(std::abs(std::stod((*at)[2]) - 0.5) < 0.15);
  }
  CHECK(marks == 2);
}

TEST_CASE("unsupported flows are errors that name alternatives", "[program][flow]") {
  const auto complains = [](const std::string& arguments, const std::vector<std::string>& words) {
    const Ended solve = cfdmark_with("solve --backend serial " + arguments);
    INFO(arguments);
    CHECK(solve.status == 2);
    CHECK_THAT(solve.err, Mentions(words));
  };
  complains("--problem cavity --solver cg", {"cg", "cavity", "simple, piso, projection"});
  complains("--problem jump --solver simple", {"simple", "jump", "jacobi, gauss_seidel"});
  complains("--problem cavty", {"'cavity'"});
  complains("--problem cavity --solver simple --grid 8x8x8", {"2-D", "--solver projection"});
  complains("--problem channel --solver projection --grid 8x8x8", {"channel", "2-D"});
  complains("--problem taylor_green_3d --solver projection --grid 8x8", {"taylor_green_3d", "3-D"});
  complains("--problem cavity --reynolds 0", {"reynolds=0: "});
  complains("--problem tunnel --grid 64x16", {"4", "128x32"});
  complains("--problem tunnel --shape rectangel",
            {"shape=rectangel: ", "circle, rectangle, diamond or superellipse"});
  complains("--polygon .", {".: ", "folder"});
  complains("--mask .", {".: ", "folder"});
  complains("--problem taylor_green --solver piso --grid 17x16", {"17 cells"});
  complains("--problem channel --ends periodic --grid 15x8", {"15 cells"});
  complains("--problem taylor_green --solver piso --grid 16x16 --courant 1e-9 --end-time 1", {"end_time=1"});
  complains("--problem tunnel --diameter 1e-9 --grid 64x16", {"16000000000x4000000000"});
  complains("--solver cg --vtk a.vti", {"--vtk"});
  complains("--problem cavity --vtk a.vtk", {"--vtk a.vtk", ".vti"});
}

TEST_CASE("time steps that leave the pressure unsolved end with a warning and its remedy",
          "[program][flow]") {
  const std::string cylinder =
      "solve --problem cylinder --solver piso --backend serial --grid 110x21 --reynolds 100 --end-time 1 ";
  CHECK_THAT(cfdmark_with(cylinder).out, Mentions({"warning: cells lose", "pressure_sweeps=20"}));
  CHECK(cfdmark_with(cylinder + "--set pressure_sweeps=20").out.find("cells lose") == std::string::npos);
}

TEST_CASE("a sweep of flows has verified records with their forces", "[program][flow]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "flow.yaml")
      << "question: What is the drag?\n"
         "blocks:\n"
         "  - {solvers: [simple, piso], backends: serial, precisions: [fp32, fp64, "
         "mixed], problem: tunnel, grids: 128x32,\n"
         "     max_iterations: 20}\n";
  const Ended run =
      cfdmark_with("run " + (folder / "flow.yaml") +
                   " --no-roofs --processes 1 --case-seconds 0.02 --output " + (folder / "f.jsonl"));
  INFO(run.err);
  REQUIRE(run.status == 0);
  int records = 0;
  for (const Json& line : read_records(folder / "f.jsonl").lines) {
    if (line["type"] != "record") continue;
    ++records;
    CHECK(line["status"] == "ok");
    CHECK(line["verification"]["passed"] == true);
    CHECK(line["solver"]["drag_coefficient"].get<double>() > 0);
    CHECK(line["solver"]["residuals"].contains("continuity_residual"));
  }
  CHECK(records == 15);  // two methods of simple and three of piso, in three precisions
}
