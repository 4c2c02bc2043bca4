#include "bench/commands/program_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

namespace cfdmark {
namespace {

constexpr const char* program_group = "Options for a program of your own";

}  // namespace

void add_program_options(CLI::App& command, ProgramTune& program) {
  CLI::Option* const own =
      command
          .add_option("--command", program.command,
                      "tune this command of a shell instead; {NAME} stands for the value of a parameter")
          ->type_name("COMMAND")
          ->group(program_group);
  const auto add = [&](const char* name, const char* type, auto& value, const char* help) {
    return command.add_option(name, value, help)
        ->type_name(type)
        ->group(program_group)
        ->allow_extra_args(false)
        ->needs(own);
  };
  add("--parameter", "NAME=VALUE,VALUE", program.parameters,
      "values of a parameter, integers or words; repeatable; the first of each are the config to compare "
      "with");
  add("--constraint", "EXPRESSION", program.constraints,
      "condition on integer parameters, such as 'block_x*block_y<=1024'; repeatable; + - * / %, "
      "comparisons, && || ! and parentheses");
  add("--time-from", "REGEX", program.time_from,
      "take the time from the first match in the output, such as 'time: ([0-9.]+)' (default: wall time of "
      "the process)");
  add("--time-unit", "UNIT", program.unit, "of --time-from: s, ms or us (default: s)")
      ->check(CLI::IsMember({"s", "ms", "us"}));
  add("--check-command", "COMMAND", program.check,
      "command that judges the first output of each config, which is its standard input; exit status 0: "
      "right");
}

void refuse_others(const CLI::App& command) {
  const std::vector<std::string> shared = {"--budget",  "--strategy", "--seed",
                                           "--samples", "--timeout",  "--output"};
  for (const CLI::Option* option : command.get_options()) {
    const auto is_named = [&](const std::string& name) { return option->check_name(name); };
    if (option->count() > 0 && option->get_group() != program_group &&
        std::none_of(shared.begin(), shared.end(), is_named))
      throw std::invalid_argument(fmt::format(
          "{} has no meaning for the program of --command; remove one of them", option->get_name()));
  }
}

}  // namespace cfdmark
