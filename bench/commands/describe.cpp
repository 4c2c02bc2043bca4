// cfdmark completion and man: derives shell completion and the manual page from the command line's
// declarations.
#include <fmt/format.h>

#include <string>

#include "bench/commands/commands.hpp"

namespace cfdmark {
namespace {

std::vector<const CLI::App*> shown_commands(const CLI::App& app) {
  std::vector<const CLI::App*> shown;
  for (const CLI::App* command : app.get_subcommands({}))
    if (!command->get_group().empty()) shown.push_back(command);
  return shown;
}

std::string long_options(const CLI::App& app) {
  std::string text;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) text += fmt::format(" --{}", name);
  return text;
}

std::string names_of(const CLI::App& app) {
  std::string text;
  for (const CLI::App* command : shown_commands(app)) text += " " + command->get_name();
  return text;
}

// Returns a `case` line of the shell for each subcommand of `app`; nested ones match two words.
std::string cases_of(const CLI::App& app, const std::string& words_before = "") {
  std::string text;
  for (const CLI::App* command : shown_commands(app)) {
    const std::string words = words_before + command->get_name();
    text += cases_of(*command, words + "\\ ");
    text += fmt::format("    {}{}) words=\"{}{}\" ;;\n", words, words_before.empty() ? "\\ *" : "",
                        names_of(*command), long_options(*command));
  }
  return text;
}

std::string bash_completion(const CLI::App& app) {
  return fmt::format(R"(_cfdmark() {{
  local words="" second=""
  ((COMP_CWORD < 3)) || second=${{COMP_WORDS[2]}}
  case "${{COMP_WORDS[1]}} $second" in
{}  esac
  ((COMP_CWORD > 1)) || words="{}{}"
  COMPREPLY=($(compgen -W "$words" -- "${{COMP_WORDS[COMP_CWORD]}}"))
}}
complete -o default -F _cfdmark cfdmark
)",
                     cases_of(app), names_of(app), long_options(app));
}

// Escapes text for troff: backslashes anywhere, dots and apostrophes at the start of a line.
std::string roff(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    if ((letter == '.' || letter == '\'') && (safe.empty() || safe.back() == '\n')) safe += "\\&";
    safe += letter == '\\' ? "\\e" : letter == '-' ? "\\-" : std::string(1, letter);
  }
  return safe;
}

std::string option_text(const CLI::Option& option) {
  return fmt::format(".TP\n\\fB{}\\fR {}\n{}\n", roff(option.get_name(false, true)),
                     roff(option.get_type_name()), roff(option.get_description()));
}

std::string body(const CLI::App& app) {
  std::string text = roff(app.get_description()) + "\n";
  for (const CLI::Option* option : app.get_options()) text += option_text(*option);
  if (!app.get_footer().empty()) text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(app.get_footer()));
  return text;
}

// Returns the sections of a command and its subcommands.
std::string sections(const CLI::App& command, const std::string& words_before) {
  const std::string name = words_before + command.get_name();
  std::string text = fmt::format(".SS {}\n{}", roff(name), body(command));
  for (const CLI::App* below : shown_commands(command)) text += sections(*below, name + " ");
  return text;
}

std::string man_page(const CLI::App& app) {
  std::string text = fmt::format(
      ".TH CFDMARK 1\n.SH NAME\ncfdmark \\- benchmarks the kernels and solvers of fluid dynamics\n"
      ".SH SYNOPSIS\n\\fBcfdmark\\fR COMMAND [OPTIONS]\n.SH DESCRIPTION\n{}.SH COMMANDS\n",
      body(app));
  for (const CLI::App* command : shown_commands(app)) text += sections(*command, "");
  return text;
}

}  // namespace

void add_descriptions(CLI::App& app) {
  CLI::App* completion = app.add_subcommand("completion", "print the bash completion of this command line");
  completion->callback([&app] { fmt::print("{}", bash_completion(app)); });
  CLI::App* man = app.add_subcommand("man", "print the manual page of this program in the format of man");
  man->callback([&app] { fmt::print("{}", man_page(app)); });
}

}  // namespace cfdmark
