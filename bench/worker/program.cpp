#include "bench/worker/program.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <system_error>

#include "bench/text/seconds_now.hpp"

namespace cfdmark {
namespace {

std::system_error cannot_start(const std::string& program) {
  return {errno, std::generic_category(), "cannot start " + program};
}

// A file deleted when it is closed. A pipe could fill up before the program has read its input.
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File temporary_file(const std::string& text) {
  File file(std::tmpfile(), std::fclose);
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() ||
      std::fflush(file.get()) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot write a temporary file");
  std::rewind(file.get());
  return file;
}

std::string text_of(const File& file) {
  std::rewind(file.get());
  std::string text;
  char block[65536];
  while (const std::size_t n = std::fread(block, 1, sizeof block, file.get())) text.append(block, n);
  return text;
}

// Returns the exit status; none if the process had to be killed after `seconds`. 0: no limit.
std::optional<int> status_within(pid_t child, double seconds) {
  const double end = seconds_now() + seconds;
  int status = 0;
  while (true) {
    const pid_t done = waitpid(child, &status, seconds > 0 ? WNOHANG : 0);
    if (done == child) return status;
    if (done < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "waitpid");
    if (done == 0 && seconds_now() > end) break;
    if (done == 0) usleep(5000);
  }
  kill(child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return std::nullopt;
}

}  // namespace

void require_open_files(unsigned long needed, const char* what) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < needed)
    throw std::runtime_error(
        fmt::format("cannot start {}: the limit is {} open files and {} are needed; raise it with ulimit -n",
                    what, limit.rlim_cur, needed));
}

void become_program(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  throw cannot_start(command[0]);
}

std::vector<std::string> own_command() {
  std::ifstream file("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  if (words.empty() || program.empty()) return {};
  words.front() = program.string();
  return words;
}

std::string how_ended(int status) {
  if (!WIFSIGNALED(status)) return fmt::format("ended with status {}", WEXITSTATUS(status));
  const char* name = sigabbrev_np(WTERMSIG(status));
  return name ? fmt::format("was killed by SIG{}", name)
              : fmt::format("was killed by signal {}", WTERMSIG(status));
}

ProgramEnd run_program(const std::vector<std::string>& command, const std::string& input, bool keep_output,
                       double seconds) {
  std::fflush(nullptr);
  const File in = temporary_file(input), out = temporary_file("");
  const pid_t child = fork();
  if (child < 0) throw cannot_start(command[0]);
  if (child == 0) {
    if (!input.empty()) dup2(fileno(in.get()), STDIN_FILENO);
    if (keep_output) dup2(fileno(out.get()), STDOUT_FILENO);
    try {
      become_program(command);
    } catch (const std::exception& e) {
      fmt::print(stderr, "cfdmark: {}\n", e.what());
      std::fflush(stderr);
      _exit(127);
    }
  }
  const std::optional<int> ended = status_within(child, seconds);
  if (!ended) return {1, fmt::format("did not end within {:g} s", seconds), ""};
  const int status = WIFSIGNALED(*ended) ? 1 : WEXITSTATUS(*ended);
  return {status, status == 0 ? "" : how_ended(*ended), text_of(out)};
}

}  // namespace cfdmark
