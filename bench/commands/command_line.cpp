#include "bench/commands/command_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <system_error>
#include <vector>

#include "bench/commands/setting_options.hpp"
#include "bench/device_facts/threads.hpp"
#include "bench/record/records.hpp"
#include "bench/sweep/sweep.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "bench/text/terminal.hpp"
#include "bench/text/words.hpp"
#include "kernels/device/cpu/host_memory.hpp"
#include "kernels/mesh/files/mesh_file_error.hpp"

namespace cfdmark {
namespace {

std::vector<std::string> subcommand_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({}))
    // Subcommands without a group are hidden.
    if (!sub->get_group().empty()) names.push_back(sub->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// Hidden subcommands count too.
bool has_subcommand(const CLI::App& app, const std::string& name) {
  return !app.get_subcommands([&](const CLI::App* command) { return command->get_name() == name; }).empty();
}

std::string no_subcommand(const CLI::App& app, const std::string& word) {
  const std::vector<std::string> names = subcommand_names(app);
  return fmt::format("unknown subcommand '{}'; expected {}{}", word, one_of(names),
                     did_you_mean(word, names));
}

// Returns what is wrong with the command line, with a suggestion.
std::string complaint(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  const std::vector<std::string> names = subcommand_names(app);
  if (first.empty()) return fmt::format("expected a subcommand: {}; see cfdmark --help", one_of(names));
  if (first[0] == '-')
    return fmt::format("unknown option '{}'{}", first, did_you_mean(first, option_names(app)));
  const CLI::App* command = app.get_subcommand(first);
  int at = 2;  // index of the first word that is not a subcommand
  for (; at < argc && has_subcommand(*command, argv[at]); ++at) command = command->get_subcommand(argv[at]);
  const std::vector<std::string> options = option_names(*command);
  for (int n = at; n < argc; ++n)
    if (const std::string word = argv[n]; word.starts_with("--")) {
      const std::string name = word.substr(0, word.find('='));
      if (std::find(options.begin(), options.end(), name) == options.end())
        return fmt::format("{}: {}{}", first, error.what(), did_you_mean(name, options));
    }
  return fmt::format("{}: {}", first, error.what());
}

// Prints a message after what stdout holds, also if both go to one file. An unwritable stderr loses the
// message but keeps the exit status.
void complain(const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "cfdmark: %s\n", printable_lines(message).c_str());
}

// Error number 0: an earlier write failed, the last one did not.
int cannot_print(int error) {
  complain(fmt::format("cannot write to the standard output: {}", std::strerror(error ? error : EIO)));
  return exit_cannot_write;
}

// Flushes standard output, since a failed write must change the exit status.
int end_output(int status) {
  errno = 0;
  return std::fflush(stdout) == 0 && !std::ferror(stdout) ? status : cannot_print(errno);
}

std::string out_of_memory() {
  return fmt::format("out of memory: {:.2f} GB are free; use a smaller grid",
                     double(available_host_memory()) / 1e9);
}

int status_of(const std::exception& e) {
  if (dynamic_cast<const WriteError*>(&e)) return exit_cannot_write;
  if (const auto* const mesh = dynamic_cast<const MeshFileError*>(&e))
    return mesh->fault == MeshFault::unwritable ? exit_cannot_write : exit_usage;
  if (dynamic_cast<const SweepError*>(&e) || dynamic_cast<const std::invalid_argument*>(&e))
    return exit_usage;
  return exit_went_wrong;
}

// Returns the exit status of the command, or of --help and --version. The help of settings may throw
// std::invalid_argument.
int parse(CLI::App& app, const int& status, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return status;
  } catch (const CLI::Success& e) {
    return app.exit(e);
  }
}

int run_words(CLI::App& app, const int& status, int argc, char** argv) {
  // Checked first, since --help after an unknown word would hide the error.
  if (argc > 1 && argv[1][0] != '-' && !has_subcommand(app, argv[1])) {
    complain(no_subcommand(app, argv[1]));
    return exit_usage;
  }
  try {
    check_thread_counts();
    return end_output(parse(app, status, argc, argv));
  } catch (const CLI::ParseError& e) {
    complain(complaint(app, e, argc, argv));
    return exit_usage;
  } catch (const std::exception& e) {
    const auto* printing = dynamic_cast<const std::system_error*>(&e);
    if (printing && std::ferror(stdout)) return cannot_print(printing->code().value());
    if (printing && std::ferror(stderr)) return exit_cannot_write;  // nowhere left to report it
    complain(dynamic_cast<const std::bad_alloc*>(&e) ? out_of_memory() : message_of(e));
    return status_of(e);
  }
}

// Turns `help` and `help tune layouts` into --help and tune layouts --help.
std::vector<char*> words_of(int argc, char** argv) {
  static char asked[] = "--help";
  std::vector<char*> words(argv, argv + argc);
  if (argc < 2 || words[1] != std::string("help")) return words;
  words.erase(words.begin() + 1);
  words.push_back(asked);
  return words;
}

// Wraps help to the width of the terminal. Hidden groups of options leave no empty lines.
struct WrappedHelp final : CLI::Formatter {
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (std::size_t at = 0; (at = text.find("\n\n\n", at)) != std::string::npos;) text.erase(at, 1);
    return for_standard_output(text);
  }
  // Settings are shown by what is chosen, after the options.
  std::string make_group(std::string group, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    if (group == settings_group) return "";
    return CLI::Formatter::make_group(std::move(group), is_positional, std::move(options));
  }
};

}  // namespace

void fill_standard_streams() {
  for (const auto& [fd, mode] : {std::pair(0, O_WRONLY), std::pair(1, O_RDONLY), std::pair(2, O_RDWR)})
    if (fcntl(fd, F_GETFD) < 0) open("/dev/null", mode);  // open takes the lowest free number, this one
}

void refuse_empty_values(CLI::App& app) {
  for (CLI::Option* option : app.get_options())
    if (option->get_items_expected_max() > 0 && option->get_name() != "--filter")
      option->check([](const std::string& text) {
        return text.empty() ? std::string("expected a value, found an empty string") : std::string();
      });
  for (CLI::App* command : app.get_subcommands([](CLI::App*) { return true; })) refuse_empty_values(*command);
}

std::shared_ptr<CLI::FormatterBase> wrapped_help() { return std::make_shared<WrappedHelp>(); }

int parse_and_run(CLI::App& app, const int& status, int argc, char** argv) {
  std::vector<char*> words = words_of(argc, argv);
  return run_words(app, status, int(words.size()), words.data());
}

}  // namespace cfdmark
