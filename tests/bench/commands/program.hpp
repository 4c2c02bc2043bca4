// Runs the program as a user does, for tests.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/bench/temporary_folder.hpp"

namespace cfdmark {

inline std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// How a program ended, and what it printed.
struct Ended {
  int status;
  std::string out, err;
};

// `redirections` of the shell come last: ">/dev/full".
inline Ended cfdmark_with(const std::string& arguments, const std::string& redirections = "") {
  const TemporaryFolder folder;
  const std::string command = std::string(CFDMARK_PROGRAM) + " " + arguments + " > " + (folder / "out") +
                              " 2> " + (folder / "err") + " " + redirections;
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text_of(folder / "out"), text_of(folder / "err")};
}

}  // namespace cfdmark
