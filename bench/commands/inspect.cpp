// cfdmark inspect: prints the resources of a kernel's CUDA methods.
#include "bench/catalog/inspect.hpp"

#include <algorithm>
#include <cctype>

#include "bench/catalog/catalog.hpp"
#include "bench/commands/commands.hpp"
#include "bench/commands/options.hpp"
#include "bench/commands/setting_options.hpp"

namespace cfdmark {

void add_inspect(CLI::App& app, int&) {
  CLI::App* command = app.add_subcommand("inspect",
                                         "compile a kernel's CUDA methods and show registers, shared "
                                         "memory, spills and occupancy; needs no GPU");
  auto q = std::make_shared<InspectRequest>();
  command->add_option("NAME", q->kernel, "kernel, as `cfdmark list` names it")->required();
  add_value(*command, "--arch", "sm_XX", q->architecture, "target architecture of NVRTC")
      ->check(CLI::Validator(
          [](const std::string& word) -> std::string {
            const bool is_one = word.starts_with("sm_") && word.size() > 4 &&
                                std::all_of(word.begin() + 3, word.end() - 1, ::isdigit);
            return is_one ? "" : "expected one such as sm_90 or sm_100a, found " + word;
          },
          ""));
  command->add_option("--precision", q->precision, "fp32, fp64 or mixed")->capture_default_str();
  command->add_option("--method", q->method, "method (default: all)");
  add_setting_options(*command, q->asked, workload_settings(catalog(), {RowKind::kernel}), {RowKind::kernel});
  command->add_flag("--3d", q->in_3d, "3-D variant (default: 2-D, unless the kernel exists in 3-D only)");
  command->add_flag("--all", q->all_configs,
                    "every config of the tuning space (default: each method's default)");
  command->footer([q] { return inspect_settings_help(*q); });
  command->footer(
      "examples:\n  cfdmark inspect jacobi\n  cfdmark inspect jacobi --operator arrays\n  cfdmark inspect "
      "red_black_sor --method streamed --arch sm_80 "
      "--all");
  command->callback([q] { inspect(*q); });
}

}  // namespace cfdmark
