#include "bench/ranks/job_socket.hpp"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

namespace cfdmark {
namespace {

constexpr std::size_t longest_folder = 80;  // a socket's path has 107 characters

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  return address;
}

}  // namespace

JobSocket::JobSocket() {
  std::string folder = (std::filesystem::temp_directory_path() / "cfdmark-ranks-XXXXXX").string();
  if (folder.size() > longest_folder) folder = "/tmp/cfdmark-ranks-XXXXXX";
  if (!mkdtemp(folder.data()))
    throw std::system_error(errno, std::generic_category(), "cannot create a folder for the ranks' socket");
  folder_ = folder;
  const sockaddr_un address = address_of(path());
  fd_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd_ < 0 || bind(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      listen(fd_, SOMAXCONN) != 0)
    throw std::system_error(errno, std::generic_category(), "cannot listen to ranks");
}

JobSocket::~JobSocket() {
  close(fd_);
  std::error_code ignored;
  std::filesystem::remove_all(folder_, ignored);
}

int connected_to(const std::string& path) {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_un address = address_of(path);
  if (fd >= 0 && connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return fd;
  if (fd >= 0) close(fd);
  return -1;
}

void remove_job_socket(const std::string& path) {
  unlink(path.c_str());
  rmdir(std::filesystem::path(path).parent_path().c_str());
}

}  // namespace cfdmark
