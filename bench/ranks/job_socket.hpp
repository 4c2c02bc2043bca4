// The socket at which a job of ranks listens.
#pragma once

#include <string>

namespace cfdmark {

// A socket in a folder that no other user can read. Both are removed with the object.
class JobSocket {
 public:
  // Throws std::system_error.
  JobSocket();
  ~JobSocket();
  JobSocket(const JobSocket&) = delete;
  JobSocket& operator=(const JobSocket&) = delete;

  std::string path() const { return folder_ + "/socket"; }
  int fd() const { return fd_; }

 private:
  std::string folder_;
  int fd_ = -1;
};

// Returns a connection to a socket of this host, or -1 if no process listens.
int connected_to(const std::string& socket);
// Removes the socket of a job that was killed, and its folder.
void remove_job_socket(const std::string& socket);

}  // namespace cfdmark
