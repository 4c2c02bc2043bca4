#include "bench/record/output_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <thread>

namespace cfdmark {
namespace {

namespace fs = std::filesystem;
using Writing = std::function<void(std::ostream&)>;
constexpr std::chrono::milliseconds between_tries{20};

[[noreturn]] void fail(const std::string& path, int error) {
  throw WriteError(fmt::format("cannot write {}: {}", path, std::strerror(error)));
}

// Returns 0 or the error number. A path in /proc refers to the open file itself, whatever its name refers to
// now.
int write_to(const std::string& path, const Writing& write) {
  errno = 0;
  std::ofstream file(path);
  if (file) write(file);
  file.close();
  return file ? 0 : errno ? errno : EIO;
}

// Returns the file to replace; none if `path` can only be written in place. The stream links of a process,
// such as /dev/stdout, are never replaced.
std::optional<fs::path> to_replace(const std::string& path, Links links) {
  if (links == Links::replace) return path;
  std::error_code error;
  const std::string named = fs::absolute(path).lexically_normal().string();
  if (named.starts_with("/dev/") || named.starts_with("/proc/")) return std::nullopt;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) return std::nullopt;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? fs::path(path) : real;
}

// Returns the permissions of the replaced file, or the default ones of a new file.
mode_t mode_for(const fs::path& path) {
  struct stat before {};
  if (lstat(path.c_str(), &before) == 0 && S_ISREG(before.st_mode)) return before.st_mode & 0777;
  const mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

// A new file next to `path`, with an unpredictable name that is no existing link (mkstemp).
class Scratch {
 public:
  explicit Scratch(const fs::path& path)
      : name_((path.parent_path() / fmt::format(".{}.XXXXXX", path.filename().string().substr(0, 200)))
                  .string()),
        fd_(mkostemp(name_.data(), O_CLOEXEC)) {}
  ~Scratch() {
    if (fd_ < 0) return;
    close(fd_);
    if (!moved_) unlink(name_.c_str());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  // Both return 0 or the error number.
  int fill(const Writing& write) const {
    if (fd_ < 0) return errno;
    return write_to(fmt::format("/proc/self/fd/{}", fd_), write);
  }
  int replace(const fs::path& path) {
    if (fchmod(fd_, mode_for(path)) != 0 || fsync(fd_) != 0) return errno;
    if (rename(name_.c_str(), path.c_str()) != 0) return errno;
    moved_ = true;
    return 0;
  }

 private:
  std::string name_;
  int fd_;
  bool moved_ = false;
};

bool lock_within(int fd, double seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  // A file system without locks (ENOLCK) is written without a lock.
  while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return true;
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(between_tries);
  }
  return true;
}

bool is_regular(int fd) {
  struct stat info {};
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

}  // namespace

void replace_file(const std::string& path, const Writing& write, Links links) {
  const std::optional<fs::path> target = to_replace(path, links);
  if (!target) {
    if (const int error = write_to(path, write)) fail(path, error);
    return;
  }
  errno = 0;
  Scratch scratch(*target);
  int error = scratch.fill(write);
  if (error == 0) error = scratch.replace(*target);
  if (error != 0)
    throw WriteError(fmt::format("cannot write {}: {}{}", path, std::strerror(error),
                                 fs::exists(*target) ? "; it is unchanged" : ""));
}

void replace_file(const std::string& path, const std::string& text, Links links) {
  replace_file(
      path, [&](std::ostream& out) { out << text; }, links);
}

int open_locked(const std::string& path, int flags, double seconds) {
  for (;;) {
    const int fd = open(path.c_str(), flags | O_CLOEXEC, 0644);
    if (fd < 0) fail(path, errno);
    const bool locked = lock_within(fd, seconds);
    if (locked && (!is_regular(fd) || is_file_at(fd, path))) return fd;
    close(fd);
    if (!locked) throw WriteError(fmt::format("cannot write {}: another process is writing it", path));
  }
}

bool is_file_at(int fd, const std::string& path) {
  struct stat opened {
  }, named{};
  return fstat(fd, &opened) == 0 && stat(path.c_str(), &named) == 0 && opened.st_dev == named.st_dev &&
         opened.st_ino == named.st_ino;
}

}  // namespace cfdmark
