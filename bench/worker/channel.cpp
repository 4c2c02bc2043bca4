#include "bench/worker/channel.hpp"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace cfdmark {

Channel::~Channel() { close(fd_); }

bool Channel::send(const Json& message) {
  const std::string text = one_line(message) + '\n';
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = ::send(fd_, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) return false;
    if (n > 0) done += std::size_t(n);
  }
  return true;
}

std::vector<std::string> Channel::receive(int milliseconds) {
  pollfd waiting{fd_, POLLIN, 0};
  if (closed_ || poll(&waiting, 1, milliseconds) <= 0) return {};
  char block[65536];
  const ssize_t n = read(fd_, block, sizeof block);
  if (n < 0 && errno == EINTR) return {};
  closed_ = n <= 0;
  if (n > 0) unfinished_.append(block, std::size_t(n));
  std::vector<std::string> messages;
  for (std::size_t end; (end = unfinished_.find('\n')) != std::string::npos; unfinished_.erase(0, end + 1))
    messages.push_back(unfinished_.substr(0, end));
  return messages;
}

}  // namespace cfdmark
