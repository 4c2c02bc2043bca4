// Messages between supervisor and worker. Each is one line of JSON. They have their own socket, so that the
// output of libraries cannot interfere.
#pragma once

#include <string>
#include <vector>

#include "bench/text/json.hpp"

namespace cfdmark {

class Channel {
 public:
  // Takes ownership of the descriptor.
  explicit Channel(int fd) : fd_(fd) {}
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  // Returns false if the other side has closed the connection.
  bool send(const Json& message);
  // Returns the messages that have arrived. Waits for the first one up to `milliseconds` (-1: without limit).
  // A signal ends the wait early.
  std::vector<std::string> receive(int milliseconds);
  // Returns true if the other side has closed and all its messages have been received.
  bool closed() const { return closed_; }

 private:
  int fd_;
  bool closed_ = false;
  std::string unfinished_;  // first part of an incomplete message
};

}  // namespace cfdmark
