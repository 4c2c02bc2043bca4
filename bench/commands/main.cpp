// The program cfdmark: its commands.
#include <fmt/format.h>

#include <csignal>

#include "bench/commands/command_line.hpp"
#include "bench/commands/commands.hpp"
#include "bench/device_facts/build_info.hpp"
#include "bench/device_facts/threads.hpp"
#include "kernels/device/built.hpp"

namespace cfdmark {
namespace {

constexpr const char* examples = R"(examples:
  cfdmark devices                      show the devices of this machine and their bandwidth
  cfdmark list                         list kernels and solvers with their backends and methods
  cfdmark solve --solver sor           solve one problem: residual history and error
  cfdmark choose pressure              find the fastest solver of an equation on this machine
  cfdmark shape shapes/ellipse.yaml    search the outline of least drag
  cfdmark run sweeps/quick.yaml        measure a sweep; the same command continues a stopped run
  cfdmark campaign --budget 8m         measure a device bit by bit: all that is new or changed
  cfdmark tune jacobi --backend cuda   find the fastest method and block shape
  cfdmark compare OLD.jsonl NEW.jsonl  find what became faster or slower, with confidence intervals
  cfdmark gate --base OTHER_BUILD      check in CI that this build is not slower than another
  cfdmark report out/quick.jsonl       print tables and write an HTML page
  cfdmark reproduce --list             list published tables that this program re-measures
  cfdmark history add out/quick.jsonl  store a run; `history changes` finds what became slower, and when

exit status: 0 success; 1 a case had a wrong result, crashed or timed out, or another error; 2 an invalid
option or input; 3 a file or the standard output could not be written; 4 a budget ended before all cases were
measured; 5 both 1 and 4; 130 interrupted. `compare` and `gate` have their own.)";

std::string version() {
  const BuildInfo& b = build_info();
  const std::string commit = b.commit.empty() ? ""
                                              : fmt::format(" (commit {}{})", b.commit.substr(0, 10),
                                                            b.dirty ? ", changed since" : "");
  return fmt::format("cfdmark {}{}, {}, {}, for {}", b.version, commit, b.build_type, b.compiler,
                     b.instruction_set);
}

}  // namespace
}  // namespace cfdmark

int main(int argc, char** argv) {
  using namespace cfdmark;
  fill_standard_streams();
  keep_thread_counts();
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding a file size limit becomes an error like a full disk
  CLI::App app("Benchmarks the solver kernels of computational fluid dynamics on this machine's processors.",
               "cfdmark");
  int status = exit_ok;
  app.formatter(wrapped_help());  // first, since subcommands copy it when they are added
  app.set_version_flag("--version", version());
  app.require_subcommand(1);
  add_list(app, status);
  add_devices(app, status);
  if constexpr (built_with_cuda) add_inspect(app, status);
  add_new_kernel(app, status);
  add_mesh(app, status);
  add_solve(app, status);
  add_batch(app, status);
  add_choose(app, status);
  add_shape(app, status);
  add_run(app, status);
  add_campaign(app, status);
  add_gbench(app, status);
  add_reproduce(app, status);
  add_tune(app, status);
  add_compare(app, status);
  add_gate(app, status);
  add_python_commands(app);
  add_worker(app, status);
  add_descriptions(app);
  app.add_subcommand("help", "show this text; `help run` shows that of a command");
  app.footer(examples);  // last, since later subcommands would copy it
  refuse_empty_values(app);
  return parse_and_run(app, status, argc, argv);
}
