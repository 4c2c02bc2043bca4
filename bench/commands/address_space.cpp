// Ends the program with a message if its address space is limited (ulimit -v) to less than its libraries
// need. OpenBLAS starts its threads when it is loaded; without memory for them it hangs or kills the process.
// So this check runs before any library is initialised.
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "bench/commands/commands.hpp"

namespace cfdmark {
namespace {

constexpr unsigned long long mebibyte = 1 << 20;
// Memory needed beyond what is mapped at the start: for the program, and per thread a stack and an OpenBLAS
// buffer. OpenBLAS starts at most 64 threads.
constexpr unsigned long long of_program = 96 * mebibyte, of_thread = 40 * mebibyte;
constexpr long most_threads = 64;

unsigned long long mapped_bytes() {
  char text[64] = {};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  return size > 0 ? std::strtoull(text, nullptr, 10) * static_cast<unsigned long long>(sysconf(_SC_PAGESIZE))
                  : 0;
}

// Returns the number of threads that OpenBLAS starts: from the environment, else one per processor.
long openblas_threads(char** environment) {
  for (const char* name : {"OPENBLAS_NUM_THREADS=", "GOTO_NUM_THREADS=", "OMP_NUM_THREADS="})
    for (char** at = environment; at && *at; ++at)
      if (std::strncmp(*at, name, std::strlen(name)) == 0)
        if (const long threads = std::strtol(*at + std::strlen(name), nullptr, 10); threads > 0)
          return std::min(threads, most_threads);
  return std::clamp(sysconf(_SC_NPROCESSORS_ONLN), 1L, most_threads);
}

void check_address_space(int, char**, char** environment) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  const auto threads = static_cast<unsigned long long>(openblas_threads(environment));
  const unsigned long long needed = mapped_bytes() + of_program + threads * of_thread;
  if (limit.rlim_cur >= needed) return;
  char message[256];
  const int length =
      std::snprintf(message, sizeof message,
                    "cfdmark: the address space is limited to %llu MiB, and the program needs %llu MiB: "
                    "raise the limit with ulimit -v, or set OPENBLAS_NUM_THREADS=1\n",
                    static_cast<unsigned long long>(limit.rlim_cur) / mebibyte, needed / mebibyte + 1);
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message, static_cast<std::size_t>(length));
  _exit(exit_usage);
}

// Sanitizers set up their memory at the same point.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
[[gnu::section(".preinit_array"), gnu::used]] void (*const before_libraries)(int, char**,
                                                                             char**) = check_address_space;
#else
[[maybe_unused]] void (*const before_libraries)(int, char**, char**) = check_address_space;
#endif

}  // namespace
}  // namespace cfdmark
