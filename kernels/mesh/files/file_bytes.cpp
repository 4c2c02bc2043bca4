#include "kernels/mesh/files/file_bytes.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

#include "kernels/mesh/files/mesh_file_error.hpp"

namespace cfdmark {

namespace {

[[noreturn]] void fail(const std::string& path, MeshFault fault, const std::string& text) {
  throw MeshFileError(path, PlaceUnit::file, 0, fault, text);
}

class OpenFile {
 public:
  // O_NONBLOCK: opening a pipe without a writer returns, and the pipe is then refused.
  explicit OpenFile(const std::string& path)
      : fd_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)), path_(path) {
    if (fd_ < 0) fail(path, MeshFault::unreadable, fmt::format("cannot open it: {}", std::strerror(errno)));
  }
  ~OpenFile() { close(fd_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::size_t size() const {
    struct stat found;
    if (fstat(fd_, &found) != 0 || !S_ISREG(found.st_mode))
      fail(path_, MeshFault::unreadable, "not a regular file; name a mesh file");
    return std::size_t(found.st_size);
  }

  void read_into(char* bytes, std::size_t size) const {
    for (std::size_t n = 0; n < size;) {
      const ssize_t got = read(fd_, bytes + n, size - n);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0)
        fail(path_, MeshFault::unreadable, fmt::format("cannot read it: {}", std::strerror(errno)));
      if (got == 0) fail(path_, MeshFault::truncated, "became shorter while it was read; read it again");
      n += std::size_t(got);
    }
  }

 private:
  int fd_;
  const std::string& path_;
};

}  // namespace

FileBytes::FileBytes(const std::string& path) {
  const OpenFile file(path);
  size_ = file.size();
  bytes_ = std::make_unique_for_overwrite<char[]>(size_);
  file.read_into(bytes_.get(), size_);
}

void write_whole_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  const std::string scratch = fmt::format("{}.{}.part", path, getpid());
  errno = 0;
  {
    std::ofstream out(scratch, std::ios::binary);
    if (out) write(out);
    out.close();
    if (out && std::rename(scratch.c_str(), path.c_str()) == 0) return;
  }
  const std::string why = errno ? std::strerror(errno) : "the stream failed";
  std::remove(scratch.c_str());
  fail(path, MeshFault::unwritable, fmt::format("cannot write it: {}", why));
}

}  // namespace cfdmark
