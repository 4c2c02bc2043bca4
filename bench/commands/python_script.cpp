#include "bench/commands/python_script.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "bench/commands/data_files.hpp"

namespace cfdmark {

void become_script(const std::string& name, const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {"python3", data_path("scripts/" + name)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const char* chosen = std::getenv("CFDMARK_PYTHON");
  for (const char* python : {chosen, "python3", "/usr/bin/python3"}) {
    if (!python) continue;
    argv[0] = const_cast<char*>(python);
    execvp(python, argv.data());
    if (python == chosen)
      throw std::runtime_error(fmt::format("CFDMARK_PYTHON={}: {}", python, std::strerror(errno)));
  }
  throw std::runtime_error(
      "this needs Python 3 with matplotlib and jinja2, and there is no python3; on Debian and Ubuntu: apt "
      "install "
      "python3-matplotlib python3-jinja2");
}

int run_script(const std::string& name, const std::vector<std::string>& arguments, const std::string& input) {
  std::fflush(nullptr);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::tmpfile(), std::fclose);
  if (!in || std::fwrite(input.data(), 1, input.size(), in.get()) != input.size() ||
      std::fflush(in.get()) != 0)
    throw std::runtime_error(fmt::format("cannot give {} its input: {}", name, std::strerror(errno)));
  std::rewind(in.get());
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(fmt::format("cannot start {}: {}", name, std::strerror(errno)));
  if (child == 0) {
    try {
      if (!input.empty()) dup2(fileno(in.get()), STDIN_FILENO);
      become_script(name, arguments);
    } catch (const std::exception& e) {
      fmt::print(stderr, "cfdmark: {}\n", e.what());
      std::fflush(stderr);
      _exit(1);
    }
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

std::vector<std::string> with_values(const std::vector<std::pair<std::string, std::string>>& options) {
  std::vector<std::string> words;
  for (const auto& [name, value] : options)
    if (!value.empty()) words.insert(words.end(), {name, value});
  return words;
}

}  // namespace cfdmark
