#include "bench/commands/python_script.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

int run_script(const std::string& name, const std::vector<std::string>& arguments) {
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error(fmt::format("cannot start {}: {}", name, std::strerror(errno)));
  if (child == 0) {
    try {
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

}  // namespace cfdmark
