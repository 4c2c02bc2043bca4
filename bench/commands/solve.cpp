// cfdmark solve: solves one problem with one solver on one backend.
#include "bench/solve/solve.hpp"

#include <fmt/format.h>

#include "bench/catalog/catalog.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/setting_options.hpp"
#include "bench/ranks/rank_process.hpp"
#include "bench/solve/solve_help.hpp"
#include "solvers/families.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark solve --solver sor --grid 255x255 --omega 1.95
  cfdmark solve --solver pcg --problem jump --conductivity 10 --precision mixed --tolerance 1e-10
  cfdmark solve --solver cg --backend cuda --grid 4095x4095 --set block_x=128 --plot plate
  cfdmark solve --problem cavity --reynolds 1000 --grid 128x128 --plot cavity
  cfdmark solve --solver cg --grid 2049x2049 --ranks 2
  cfdmark solve --mask car.png --reynolds 20 --plot car
  cfdmark solve --problem mesh_conduction --mesh shaft.msh --numbering hilbert --vtk shaft.vtu
  cfdmark solve --matrix A.mtx --rhs b.mtx

exit status: 0 converged; 1 not converged; 2 an invalid option or input; 3 a file could not be written)";

}  // namespace

void add_solve(CLI::App& app, int& status) {
  auto request = std::make_shared<SolveRequest>();
  auto supervisor = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand(
      "solve", "solve one problem with one solver on one backend, and show residuals and errors");
  command->add_option(
      "--solver", request->solver,
      "solver (default: cg; for flows simple, in 3-D and with heat projection; for 5x5 blocks "
      "block_jacobi; for a matrix matrix_pcg if it is symmetric, else matrix_bicgstab)");
  command->add_option("--problem", request->problem,
                      fmt::format("problem (default: {})", families().front().problems.front().name));
  command->add_option("--grid", request->grid,
                      "unknowns, NXxNY or NXxNYxNZ (default: 257x257; for flows 256x256 or 32x32x32, for 5x5 "
                      "blocks 24x10x16, for --mask the image's size, for a polygon or outline 512x128)");
  add_value(*command, "--mesh", "MESH", request->mesh,
            "mesh instead of a grid: triangles-AxB, tetrahedra-AxBxC or a file of Gmsh, NAME.msh (default of "
            "problems on meshes: triangles-178x178)");
  add_value(*command, "--matrix", "MATRIX", request->matrix,
            "your own system A x = b instead of a grid: a Matrix Market file NAME.mtx, or a generated matrix "
            "such as "
            "poisson-100x100 (`cfdmark list matrix_` shows them)");
  add_value(*command, "--rhs", "FILE", request->rhs,
            "right-hand side b of --matrix, a vector in a Matrix Market file NAME.mtx (default: A x of a "
            "random x)");
  add_value(*command, "--answer", "FILE", request->answer,
            "file for the x of --matrix, a vector in a Matrix Market file NAME.mtx");
  command->add_option("--backend", request->backend,
                      "serial, openmp, kokkos or cuda (default: the fastest that runs here)");
  add_device_choice(*command, request->device);
  command
      ->add_option("--precision", request->precision,
                   "fp32, fp64 or mixed (32-bit inner solve, 64-bit residual)")
      ->capture_default_str();
  command->add_option("--method", request->method,
                      "method of the solver, see `cfdmark list` (default: the one for this grid)");
  command
      ->add_option("--ranks", request->ranks,
                   "ranks, each with a part of the grid; they compute the bits of one (jacobi, sor, cg, pcg, "
                   "bicgstab, multigrid, projection, simple, piso)")
      ->check(CLI::Range(1, 1024))
      ->capture_default_str();
  command
      ->add_option("--partition", request->partition,
                   "parts of the ranks: slabs, pencils, blocks, or their numbers along x, y, z such as 1x2x4")
      ->capture_default_str();
  command
      ->add_option(
          "--join", request->join,
          "ranks as `threads` of the serial backend or of cuda, with a GPU each, or as processes of "
          "`mpi` of any backend, openmp with OMP_NUM_THREADS threads each (default of those: an equal "
          "share of the cores), cuda with a GPU each while there are enough")
      ->check(CLI::IsMember({"threads", "mpi"}))
      ->capture_default_str();
  add_value(*command, "--launcher", "COMMAND", request->launcher,
            "command that starts the processes (default: 'srun -n {ranks}' in an allocation of Slurm, else "
            "'mpirun -n {ranks}')");
  command
      ->add_option("--rank-timeout", request->rank_timeout,
                   "seconds that a process may wait for another before the solve ends with an error")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--rank-of", *supervisor, "supervisor of this process, which is a rank")->group("");
  command->add_flag("--tuned", request->tuned,
                    "use the method and config that `cfdmark tune` found; --method and --set override them");
  add_setting_options(*command, request->settings, solver_settings(catalog()), {RowKind::solver});
  add_set_option(*command, request->settings);
  command->add_flag("--routines", request->routines,
                    "solve again with each routine timed by itself, and show the share of each");
  add_value(
      *command, "--mask", "FILE", request->mask,
      "body of the tunnel as a PNG or PGM image; pixels are square cells, solid if darker than 50 %; the "
      "tunnel has the image's aspect ratio");
  add_value(*command, "--polygon", "FILE", request->polygon,
            "body of the tunnel as corners, one x and y per line, in a tunnel of length 4 and height 1");
  add_value(*command, "--outline", "TEXT", request->outline,
            "body of the tunnel by a few parameters, such as \"sine ln_length=0.83 b2=-0.007\": sine, "
            "superellipse, fourier, bezier, naca4, polygon or mask, with the area of a circle of diameter "
            "1/8, or --area");
  add_value(*command, "--plot", "PREFIX", request->plot,
            "draw PREFIX-field.png, for flows PREFIX-flow.png, for cavities PREFIX-profiles.png, and "
            "PREFIX-history.png");
  add_value(*command, "--vtk", "FILE", request->vtk,
            "file for ParaView: NAME.vti of a flow, NAME.vtu of a field on a mesh");
  command
      ->add_option(
          "--vtk-every", request->vtk_every,
          "of a flow: also NAME-ITERATION.vti every N iterations, and NAME.pvd, which ParaView plays")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  add_value(*command, "--history", "FILE", request->history,
            "of a flow: CSV file with time, residuals, drag and lift of each iteration, or of every "
            "check_interval if that is set");
  command
      ->add_option("--probe", request->probes,
                   "place whose velocity and pressure --history lists; may be repeated")
      ->type_name("X,Y")
      ->allow_extra_args(false);
  command
      ->add_option("--mean-from", request->mean_from,
                   "start of time means of a flow, which --vtk then holds too")
      ->type_name("TIME")
      ->check(is_finite);
  add_value(*command, "--save", "FILE", request->save, "state of a flow at its end, for --restart");
  command->add_option("--save-every", request->save_every, "also write --save every N iterations")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  add_value(*command, "--restart", "FILE", request->restart,
            "continue a flow that --save wrote; problem, grid, precision and settings must be the same, but "
            "--end-time and --tolerance may differ");
  command->footer([request] { return solve_settings_help(*request); });
  command->footer(notes);
  command->callback([request, supervisor, &status] {
    if (supervisor->empty()) {
      status = solve(*request);
      return;
    }
    status = work_as_rank(*supervisor, request->rank_timeout, [&](RankProcess& process) {
      request->process = &process;
      return solve(*request);
    });
  });
}

}  // namespace cfdmark
