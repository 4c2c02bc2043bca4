// cfdmark choose: which solver is the fastest for a problem on this machine.
#include "bench/choose/choose.hpp"

#include <fmt/format.h>

#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/setting_options.hpp"

namespace cfdmark {
namespace {

constexpr const char* notes = R"(examples:
  cfdmark choose pressure --grid 512x512 --tolerance 1e-8
  cfdmark choose pressure --grid 128x128x128 --boundary neumann --budget 5m
  cfdmark choose pressure --coefficients jump --conductivity 100 --backend cuda
  cfdmark choose momentum --grid 1024x1024 --peclet 0.5
  cfdmark choose flow --problem cavity --reynolds 1000 --grid 64x64 --budget 10m
  cfdmark choose relaxation --grid 41x41x41
  cfdmark choose matrix --matrix A.mtx --rhs b.mtx

Every solver that can run competes, on each backend, in each precision and by each method. The time is that of
a solve whose residual, computed again in 64 bits on the host, is within 1.5 times the tolerance. First each
candidate makes one verified solve, within a time limit that grows from round to round; then the fastest are
sampled in two processes until the winner is clear or the budget ends. The last lines are the `solve`
command of the winner and the file of the records, to which each run appends.

exit status: 0 answer found; 1 no candidate reached the tolerance; 2 an invalid option or input; 3 a file
could not be written; 130 interrupted.)";

std::string question_help() {
  std::string text;
  for (const Question& q : questions())
    text += fmt::format("{}{}: {} (default: {} on {})", text.empty() ? "" : "; ", q.name, q.help, q.problem,
                        q.domain);
  return text;
}

void add_words(CLI::App& command, const std::string& name, std::vector<std::string>& words,
               const std::string& help) {
  command.add_option(name, words, help)->type_name("NAME")->delimiter(',')->allow_extra_args(false);
}

}  // namespace

void add_choose(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("choose", "find the fastest solver of an equation on this machine, in one table");
  auto request = std::make_shared<ChooseRequest>();
  request->options.budget = 120;
  AskedChoice& asked = request->asked;
  command->add_option("QUESTION", asked.question, question_help())->required();
  command->add_option("--grid", asked.grid, "unknowns, NXxNY or NXxNYxNZ");
  add_value(
      *command, "--matrix", "MATRIX", asked.matrix,
      "of `choose matrix`: a Matrix Market file NAME.mtx, or a generated matrix such as poisson-100x100");
  add_value(*command, "--rhs", "FILE", asked.rhs,
            "right-hand side of --matrix, a vector in a file NAME.mtx (default: A x of a random x)");
  command->add_option("--coefficients", asked.coefficients,
                      "of pressure: constant (default) or jump, which is by the factor --conductivity");
  command->add_option("--boundary", asked.boundary,
                      "of pressure: dirichlet (default), neumann on all sides, or periodic");
  command->add_option("--problem", asked.problem,
                      "another problem of the same kind; `cfdmark solve --help` lists them");
  add_words(*command, "--backend", asked.backends,
            "serial, openmp, kokkos or cuda, separated by commas (default: all)");
  add_device_choice(*command, asked.device);
  add_words(*command, "--precision", asked.precisions,
            "fp32, fp64 or mixed, separated by commas (default: all)");
  add_time(*command, "--budget", request->options.budget,
           "total time, such as 90s or 10m, shared so that each candidate gets a turn before any gets two "
           "(default: 2m)");
  add_timeout(*command, request->options.timeout);
  add_value(*command, "--output", "FILE", request->options.output,
            "record file, appended to (default: out/choose-QUESTION.jsonl)");
  command->add_flag("--dry-run", request->dry_run, "list the candidates without measuring");
  add_setting_options(*command, asked.settings, workload_settings(catalog(), {RowKind::solver}),
                      {RowKind::solver});
  add_set_option(*command, asked.settings);
  command->footer([request] { return choose_settings_help(request->asked); });
  command->footer(notes);
  command->callback([request, &status] { status = choose(*request); });
}

}  // namespace cfdmark
